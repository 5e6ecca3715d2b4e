import { httpRequestAgent } from '../../src/agents/http-request/http-request-agent.js';
import { anyAgent, runAgent } from '../../src/agents/options/options.js';
import { createRequestSender } from '../../src/engine/secrets/secret-senders.js';
import type { SentRequest } from '../../src/engine/state/events/sent-request.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { HttpRequest, HttpResponse, NoResponse } from '../../src/platform/outbound/http-exchange.js';
import { agentContext } from '../support/agent-context.js';
import { openedFor } from '../support/opened.js';
import { leaksOf } from '../support/secrets.js';

/** With what URLs, JSON and base64 write otherwise. */
const TOKEN = 'Tok/en+with "odd" & Ünusual';
const HOST = 'secret-tenant.example';
const HOOK = 'https://hooks.example/services/T0123/B4567';
const { signer, reference } = openedFor({});
const token = reference('token');
const host = reference('host');
const hook = reference('hook');
const deferred = (name: string, ...values: JsonValue[]) =>
  signer.sign({ team: 1, credential: 'token', call: { name, values } });

interface Given {
  response?: HttpResponse | NoResponse;
  /** Whether the options may hold references. */
  tainted?: boolean;
}

/** Runs an HTTP action as the engine does; returns what it sends and what is kept of it. */
async function send(options: JsonObject, { response, tainted = true }: Given = {}) {
  const received: HttpRequest[] = [];
  const http = {
    request: (request: HttpRequest) => {
      received.push(request);
      request.checkHop?.(new URL(request.url), { bare: false });
      return Promise.resolve(
        response ?? { answered: true as const, status: 200, headers: {}, body: Buffer.from('{}') },
      );
    },
    close: () => Promise.resolve(),
  };
  const requests: { last: string | undefined } = { last: undefined };
  const { secrets } = openedFor({ token: TOKEN, host: HOST, hook: HOOK });
  const { context, logs } = agentContext();
  const sender = createRequestSender(http, tainted ? secrets : undefined, requests);
  const all = { url: 'https://api.example/things', ...options };
  const result = await runAgent(anyAgent(httpRequestAgent), all, { ...context, http: sender });
  const outputs = 'outputs' in result ? result.outputs : [];
  const text = requests.last;
  return { received, text, outputs, logs, kept: JSON.parse(text ?? 'null') as SentRequest };
}

/** All that a request holds, as text. */
const textOf = ({ url, headers, body }: HttpRequest) =>
  [url, decodeURIComponent(url), JSON.stringify(headers), body?.toString()].join('\n');

const PLACES: [string, JsonObject][] = [
  ['the path', { url: `https://api.example/${deferred('url_encode', token)}/x`, method: 'get' }],
  ['the host', { url: `https://${host}/x`, method: 'get' }],
  ['the whole address', { url: hook, payload: { text: 'Hello' } }],
  ['the query of the address', { url: `https://api.example/?key=${deferred('url_encode', token)}` }],
  ['query_params', { query_params: { key: token, also: deferred('base64_encode', token) } }],
  ['the payload of a GET', { method: 'get', payload: { key: token } }],
  ['a header', { headers: { 'X-Key': deferred('base64_encode', token) } }],
  ['the authorization', { headers: { Authorization: `Bearer ${deferred('base64_encode', token)}` } }],
  ['a user and a password', { basic_auth: ['me', token] }],
  ['a text with both', { basic_auth: `me:${token}` }],
  ['the address before the host', { url: `https://me:${deferred('url_encode', token)}@api.example/` }],
  ['Digest authentication', { digest_auth: ['me', token] }],
  ['a JSON body', { payload: { key: token, list: [deferred('base64_encode', token)] } }],
  ['JSON in JSON', { payload: `{"in":"{\\"key\\":\\"${token}\\"}"}` }],
  ['a form', { content_type: 'form', payload: { key: token } }],
  ['a multipart form', { content_type: 'data', payload: { key: token } }],
  ['XML', { content_type: 'xml', payload: { root: { key: token } } }],
  ['a text', { content_type: 'text', payload: `key ${token}, ${deferred('sha256', token)}` }],
  ['a key of the payload', { payload: { [token]: 1 } }],
];

describe('a credential', () => {
  it.each(PLACES)('in %s is sent, and not kept', async (_what, options) => {
    const { received, text, outputs } = await send(options);
    expect(textOf(received[0]!)).not.toContain('fabula-secret');
    expect(text).toBeDefined();
    expect([TOKEN, HOST, HOOK].flatMap((secret) => leaksOf(secret, text!))).toEqual([]);
    expect(decodeURIComponent(text!)).not.toContain('fabula-secret');
    expect(outputs).toMatchObject([{ request: text }]);
  });

  it('has a marker where it stood', async () => {
    const { kept } = await send({
      url: `https://api.example/?key=${token}`,
      headers: { authorization: `Bearer ${token}`, 'x-key': `a ${token} b` },
      payload: { key: deferred('base64_encode', token) },
    });
    expect(kept).toEqual({
      sent_at: expect.stringMatching(/^\d{4}-.*Z$/),
      method: 'POST',
      url: 'https://api.example/?key=[credential%20token]',
      headers: {
        authorization: 'Bearer [credential token]',
        'idempotency-key': 'epoch-1-0',
        'x-key': 'a [credential token] b',
        'content-type': 'application/json',
      },
      body: '{"key":"[credential token]"}',
      body_bytes: 28,
      body_left_out: null,
      truncated: [],
    });
  });

  it('that is the address shows its name, with the query that the action adds', async () => {
    const { kept } = await send({ url: hook, method: 'get', query_params: { a: 'b c' } });
    expect(kept.url).toBe('[credential hook]?a=b%20c');
  });

  it('in an address that is none without it hides a password beside it', async () => {
    const { kept } = await send({ url: `https://me:pass@${host}/x` });
    expect(kept).toMatchObject({ url: '[hidden]', headers: { authorization: '[hidden]' } });
  });

  it.each([
    ['basic_auth', { basic_auth: ['me', 'literal-pass'] }],
    ['the address', { url: 'https://me:literal-pass@api.example/' }],
    ['a header', { headers: { authorization: 'Bearer literal-pass' } }],
  ])('authorization from %s is hidden as a whole', async (_what, options) => {
    for (const tainted of [true, false]) {
      const { kept, text } = await send(options, { tainted });
      expect(kept.headers['authorization']).toBe('[hidden]');
      expect(leaksOf('literal-pass', text!)).toEqual([]);
    }
  });

  it('where a request cannot have a marker leaves nothing to be kept', async () => {
    const { received, text, outputs } = await send({ headers: { [reference('host')]: 'x' } });
    expect(received).toHaveLength(1);
    expect(text).toBeUndefined();
    expect(outputs[0]).not.toHaveProperty('request');
  });

  it('written out in the story is redacted, also where the text is cut', async () => {
    const payload = `${'x'.repeat(8 * 1024 - 5)}${TOKEN}`;
    const { text, kept } = await send({ content_type: 'text', payload, headers: { 'x-key': token } });
    expect(kept.truncated).toEqual(['body']);
    expect(leaksOf(TOKEN, text!)).toEqual([]);
    expect(kept.body).toMatch(/x\[cre/);
  });

  it('beside a large body leaves the body out, which is not built again', async () => {
    const payload = { text: 'y'.repeat(300_000) };
    const { received, kept } = await send({ payload, headers: { 'x-key': token } });
    expect(received[0]!.body!.length).toBeGreaterThan(300_000);
    expect(kept).toMatchObject({ body: null, body_bytes: null, body_left_out: 'large' });
  });

  it('logs no line twice', async () => {
    const { logs } = await send({ headers: { host: 'elsewhere.example', 'x-key': token } });
    expect(logs).toHaveLength(1);
  });
});

const plain = (options: JsonObject, given: Given = {}) => send(options, { tainted: false, ...given });

describe('a request without credentials', () => {
  it('is kept as it is sent', async () => {
    const { received, kept } = await plain({
      query_params: { a: ['1', 'ü'] },
      headers: { 'X-Name': 'Zoë' },
      payload: { text: 'Grüße' },
    });
    const [{ url, headers, body }] = received as [HttpRequest];
    expect(kept).toMatchObject({ method: 'POST', url, body: body!.toString(), body_bytes: body!.length });
    expect(kept.headers).toEqual({ ...headers, 'x-name': 'Zoë' });
  });

  it('without a body says so', async () => {
    const { kept } = await plain({ method: 'get' });
    expect(kept).toMatchObject({ method: 'GET', body: null, body_bytes: 0, body_left_out: null });
  });

  it('has the first 8 KiB of a long text, and no half character', async () => {
    const { kept } = await plain({ content_type: 'text', payload: `x${'ü'.repeat(10_000)}` });
    expect(kept.body).toBe(`x${'ü'.repeat(4095)}`);
    expect(kept).toMatchObject({ body_bytes: 20_001, truncated: ['body'], body_left_out: null });
  });

  it('of bytes that are no text has their number', async () => {
    const payload = {
      file: { filename: 'a.bin', base64encodedcontents: Buffer.from([0, 1, 255]).toString('base64') },
    };
    const { received, kept } = await plain({ content_type: 'data', payload });
    expect(kept).toMatchObject({
      body: null,
      body_left_out: 'binary',
      body_bytes: received[0]!.body!.length,
    });
  });

  it('is bounded in its address and headers, too', async () => {
    const headers = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x-${at}`, 'h'.repeat(1_000)]));
    const { kept, text } = await plain({ url: `https://api.example/${'p'.repeat(20_000)}`, headers });
    expect(kept.truncated).toEqual(['url', 'headers']);
    expect(kept.url).toHaveLength(8 * 1024);
    expect(Object.keys(kept.headers).length).toBeLessThan(12);
    expect(text!.length).toBeLessThan(20_000);
  });

  it('that gets no response is kept; one that the operator forbids was not sent', async () => {
    const none: NoResponse = { answered: false, reason: 'no answer', interrupted: false };
    expect((await plain({}, { response: none })).outputs).toMatchObject([{ request: expect.any(String) }]);
    const { text, outputs } = await plain({}, { response: { ...none, forbidden: true } });
    expect(text).toBeUndefined();
    expect(outputs[0]).not.toHaveProperty('request');
  });
});

it('nothing is kept without a place for it', async () => {
  const { context } = agentContext({
    http: {
      request: () =>
        Promise.resolve({ answered: true as const, status: 200, headers: {}, body: Buffer.from('{}') }),
    },
  });
  const result = await runAgent(anyAgent(httpRequestAgent), { url: 'https://api.example/' }, context);
  expect('outputs' in result && result.outputs[0]).not.toHaveProperty('request');
});
