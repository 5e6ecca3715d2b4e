import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { PayloadTooLarge, Unavailable } from '../../src/platform/errors.js';
import type { JsonObject } from '../../src/platform/json.js';
import { call, postJson } from '../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooks, type TestWebhooksOptions } from '../support/webhooks.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const open: TestWebhooks[] = [];

const start = async (options: TestWebhooksOptions = {}) => {
  const webhooks = await startWebhooks(options);
  open.push(webhooks);
  return webhooks;
};

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

const basic = (credential: string) => ({ authorization: `Basic ${credential}` });
const base64 = (text: string) => Buffer.from(text).toString('base64');

const headersOf = (url: string, length: number) => ({
  'content-type': 'application/json',
  'x-custom': 'One',
  host: new URL(url).host,
  connection: 'close',
  'content-length': String(length),
});

/** Sends `head`, then `chunk` for as long as the server takes it; gives all that came back. */
const talk = (url: string, head: string, chunk?: string) =>
  new Promise<string>((resolve) => {
    const { port } = new URL(url);
    const socket = net.connect(Number(port), '127.0.0.1');
    let received = '';
    const push = () => {
      if (chunk === undefined || socket.destroyed) return;
      if (socket.write(chunk)) setImmediate(push);
      else socket.once('drain', push);
    };
    socket.on('data', (data) => (received += data.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(head, push);
  });
const head = (headers: string) => `POST ${HOOK} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

describe('addresses', () => {
  test.each([
    ['an unknown path', '/webhook/nowhere/secret', {}],
    ['no path', '/webhook', {}],
    ['a longer path', `${HOOK}/more`, {}],
    ['an empty path', '/webhook//secret', {}],
    ['a disabled story', HOOK, { story: { disabled: true } }],
    ['a disabled agent', HOOK, { agent: { disabled: true } }],
  ] as [string, string, TestWebhooksOptions][])(
    '%s answers 404 as plain text',
    async (_name, path, options) => {
      const { url, started } = await start(options);
      const response = await postJson(url + path, {});
      expect(response).toMatchObject({ status: 404, text: 'Webhook not found' });
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(started).toEqual([]);
    },
  );

  test('a trailing slash makes no difference', async () => {
    const { url } = await start();
    expect((await postJson(`${url}${HOOK}/`, {})).status).toBe(201);
  });

  test('an unknown path is a 503 while it cannot be looked up', async () => {
    const graphs = { findWebhook: () => Promise.reject(new Unavailable('database down')) };
    const { url } = await start({ deps: { graphs } });
    const response = await call(`${url}${HOOK}`);
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
  });
});

describe('verbs', () => {
  test.each([
    [undefined, 'GET', 201],
    [undefined, 'POST', 201],
    [undefined, 'PUT', 405],
    ['', 'POST', 201],
    ['post', 'GET', 405],
    ['GET, Put;patch delete', 'DELETE', 201],
    ['GET, Put;patch delete', 'PATCH', 201],
    ['get,head,options', 'HEAD', 201],
    ['get,head,options', 'OPTIONS', 201],
  ])('verbs %p: %s answers %d', async (verbs, method, status) => {
    const { url, started } = await start({ options: verbs === undefined ? {} : { verbs } });
    const response = await call(`${url}${HOOK}`, { method });
    expect(response.status).toBe(status);
    expect(started).toHaveLength(status === 201 ? 1 : 0);
  });

  test('a refused verb is told the allowed ones, also without the secret', async () => {
    const { url } = await start({ options: { verbs: 'post,put,head' } });
    const response = await call(`${url}/webhook/hook/wrong`);
    expect(response).toMatchObject({ status: 405, text: 'Method not allowed' });
    expect(response.headers.allow).toBe('POST, PUT, HEAD');
  });
});

describe('secret in the URL and Basic', () => {
  test.each([
    ['the raw secret', basic(SECRET)],
    ['base64 of the secret', basic(base64(SECRET))],
    ['base64 of user:secret', basic(base64(`user:${SECRET}`))],
    ['base64 of :secret', basic(base64(`:${SECRET}`))],
    ['another letter case of the scheme', { authorization: `bAsIC  ${base64(SECRET)}` }],
  ])('%s is let in and the header not recorded', async (_name, headers) => {
    const { url, started } = await start();
    expect((await postJson(`${url}/webhook/hook`, {}, headers)).status).toBe(201);
    expect((started[0]!.payload as JsonObject)['headers']).not.toHaveProperty('authorization');
  });

  test.each([
    ['no secret', '/webhook/hook', {}],
    ['a wrong secret', '/webhook/hook/wrong', {}],
    ['a longer secret', `${HOOK}x`, {}],
    ['a wrong secret in the URL beside a right header', '/webhook/hook/wrong', basic(SECRET)],
    ['a wrong Basic credential', '/webhook/hook', basic('wrong')],
    ['user:wrong', '/webhook/hook', basic(base64('user:wrong'))],
    ['secret:password', '/webhook/hook', basic(base64(`${SECRET}:x`))],
    ['an empty credential', '/webhook/hook', { authorization: 'Basic' }],
    ['another scheme', '/webhook/hook', { authorization: `Bearer ${SECRET}` }],
    ['a malformed signature', '/webhook/hook', { 'x-service-signature': 'ts=1' }],
  ])('%s answers 401 and emits nothing', async (_name, path, headers) => {
    const { url, started } = await start();
    const response = await postJson(url + path, { a: 1 }, headers);
    expect(response).toMatchObject({ status: 401, text: 'Unauthorized' });
    expect(response.headers['www-authenticate']).toBe('Basic realm="webhook"');
    expect(started).toEqual([]);
  });

  test.each([[''], [null]])('a webhook whose secret is %p lets nobody in', async (secret) => {
    const { url, started } = await start({ options: { secret } });
    expect((await postJson(`${url}/webhook/hook`, {}, basic(''))).status).toBe(401);
    expect((await postJson(`${url}/webhook/hook`, {}, basic(base64(':')))).status).toBe(401);
    expect(started).toEqual([]);
  });

  test('an authorization header of the caller’s own is recorded where keep_headers names it', async () => {
    const { url, started } = await start({ options: { keep_headers: 'authorization' } });
    await postJson(`${url}${HOOK}`, {}, { authorization: 'Bearer other' });
    expect(started[0]?.payload).toMatchObject({ headers: { authorization: 'Bearer other' } });
  });

  test('the secret is not recorded under another scheme either', async () => {
    const { url, started } = await start();
    await postJson(`${url}${HOOK}`, {}, { authorization: `Bearer ${SECRET}` });
    expect(JSON.stringify(started[0]?.payload)).not.toContain(SECRET);
  });
});

describe('events', () => {
  const sent = { 'Content-Type': 'application/json', 'X-Custom': 'One' };
  test.each<[string, JsonObject, number, string, string, JsonObject]>([
    ['an object', {}, 3, '', '{"a":1}', { body: { a: 1 } }],
    [
      'an object, headers asked for as text',
      { include_headers: 'true' },
      1,
      '',
      '{"a":1}',
      { body: { a: 1 } },
    ],
    ['an object and a query', {}, 3, '?b=2&a=0&c[]=3', '{"a":1}', { body: { b: '2', a: 1, c: ['3'] } }],
    ['a list and a query', {}, 3, '?b=2', '[1]', { body: [1], query: { b: '2' } }],
    ['a scalar', {}, 3, '', '"x"', { body: 'x' }],
    ['white space', {}, 3, '?b=2', ' ', { body: { b: '2' } }],
    ['null', {}, 3, '', 'null', { body: null }],
  ])('with headers, from %s', async (_name, options, ...[schemaVersion, query, body, expected]) => {
    const { url, started } = await start({ options, story: { schemaVersion } });
    expect((await call(`${url}${HOOK}${query}`, { headers: sent, body })).status).toBe(201);
    expect(started[0]?.payload).toEqual({ headers: headersOf(url, body.length), ...expected });
  });

  test.each<[string, JsonObject, number, string, string, JsonObject]>([
    ['an object', { include_headers: 'false' }, 3, '', '{"a":1}', { a: 1 }],
    ['an object in a story of schema 1', {}, 1, '', '{"a":1}', { a: 1 }],
    ['an object in a story of schema 2', {}, 2, '?b=2', '{"a":1}', { b: '2', a: 1 }],
    ['a list', { include_headers: false }, 3, '', '[1]', { body: [1] }],
    ['a list and a query', { include_headers: false }, 3, '?b=2', '[1]', { body: [1], query: { b: '2' } }],
    ['nothing', { include_headers: false }, 3, '', ' ', {}],
  ])('without headers, from %s', async (_name, options, ...[schemaVersion, query, body, expected]) => {
    const { url, started } = await start({ options, story: { schemaVersion } });
    await call(`${url}${HOOK}${query}`, { headers: sent, body });
    expect(started[0]?.payload).toEqual(expected);
  });

  test('keys keep their order', async () => {
    const { url, started } = await start({ options: { include_headers: 'false' } });
    await call(`${url}${HOOK}`, { headers: sent, body: '{"z":1,"a":{"y":1,"b":2}}' });
    expect(JSON.stringify(started[0]?.payload)).toBe('{"z":1,"a":{"y":1,"b":2}}');
  });

  test('a GET gives its query as body', async () => {
    const { url, started } = await start();
    await call(`${url}${HOOK}?validationToken=x%20y`);
    expect(started[0]?.payload).toEqual({
      headers: { host: new URL(url).host, connection: 'close' },
      body: { validationToken: 'x y' },
    });
  });

  test('bytes that are not text are marked as base64', async () => {
    const { url, started } = await start({ options: { include_headers: 'false' } });
    await call(`${url}${HOOK}`, { body: Buffer.from([255, 0]), headers: { 'Content-Type': 'image/png' } });
    expect(started[0]?.payload).toEqual({ body: '/wA=', encoding: 'base64' });
  });

  test('a compressed body is unpacked', async () => {
    const { url, started } = await start({ options: { include_headers: 'false' } });
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    await call(`${url}${HOOK}`, { body: gzipSync('{"a":1}'), headers });
    expect(started[0]?.payload).toEqual({ a: 1 });
  });

  test('the run bears the guid that the caller is told', async () => {
    const { url, started } = await start();
    const response = await postJson(`${url}${HOOK}`, {});
    expect(started).toHaveLength(1);
    expect(started[0]).toMatchObject({
      source: 'webhook',
      awaited: false,
      agent: { id: 7 },
      story: { id: 3 },
    });
    expect(response.headers['x-service-story-run']).toBe(started[0]?.guid);
  });
});

describe('what is not taken', () => {
  test.each([
    ['broken JSON', 'application/json', '{"a":', 400],
    ['bad multipart', 'multipart/form-data', 'x', 400],
    ['a body over the limit', 'text/plain', 'x'.repeat(3000), 413],
  ])('%s: no event and a reason', async (_name, type, body, status) => {
    const { url, started } = await start({ config: { bodyLimitBytes: 2048 } });
    const response = await call(`${url}${HOOK}`, { body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(status);
    expect(response.text).toContain('body');
    expect(response.headers['x-service-story-run']).toBeUndefined();
    expect(started).toEqual([]);
  });

  test('a gzip bomb is a 413', async () => {
    const { url, started } = await start({ config: { bodyLimitBytes: 20_000 } });
    const headers = { 'Content-Encoding': 'gzip' };
    const response = await call(`${url}${HOOK}`, { body: gzipSync(Buffer.alloc(10_000_000)), headers });
    expect(response.status).toBe(413);
    expect(started).toEqual([]);
  });

  test('an unknown content encoding is a 415', async () => {
    const { url } = await start();
    const response = await call(`${url}${HOOK}`, { body: 'x', headers: { 'Content-Encoding': 'zstd' } });
    expect(response.status).toBe(415);
  });

  test.each([
    ['the store is down', new Unavailable('down', { retryAfterSeconds: 9 }), 503, '9'],
    ['the event is too large for the store', new PayloadTooLarge('too large'), 413, undefined],
    ['the driver lost its connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503, '5'],
  ])('%s', async (_name, error, status, retryAfter) => {
    const { url } = await start({ deps: { runs: { start: () => Promise.reject(error) } } });
    const response = await postJson(`${url}${HOOK}`, {});
    expect(response.status).toBe(status);
    expect(response.headers['retry-after']).toBe(retryAfter);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.headers['x-service-story-run']).toBeUndefined();
  });

  test('a fault of ours is a bare 500', async () => {
    const { url } = await start({
      deps: { runs: { start: () => Promise.reject(new Error('secret detail')) } },
    });
    expect(await postJson(`${url}${HOOK}`, {})).toMatchObject({ status: 500, text: 'Internal error' });
  });
});

describe('callers that misbehave', () => {
  test('an endless body is answered 413 while it is still coming, and cut off', async () => {
    const { url, started } = await start({ config: { bodyLimitBytes: 100_000 } });
    const chunk = `${(16384).toString(16)}\r\n${'x'.repeat(16384)}\r\n`;
    expect(await talk(url, head('Transfer-Encoding: chunked'), chunk)).toMatch(/^HTTP\/1.1 413 /);
    expect(started).toEqual([]);
  });

  test('a body that does not arrive is answered 408 and cut off', async () => {
    const { url, started } = await start({ deps: { bodyTimeoutMs: 100 } });
    expect(await talk(url, `${head('Content-Length: 10')}abc`)).toMatch(/^HTTP\/1.1 408 /);
    expect(started).toEqual([]);
  });

  test('a caller that hangs up half way emits nothing and does no harm', async () => {
    const { url, started } = await start();
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(`${head('Content-Length: 10')}abc`, () => resolve()));
    socket.resetAndDestroy();
    expect((await postJson(`${url}${HOOK}`, {})).status).toBe(201);
    expect(started).toHaveLength(1);
  });

  test('one connection serves several calls', async () => {
    const { url, started } = await start();
    const request = `${head('Content-Length: 2\r\nContent-Type: text/plain')}hi`;
    const last = `${head('Content-Length: 2\r\nConnection: close')}ho`;
    const received = await talk(url, request + request + last);
    expect(received.match(/HTTP\/1.1 201 /g)).toHaveLength(3);
    expect(started).toHaveLength(3);
  });
});
