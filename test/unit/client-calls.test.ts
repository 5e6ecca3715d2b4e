import { OPERATIONS } from '../../clients/typescript/api.js';
import {
  type ClientOptions,
  createClient,
  FabulaConnectionError,
  FabulaTimeoutError,
} from '../../clients/typescript/client.js';
import { createLimit } from '../../clients/typescript/limit.js';

interface Sent {
  address: string;
  init: RequestInit;
}

/** A client whose server answers one after the other; an error is a connection that fails. */
function clientOf(responses: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (address, init = {}) => {
    sent.push({ address: address as string, init });
    const response = responses.shift() ?? Response.json({});
    if (response instanceof Error) throw response;
    return response;
  };
  const fabula = createClient({ url: 'https://fabula.example', key: 'fab_key', fetch, ...options });
  return { fabula, sent };
}

const busy = (status: number, wait?: number) =>
  Response.json(
    { errors: [{ message: 'Later' }] },
    { status, headers: wait === undefined ? {} : { 'Retry-After': String(wait) } },
  );
const outage = () => [busy(503, 0), busy(503, 0), busy(503, 0), busy(503, 0)];
const folder = (id: number, next_page: string | null, next_page_number: number | null) =>
  Response.json({ folders: [{ id }], meta: { next_page, next_page_number } });
const broken = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
/** Sends the beginning of each body and nothing more. Node 20 and 22 may forget the signal of a request then. */
const stalling =
  (type: string, start: string): typeof globalThis.fetch =>
  async () => {
    const body = new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(start)) });
    return new Response(body, { headers: { 'Content-Type': type } });
  };
const moved = () => new Response(null, { status: 302, headers: { Location: 'https://evil.example' } });
const headersOf = ({ init }: Sent) => new Headers(init.headers);

describe('methods of the client', () => {
  it('A19 clients: are grouped by nouns, and what has two names is there once', () => {
    const names = Object.keys(OPERATIONS);
    expect(names).toEqual(expect.arrayContaining(['stories.list', 'stories.runs.start', 'users.me']));
    expect(names.filter((name) => /agents|annotations|patch|Append$/.test(name))).toEqual([]);
    const places = Object.values(OPERATIONS).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it.each([undefined, null, '', '.', '..', {}])(
    'A19 clients: refuse %p as a value of the path by its name, and send nothing',
    async (id) => {
      const { fabula, sent } = clientOf([]);
      const error = await refused(fabula.stories.graph.get({ id: id as never }));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain('stories.graph.get: "id"');
      expect(sent).toEqual([]);
    },
  );

  it('A19 clients: walk through a list by the address of the next page, or by its number', async () => {
    const address = 'https://inside.example/api/v1/folders?per_page=2&before=9';
    const { fabula, sent } = clientOf([folder(1, address, 2), folder(2, null, 3), folder(3, null, null)]);
    const ids: number[] = [];
    for await (const { id } of fabula.folders.all({ per_page: 2 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(sent.map((one) => one.address)).toEqual([
      'https://fabula.example/api/v1/folders?per_page=2',
      'https://fabula.example/api/v1/folders?per_page=2&before=9',
      'https://fabula.example/api/v1/folders?per_page=2&page=3',
    ]);
  });
});

describe('options of a call', () => {
  it('A19 clients: send headers and the key of a request', async () => {
    const { fabula, sent } = clientOf([]);
    await fabula.cases.create(
      { name: 'One', team_id: 1 },
      { idempotencyKey: 'k-1', headers: { 'if-match': '"1"', accept: 'application/json' } },
    );
    const headers = headersOf(sent[0]!);
    expect(headers.get('idempotency-key')).toBe('k-1');
    expect(headers.get('if-match')).toBe('"1"');
    expect(headers.get('accept')).toBe('application/json');
    expect(headers.get('authorization')).toBe('Bearer fab_key');
  });

  it('A19 clients: end a call, and its wait for another try, by a signal', async () => {
    const stop = new AbortController();
    const { fabula, sent } = clientOf([busy(429, 60)]);
    const work = refused(fabula.users.me({}, { signal: stop.signal }));
    setImmediate(() => stop.abort(new Error('enough')));
    expect(await work).toMatchObject({ message: 'enough' });
    expect(sent).toHaveLength(1);
  });
});

describe('requests that are sent again', () => {
  it.each([429, 503])('A19 clients: are those that status %d put off, with the same key', async (status) => {
    const { fabula, sent } = clientOf([busy(status, 0), busy(status, 0)]);
    await fabula.cases.create({ name: 'One', team_id: 1 }, { idempotencyKey: 'k-1' });
    expect(sent.map((one) => headersOf(one).get('idempotency-key'))).toEqual(['k-1', 'k-1', 'k-1']);
  });

  it('A19 clients: are sent twice more at most, or as often as asked', async () => {
    const usual = clientOf(outage());
    expect(await refused(usual.fabula.users.me())).toMatchObject({ status: 503 });
    expect(usual.sent).toHaveLength(3);
    const never = clientOf(outage(), { maxRetries: 0 });
    expect(await refused(never.fabula.users.me())).toMatchObject({ status: 503 });
    expect(never.sent).toHaveLength(1);
    await refused(never.fabula.users.me({}, { maxRetries: 1 }));
    expect(never.sent).toHaveLength(3);
  });

  it('A19 clients: are none that the server puts off for more than a minute, and none it refused', async () => {
    const later = clientOf([busy(429, 61)]);
    expect(await refused(later.fabula.users.me())).toMatchObject({ status: 429, retryAfterSeconds: 61 });
    const wrong = clientOf([busy(422)]);
    expect(await refused(wrong.fabula.users.me())).toMatchObject({ status: 422 });
    expect([later.sent.length, wrong.sent.length]).toEqual([1, 1]);
  });

  it('A19 clients: are those that take effect once, after a failure of the connection', async () => {
    const body = { name: 'One', team_id: 1 };
    const read = clientOf([broken()]);
    await read.fabula.users.me();
    const keyed = clientOf([broken()]);
    await keyed.fabula.cases.create(body, { idempotencyKey: 'k-1' });
    const bare = clientOf([broken(), broken()]);
    expect(await refused(bare.fabula.cases.create(body))).toBeInstanceOf(FabulaConnectionError);
    expect([read.sent.length, keyed.sent.length, bare.sent.length]).toEqual([2, 2, 1]);
    // The server may lose its database behind the write.
    const late = clientOf([busy(503, 0)]);
    expect(await refused(late.fabula.cases.create(body))).toMatchObject({ status: 503 });
    const early = clientOf([busy(429, 0)]);
    await early.fabula.cases.create(body);
    expect([late.sent.length, early.sent.length]).toEqual([1, 2]);
  });
});

describe('a connection that fails', () => {
  it('A19 clients: is named, with method, address and cause, and without secrets', async () => {
    const { fabula } = clientOf([broken()], { url: 'https://me:secret@fabula.example', maxRetries: 0 });
    const error = await refused(fabula.stories.list({ search: 'private' }));
    expect(error).toBeInstanceOf(FabulaConnectionError);
    expect(error).toMatchObject({
      method: 'GET',
      address: 'https://fabula.example/api/v1/stories',
      message: 'GET https://fabula.example/api/v1/stories: connect ECONNREFUSED 127.0.0.1:1',
      cause: expect.any(TypeError),
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/fab_key|secret|private/);
  });

  it('A19 clients: is named when the response is that of a proxy, and when it breaks within a stream', async () => {
    const { fabula } = clientOf([new Response('<html>', { headers: { 'Content-Type': 'text/html' } })], {
      maxRetries: 0,
    });
    expect(await refused(fabula.users.me())).toMatchObject({
      name: 'FabulaConnectionError',
      message: 'GET https://fabula.example/api/v1/users/me: the answer is no JSON',
    });
    const cut = new ReadableStream({ pull: (controller) => controller.error(broken()) });
    const streams = clientOf([new Response(cut, { headers: { 'Content-Type': 'text/event-stream' } })]);
    const stream = await streams.fabula.stream.open();
    expect(await refused(stream.next())).toBeInstanceOf(FabulaConnectionError);
  });

  it('A19 clients: is told where a stream has the page of a proxy, and where errors have no text', async () => {
    const page = new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
    const { fabula } = clientOf([page], { maxRetries: 0 });
    expect(await refused(fabula.stream.open())).toMatchObject({
      message: 'GET https://fabula.example/api/v1/stream: the answer is no stream of events',
    });
    const odd = clientOf([Response.json({ errors: [null, 1, { message: 'No' }] }, { status: 400 })]);
    expect(await refused(odd.fabula.users.me())).toMatchObject({
      status: 400,
      problems: [{ message: 'No' }],
    });
  });

  it('A19 clients: is a refusal where the server leads elsewhere, and is not sent again', async () => {
    const { fabula, sent } = clientOf([moved(), moved()]);
    expect(await refused(fabula.users.me())).toMatchObject({
      name: 'FabulaError',
      status: 302,
      message: expect.stringContaining('which is not followed'),
    });
    expect(sent).toHaveLength(1);
  });

  it('A19 clients: is a time-out of its own kind, and is not sent again', async () => {
    const sent: string[] = [];
    const fetch: typeof globalThis.fetch = (address, init) => {
      sent.push(address as string);
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    };
    const fabula = createClient({ url: 'https://fabula.example', fetch });
    const error = await refused(fabula.users.me({}, { timeoutMs: 5 }));
    expect(error).toBeInstanceOf(FabulaTimeoutError);
    expect(error).toBeInstanceOf(FabulaConnectionError);
    expect(String(error)).toContain('no answer within 5 ms');
    expect(sent).toHaveLength(1);
  });
});

describe('a body that stalls', () => {
  it('A19 clients: ends by the time limit and by a signal', async () => {
    const fetch = stalling('application/json', '{"stories":[');
    const fabula = createClient({ url: 'https://fabula.example', maxRetries: 0, fetch });
    const stop = new AbortController();
    const late = refused(fabula.stories.list({}, { timeoutMs: 20 }));
    const stopped = refused(fabula.stories.list({}, { signal: stop.signal }));
    expect(await late).toBeInstanceOf(FabulaTimeoutError);
    stop.abort(new Error('enough'));
    expect(await stopped).toMatchObject({ message: 'enough' });
  });

  it('A19 clients: ends by a signal in a stream', async () => {
    const fetch = stalling('text/event-stream', 'event: resync\ndata: {}\n\n');
    const stop = new AbortController();
    const fabula = createClient({ url: 'https://fabula.example', fetch });
    const stream = await fabula.stream.open({}, { signal: stop.signal });
    expect(await stream.next()).toMatchObject({ value: { event: 'resync' } });
    const next = refused(stream.next());
    stop.abort(new Error('enough'));
    expect(await next).toMatchObject({ message: 'enough' });
  });
});

describe('the watch over a stream', () => {
  it('A19 clients: does not count while the reader works', async () => {
    const limit = createLimit(undefined, { eachMs: 20 });
    await limit.wait(Promise.resolve());
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await limit.wait(Promise.resolve('heard'))).toBe('heard');
    expect(limit.isOver()).toBe(false);
    await expect(limit.wait(new Promise(() => undefined))).rejects.toThrow('The time is over');
    expect(limit.isOver()).toBe(true);
  });

  it('A19 clients: has no time that a timer cannot take', async () => {
    const limit = createLimit(undefined, { totalMs: Number.POSITIVE_INFINITY });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(limit.isOver()).toBe(false);
    limit.end();
  });
});
