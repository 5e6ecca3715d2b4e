import { AgentError, PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { textOfBytes } from '../../src/platform/text/byte-text.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { type ContextOverrides, runType } from '../support/agent-context.js';
import { type HttpTarget, startHttpTarget, type TargetResponse } from '../support/http-target.js';

let target: HttpTarget;
let http: HttpClient;

beforeAll(async () => {
  target = await startHttpTarget();
  http = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 5000, maxResponseBytes: 100_000 });
});
afterAll(async () => {
  await http.close();
  await target.close();
});
beforeEach(() => {
  target.clear();
  target.on('/', { body: 'ok', headers: { 'content-type': 'text/plain' } });
});

const run = (options: JsonObject, overrides: ContextOverrides = {}) =>
  runType('HTTPRequest', { url: `${target.url}/`, ...options }, { http, ...overrides });

/** The request that these options lead to. */
async function sent(options: JsonObject) {
  await run(options);
  const request = target.requests[0];
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

/** The event that this response becomes. */
async function received(response: TargetResponse): Promise<JsonObject> {
  target.on('/', response);
  const { payloads } = await run({ log_error_on_status: [] });
  return payloads[0] as JsonObject;
}

describe('the body', () => {
  test.each<[string, JsonValue, string, string]>([
    ['json', { a: [1, null] }, '{"a":[1,null]}', 'application/json; charset=utf-8'],
    ['application_json', ['x'], '["x"]', 'application/json'],
    ['application/json', ['x'], '["x"]', 'application/json'],
    ['json; charset=utf-8', { a: 1 }, '{"a":1}', 'application/json; charset=utf-8'],
    ['json; charset=utf-16', { a: 1 }, '{"a":1}', 'application/json; charset=utf-16'],
    ['application/vnd.api+json', { a: 1 }, '{"a":1}', 'application/vnd.api+json'],
    ['json', '{"ready":true}', '{"ready":true}', 'application/json; charset=utf-8'],
    ['json', {}, '{}', 'application/json; charset=utf-8'],
    [
      'form',
      { a: 'x y', b: [1, 2], c: { d: true } },
      'a=x+y&b%5B%5D=1&b%5B%5D=2&c%5Bd%5D=true',
      'application/x-www-form-urlencoded',
    ],
    ['form', 'a=1&b=2', 'a=1&b=2', 'application/x-www-form-urlencoded'],
    ['text', 'hello', 'hello', 'text/plain'],
    ['text', { a: 1 }, '{"a":1}', 'text/plain'],
    ['text/csv', 'a,b', 'a,b', 'text/csv'],
    ['application/xml', '<a/>', '<a/>', 'application/xml'],
    [
      'xml',
      { a: { b: ['1', '2'], c: '<&>' } },
      '<?xml version="1.0" encoding="UTF-8"?><a><b>1</b><b>2</b><c>&lt;&amp;&gt;</c></a>',
      'text/xml; charset=utf-8',
    ],
  ])('of content type %s and %j is %s', async (contentType, payload, body, header) => {
    const request = await sent({ method: 'post', content_type: contentType, payload });
    expect([request.method, request.text, request.headers['content-type']]).toEqual(['POST', body, header]);
  });

  test('is JSON when nothing says otherwise; a header or the key content-type may', async () => {
    const payload = { a: '1' };
    const plain = await sent({ method: 'PUT', payload });
    expect([plain.text, plain.headers['content-type']]).toEqual(['{"a":"1"}', 'application/json']);
    target.clear();
    expect((await sent({ method: 'put', payload, 'content-type': 'form' })).text).toBe('a=1');
    target.clear();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const request = await sent({ method: 'put', payload, headers });
    expect([request.text, request.headers['content-type']]).toEqual(['a=1', headers['Content-Type']]);
  });

  test('is sent with DELETE and PATCH, and left out when there is no payload', async () => {
    expect((await sent({ method: 'Delete', payload: ['7'] })).text).toBe('["7"]');
    target.clear();
    const request = await sent({ method: 'post', content_type: 'json', payload: '' });
    expect([request.text, request.headers['content-type'], request.headers['content-length']]).toEqual([
      '',
      undefined,
      '0',
    ]);
  });

  test('of content type data is multipart, with files as text or base64', async () => {
    const payload = {
      'na"me': 'é',
      file: { filename: 'a.txt', contents: 'hello' },
      image: {
        filename: 'b.bin',
        base64encodedcontents: Buffer.from([0, 255]).toString('base64'),
        content_type: 'image/png',
      },
      tags: ['x', 'y'],
    };
    const request = await sent({ method: 'post', content_type: 'data', payload });
    const form = await new Response(request.body, {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const image = form.get('image') as File;
    expect(form.get('na"me')).toBe('é');
    expect(await (form.get('file') as File).text()).toBe('hello');
    expect([image.name, image.type, [...new Uint8Array(await image.arrayBuffer())]]).toEqual([
      'b.bin',
      'image/png',
      [0, 255],
    ]);
    expect(form.getAll('tags[]')).toEqual(['x', 'y']);
  });

  test('has the very bytes of a file that a template decoded', async () => {
    const bytes = Buffer.from([0x50, 0x4b, 0, 0xff, 0xc3, 0x28, 0x0a]);
    const request = await sent({
      method: 'post',
      content_type: 'application/zip',
      payload: textOfBytes(bytes),
    });
    expect(request.body).toEqual(bytes);
    target.clear();
    const payload = { file: { filename: 'a.zip', contents: textOfBytes(bytes) } };
    expect((await sent({ method: 'post', content_type: 'data', payload })).body.includes(bytes)).toBe(true);
  });

  test('is the same, byte for byte, in every attempt', async () => {
    const options = { method: 'post', content_type: 'data', payload: { a: 1 } };
    await run(options);
    await run(options, { attempt: 3 });
    expect(target.requests[0]?.body.equals(target.requests[1]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    [{ content_type: 'form', payload: [1] }, /payload: content type form needs an object/],
    [{ content_type: 'data', payload: [1] }, /payload: content type data needs an object/],
    [{ content_type: 'xml', payload: { 'a b': 1 } }, /"a b" cannot be the name/],
    [{ content_type: 'jsn', payload: {} }, /content_type/],
    [{ method: 'get', payload: [1] }, /a list cannot be sent with this method/],
    [{ method: 'trace' }, /method/],
    [{ url: 'ftp://example.com' }, /url/],
    [{ url: '' }, /url is required/],
    [{ headers: { 'bad name': 'x' } }, /headers: "bad name"/],
    [{ headers: { authorization: 'Bearer hush\nx: y' } }, /headers\.authorization: line ends/],
    [{ basic_auth: 'hush' }, /basic_auth/],
    [{ retry_on_status: ['4xx'] }, /retry_on_status: "4xx"/],
    [{ timeout: '9999' }, /timeout/],
  ])('and its request are impossible with %j, which is said without secrets', async (options, message) => {
    const error: unknown = await run({ method: 'post', ...options }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PermanentJobError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hush');
    expect(target.requests).toHaveLength(0);
  });
});

describe('the query', () => {
  test.each<[JsonObject, string]>([
    [{ payload: { a: 'x y', b: [1, 2], c: { d: '&' } } }, '/?a=x%20y&b%5B%5D=1&b%5B%5D=2&c%5Bd%5D=%26'],
    [{ payload: { ids: ['1', '2'] }, params_encoder: 'flat' }, '/?ids=1&ids=2'],
    [{ payload: { a: 1 }, content_type: 'application_json' }, '/?a=1'],
    [{ payload: { a: 1 }, content_type: 'form', method: 'head' }, '/?a=1'],
    [{ payload: 'a=1&b=2' }, '/?a=1&b=2'],
    [{ payload: {} }, '/'],
    [{ payload: [] }, '/'],
    [{ query_params: { page: '0', list: [1] } }, '/?page=0&list%5B%5D=1'],
    [{ query_params: { a: null, b: false } }, '/?a&b=false'],
  ])('of %j is %s', async (options, url) => {
    const request = await sent({ method: 'get', ...options });
    expect([request.url, request.text]).toEqual([url, '']);
  });

  test('is added to what the address has', async () => {
    const request = await sent({
      method: 'get',
      url: `${target.url}/?x=%20#part`,
      payload: { a: 1 },
      query_params: { b: 2 },
    });
    expect(request.url).toBe('/?x=%20&b=2&a=1');
  });
});

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('the headers', () => {
  test('hold those of the story, an idempotency key and a user agent', async () => {
    const request = await sent({
      headers: { 'X-One': 1, 'X-Two': ['a', 'b'], 'X-Empty': '', 'Content-Length': '5' },
      user_agent: 'Sandbox',
    });
    expect(request.headers).toMatchObject({
      'x-one': '1',
      'x-two': 'a, b',
      'idempotency-key': 'epoch-1-0',
      'user-agent': 'Sandbox',
    });
    expect(request.headers).not.toHaveProperty('x-empty');
    target.clear();
    expect((await sent({ headers: { 'Idempotency-Key': 'mine' } })).headers['idempotency-key']).toBe('mine');
  });

  test.each<[JsonObject, string]>([
    [{ basic_auth: ['user', 'pa:ss'] }, basic('user:pa:ss')],
    [{ basic_auth: 'user:pass' }, basic('user:pass')],
    [{ basic_auth: '["user","pass"]' }, basic('user:pass')],
    [{ basic_auth: ['user', 'pass'], headers: { Authorization: 'Bearer x' } }, 'Bearer x'],
  ])('for %j authorise with %s', async (options, authorization) => {
    expect((await sent(options)).headers.authorization).toBe(authorization);
  });

  test('take a user and password out of the address', async () => {
    const request = await sent({ url: target.url.replace('://', '://us%40er:p%2Fw@') });
    expect(request.headers.authorization).toBe(basic('us@er:p/w'));
  });
});

const type = (contentType: string) => ({ 'content-type': contentType });

describe('the event', () => {
  test.each<[string, TargetResponse, JsonObject]>([
    ['JSON', { body: { a: [1] } }, { status: 200, body: { a: [1] } }],
    ['JSON null', { body: 'null', headers: type('application/json') }, { body: null }],
    ['JSON that is broken', { body: '{"a":', headers: type('application/json') }, { body: '{"a":' }],
    [
      'JSON that is too deep',
      { body: '['.repeat(5000) + ']'.repeat(5000), headers: type('application/json') },
      { body: '['.repeat(5000) + ']'.repeat(5000) },
    ],
    ['JSON labelled as text', { body: '{"a":1}', headers: type('text/plain') }, { body: { a: 1 } }],
    [
      'JSON of a family',
      { body: '{"a":1}', headers: type('application/problem+json; charset=utf-8') },
      { body: { a: 1 } },
    ],
    ['text', { status: 404, body: 'nope', headers: type('text/plain') }, { status: 404, body: 'nope' }],
    ['a number as text', { body: '12', headers: type('text/plain') }, { body: '12' }],
    ['nothing', { status: 204 }, { status: 204, body: '' }],
    [
      'XML',
      { body: '<?xml version="1.0"?><r id="7"><i>0012</i><i>b</i></r>', headers: type('text/xml') },
      { body: { r: { id: '7', i: ['0012', 'b'] } } },
    ],
    ['XML that is broken', { body: '<a><b></a>', headers: type('application/xml') }, { body: '<a><b></a>' }],
    ['HTML', { body: '<p>x</p>', headers: type('text/html') }, { body: '<p>x</p>' }],
    [
      'Latin-1',
      { body: Buffer.from([0xe9]), headers: type('text/plain; charset=ISO-8859-1') },
      { body: 'é' },
    ],
    [
      'an image',
      { body: Buffer.from([1, 2]), headers: type('image/png') },
      { body: 'AQI=', encoding: 'base64' },
    ],
    ['bytes of no known type', { body: Buffer.from([0xff, 0x00]) }, { body: '/wA=', encoding: 'base64' }],
    ['text of no known type', { body: 'plain é' }, { body: 'plain é' }],
    ['an error', { status: 500, body: { error: 1 } }, { status: 500, body: { error: 1 } }],
  ])('for %s', async (_name, response, event) => {
    expect(await received(response)).toMatchObject(event);
  });

  test('has headers in lower case', async () => {
    expect(await received({ headers: { 'X-Mixed': 'V' }, body: 'x' })).toMatchObject({
      headers: { 'x-mixed': 'V' },
    });
  });

  test('has status 0 and the reason when there is no response', async () => {
    target.on('/', { hang: true });
    const { payloads, logs } = await run({ timeout: '0.2' });
    expect(payloads).toEqual([
      { status: 0, headers: {}, body: `127.0.0.1:${target.port}: there was no response in time` },
    ]);
    expect(logs[0]?.level).toBe('error');
  });
});

const answered = (status: number, options: JsonObject, overrides: ContextOverrides = {}) => {
  target.on('/', { status, headers: { 'retry-after': '7' }, body: 'x' });
  return run(options, overrides);
};

describe('statuses', () => {
  test.each<[number, JsonObject, boolean]>([
    [404, {}, true],
    [200, {}, false],
    [404, { log_error_on_status: [] }, false],
    [404, { log_error_on_status: ['400-403', '405-500'] }, false],
    [404, { log_error_on_status: '400-499' }, true],
    [500, { log_error_on_status: ['400-499', 500] }, true],
  ])('%i with %j is logged as an error: %j', async (status, options, logged) => {
    const { logs, payloads } = await answered(status, options);
    expect(logs.map(({ level }) => level)).toEqual(logged ? ['error'] : []);
    expect(payloads).toHaveLength(1);
  });

  test('in retry_on_status are tried again, after the time the server asks for', async () => {
    const error: unknown = await answered(429, { retry_on_status: ['429'] }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(PermanentJobError);
    expect(error).toMatchObject({ retryAfterMs: 7000, message: `127.0.0.1:${target.port} answered 429` });
  });

  test('L6: are tried again as often as retries of the action says, at most 25 times', async () => {
    const options = { retry_on_status: ['429'], retries: '2' };
    const attempt = (number: number) => answered(429, options, { attempt: number, maxAttempts: 1 });
    for (const number of [0, 1])
      expect(await attempt(number).catch((error: unknown) => error)).toMatchObject({ maxAttempts: 3 });
    expect((await attempt(2)).payloads[0]).toMatchObject({ status: 429 });
    const never = { ...options, retries: 0 };
    expect((await answered(429, never, { attempt: 0, maxAttempts: 10 })).payloads).toHaveLength(1);
    await expect(answered(429, { ...options, retries: 26 })).rejects.toThrow(/retries must be less than/);
  });

  test('in retry_on_status become the event in the last attempt', async () => {
    const { payloads } = await answered(429, { retry_on_status: ['429'] }, { attempt: 9, maxAttempts: 10 });
    expect(payloads).toMatchObject([{ status: 429, body: 'x' }]);
  });

  test('of no response are tried again for status 0', async () => {
    target.on('/', { reset: true });
    await expect(run({ retry_on_status: ['0', '400-499', '500'] })).rejects.toThrow(
      /the connection was (closed|reset)/,
    );
  });

  test('fail the action with fail_on_status: at once when the request is wrong, else after the last attempt', async () => {
    await expect(answered(400, { fail_on_status: 'true' })).rejects.toBeInstanceOf(PermanentJobError);
    await expect(answered(404, { fail_on_status: 'true' })).rejects.not.toBeInstanceOf(PermanentJobError);
    await expect(answered(404, { fail_on_status: true }, { attempt: 9 })).rejects.toBeInstanceOf(
      PermanentJobError,
    );
    expect((await answered(400, { fail_on_status: ['500-599'] })).payloads).toHaveLength(1);
    expect((await answered(500, { fail_on_status: 'false' })).payloads).toHaveLength(1);
  });

  test('of a failure give an event, or none, as emit_failure_event says', async () => {
    const failing = { fail_on_status: 'true' };
    expect((await answered(400, { ...failing, emit_failure_event: 'true' })).payloads).toMatchObject([
      { status: 400 },
    ]);
    expect((await answered(400, { ...failing, emit_failure_event: false })).payloads).toEqual([]);
    expect((await answered(400, { emit_failure_event: false })).payloads).toHaveLength(1);
    target.on('/', { reset: true });
    expect((await run({ emit_failure_event: false })).payloads).toEqual([]);
  });

  test('of redirects are the answer with disable_redirect_follow', async () => {
    target.on('/', { redirect: '/elsewhere' });
    expect((await run({ disable_redirect_follow: 'true' })).payloads).toMatchObject([{ status: 302 }]);
  });

  test('count for nothing when the process stops: the request is made again', async () => {
    await expect(run({}, { signal: () => AbortSignal.abort() })).rejects.toBeInstanceOf(AgentError);
  });
});
