import { setMaxListeners } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient, HttpRequest } from '../../../src/platform/outbound/http-exchange.js';
import { createNameLookup } from '../../../src/platform/outbound/addresses/name-lookup.js';
import { runType } from '../../support/agent-context.js';
import { startDnsServer } from '../../support/dns-server.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';

/** Far more than the time-outs of these tests, and far less than what they would wait for in vain. */
const SOON_MS = 9000;
const CONNECTIONS = 4;

let target: HttpTarget;
let other: HttpTarget;
let client: HttpClient;
let end: AbortController;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/hang': { hang: true }, '/quick': { body: 'ok' } } });
  other = await startHttpTarget({ rules: { '/quick': { body: 'ok' } } });
  client = createHttpClient({
    allow: ['127.0.0.0/8'],
    timeoutMs: 300_000,
    maxResponseBytes: 1000,
    connectionsPerOrigin: CONNECTIONS,
  });
  end = new AbortController();
  // A thousand requests wait for it; Node takes more than ten listeners for a leak.
  setMaxListeners(0, end.signal);
});

afterEach(async () => {
  end.abort();
  await client.close();
  await target.close();
  await other.close();
});

const get = (url: string, more: Partial<HttpRequest> = {}) =>
  client.request({ url, method: 'GET', headers: {}, ...more });
const hang = (count: number, more: Partial<HttpRequest> = {}) =>
  Array.from({ length: count }, () => get(`${target.url}/hang`, { signal: end.signal, ...more }));

/** The result of a request, and its duration. */
async function timed<T>(request: Promise<T>): Promise<{ response: T; tookMs: number }> {
  const started = performance.now();
  const response = await request;
  return { response, tookMs: performance.now() - started };
}

test('a request that waits for a connection ends in its time, and says what it waited for', async () => {
  const pending = hang(CONNECTIONS);
  await target.waitForRequests(CONNECTIONS);
  const { response, tookMs } = await timed(get(`${target.url}/quick`, { timeoutMs: 500 }));
  expect(response).toMatchObject({
    answered: false,
    interrupted: false,
    reason: `127.0.0.1:${target.port}: the request timed out waiting for a free connection`,
  });
  expect(tookMs).toBeGreaterThan(400);
  expect(tookMs).toBeLessThan(SOON_MS);
  end.abort();
  await Promise.all(pending);
});

test('the same holds for the default number of connections', async () => {
  const plain = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 300_000, maxResponseBytes: 1000 });
  const request = { url: `${target.url}/hang`, method: 'GET', headers: {} };
  const pending = Array.from({ length: 150 }, () => plain.request({ ...request, signal: end.signal }));
  const { response, tookMs } = await timed(plain.request({ ...request, timeoutMs: 500 }));
  expect(response).toMatchObject({ answered: false, reason: expect.stringContaining('timed out waiting') });
  expect(tookMs).toBeLessThan(SOON_MS);
  end.abort();
  await Promise.all(pending);
  await plain.close();
});

test('a request that waits for a connection ends with its caller', async () => {
  const pending = hang(CONNECTIONS);
  await target.waitForRequests(CONNECTIONS);
  const own = new AbortController();
  const waiting = get(`${target.url}/quick`, { signal: own.signal });
  own.abort();
  expect(await waiting).toMatchObject({ answered: false, interrupted: true });
  end.abort();
  await Promise.all(pending);
});

test('a request that waits goes on when a connection is free', async () => {
  const first = new AbortController();
  const pending = [get(`${target.url}/hang`, { signal: first.signal }), ...hang(CONNECTIONS - 1)];
  await target.waitForRequests(CONNECTIONS);
  const waiting = get(`${target.url}/quick`, { timeoutMs: 20_000 });
  first.abort();
  expect(await waiting).toMatchObject({ answered: true, status: 200 });
  end.abort();
  await Promise.all(pending);
});

test('other origins, and the same origin for another tenant, do not wait', async () => {
  const pending = hang(CONNECTIONS * 2, { group: 1 });
  await target.waitForRequests(CONNECTIONS);
  const [elsewhere, stranger, own] = await Promise.all([
    get(`${other.url}/quick`, { group: 1, timeoutMs: 20_000 }),
    get(`${target.url}/quick`, { group: 2, timeoutMs: 20_000 }),
    get(`${target.url}/quick`, { group: 1, timeoutMs: 300 }),
  ]);
  expect([elsewhere.answered, stranger.answered, own.answered]).toEqual([true, true, false]);
  end.abort();
  await Promise.all(pending);
});

test('beyond a thousand waiting requests, a request fails at once', async () => {
  const pending = hang(CONNECTIONS + 1000);
  expect(await get(`${target.url}/quick`)).toMatchObject({
    answered: false,
    reason: expect.stringContaining('too many requests are waiting for a connection'),
  });
  end.abort();
  await Promise.all(pending);
});

describe('a server that takes connections and says nothing', () => {
  let silent: Server;
  let url: string;

  beforeEach(async () => {
    silent = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      end.signal.addEventListener('abort', () => socket.destroy());
    });
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    url = `://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  });

  afterEach(async () => {
    end.abort();
    await new Promise<void>((resolve) => {
      silent.close(() => resolve());
    });
  });

  test.each(['http', 'https'])('does not keep a request longer than its time with %s', async (scheme) => {
    const { response, tookMs } = await timed(get(`${scheme}${url}`, { timeoutMs: 300 }));
    expect(response).toMatchObject({
      answered: false,
      reason: expect.stringContaining('no response in time'),
    });
    expect(tookMs).toBeLessThan(SOON_MS);
  });
});

test('the time of a request is for all its redirects together', async () => {
  target.on('/slow', { delayMs: 200, redirect: `${other.url}/slow` });
  other.on('/slow', { delayMs: 200, redirect: `${target.url}/slow` });
  const { response } = await timed(get(`${target.url}/slow`, { timeoutMs: 500 }));
  expect(response).toMatchObject({ answered: false, reason: expect.stringContaining('no response in time') });
});

test('a time-out above the limit of the operator is cut, and the reason says so', async () => {
  const capped = createHttpClient({
    allow: ['127.0.0.1'],
    timeoutMs: 300_000,
    maxTimeoutMs: 300,
    maxResponseBytes: 1000,
  });
  const { payloads, logs } = await runType(
    'HTTPRequest',
    { url: `${target.url}/hang`, timeout: 600 },
    { http: capped },
  );
  const reason = `127.0.0.1:${target.port}: there was no response in time (limited to 0.3 s by HTTP_TIMEOUT_MAX_SECONDS)`;
  expect(payloads).toEqual([{ status: 0, headers: {}, body: reason }]);
  expect(logs).toEqual([{ level: 'error', message: reason }]);
  await capped.close();
});

describe('a response that is far larger once decompressed', () => {
  const MIB = 1024 * 1024;
  const packed: Record<string, (body: Buffer) => Buffer> = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    'gzip, gzip': (body) => gzipSync(gzipSync(body)),
  };

  test.each(Object.keys(packed))('is refused before it takes memory (%s)', async (encoding) => {
    const body = packed[encoding]!(Buffer.alloc(9 * MIB));
    target.on('/bomb', { headers: { 'content-encoding': encoding }, body });
    const roomy = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 60_000, maxResponseBytes: 10 * MIB });
    const response = await roomy.request({ url: `${target.url}/bomb`, method: 'GET', headers: {} });
    expect(response).toMatchObject({
      answered: false,
      reason: expect.stringMatching(/the compressed response decompresses to more than \d+ bytes$/),
    });
    await roomy.close();
  });

  test('is read where it is no more than data can be', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, status: 'open', severity: 'high' }));
    const body = gzipSync(Buffer.from(JSON.stringify(rows)));
    target.on('/rows', { headers: { 'content-encoding': 'gzip' }, body });
    const roomy = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 60_000, maxResponseBytes: 10 * MIB });
    const response = await roomy.request({ url: `${target.url}/rows`, method: 'GET', headers: {} });
    expect(response).toMatchObject({ answered: true, status: 200 });
    await roomy.close();
  });
});

describe('look-ups of names', () => {
  const files = { hosts: '/nonexistent/hosts', resolver: '/nonexistent/resolv.conf' };

  test('that are never answered do not hold up others', async () => {
    const dns = await startDnsServer((name) => (name.startsWith('silent') ? 'silent' : { a: ['192.0.2.7'] }));
    const lookup = createNameLookup({ ...files, servers: [dns.server] });
    let ended = 0;
    const silent = Array.from({ length: 100 }, async (_, index) => {
      await expect(lookup(`silent${index}.example.com`)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
      ended += 1;
    });
    expect(await lookup('quick.example.com')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(ended).toBe(0);
    await Promise.all(silent);
    await dns.close();
  });
});
