import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { createAddressGuard } from '../../src/platform/outbound/addresses/address-guard.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { HttpClient, HttpRequest } from '../../src/platform/outbound/http-exchange.js';
import { productVersion } from '../../src/platform/outbound/product-version.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';

const LIMIT = 100_000;

let target: HttpTarget;
let client: HttpClient;
let guarded: HttpClient;

beforeAll(async () => {
  target = await startHttpTarget();
  client = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 5000, maxResponseBytes: LIMIT });
  guarded = createHttpClient({ allow: [], timeoutMs: 5000, maxResponseBytes: LIMIT });
});

afterAll(async () => {
  await client.close();
  await guarded.close();
  await target.close();
});

beforeEach(() => target.clear());

const get = (address: string, more: Partial<HttpRequest> = {}) =>
  client.request({
    url: address.startsWith('http') ? address : `${target.url}${address}`,
    method: 'GET',
    headers: {},
    ...more,
  });

async function reasonOf(...request: Parameters<typeof get>): Promise<string> {
  const response = await get(...request);
  return response.answered ? `answered ${response.status}` : response.reason;
}

async function bodyOf(...request: Parameters<typeof get>): Promise<string> {
  const response = await get(...request);
  return response.answered ? response.body.toString() : `no answer: ${response.reason}`;
}

describe('the address guard', () => {
  const guard = createAddressGuard([]);

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
  ])('closes %s', (address) => {
    expect(guard(address)).toBe(false);
  });

  test.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    'lets %s through',
    (address) => {
      expect(guard(address)).toBe(true);
    },
  );

  test('opens what the allow list names, and nothing beside it', () => {
    const open = createAddressGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
    expect([open('10.1.2.3'), open('fd00::1'), open('192.168.7.7')]).toEqual([true, true, true]);
    expect([open('10.2.0.1'), open('fc00::1'), open('192.168.7.8')]).toEqual([false, false, false]);
  });
});

describe('requests to private networks', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ])('are refused when the address is written as %s', async (host) => {
    const response = await guarded.request({
      url: `http://${host}:${target.port}/`,
      method: 'GET',
      headers: {},
    });
    expect(response).toMatchObject({ answered: false, interrupted: false });
    expect(response.answered ? '' : response.reason).toContain('private or reserved network');
    expect(target.requests).toHaveLength(0);
  });

  test('are refused when a redirect leads there', async () => {
    const only = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 5000, maxResponseBytes: LIMIT });
    const inner = await startHttpTarget({ host: '127.0.0.2', rules: { '/secret': { body: 'secret' } } });
    target.on('/to-inner', { redirect: `${inner.url}/secret` });
    const response = await only.request({ url: `${target.url}/to-inner`, method: 'GET', headers: {} });
    expect(response).toMatchObject({
      answered: false,
      reason: expect.stringContaining('private or reserved'),
    });
    expect(inner.requests).toHaveLength(0);
    await inner.close();
    await only.close();
  });
});

describe('a request', () => {
  test('gives status, lower-case headers and the body', async () => {
    target.on('/plain', {
      status: 201,
      headers: { 'X-Thing': 'a', 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'hello',
    });
    const response = await get('/plain');
    expect(response).toMatchObject({
      answered: true,
      status: 201,
      headers: { 'x-thing': 'a', 'set-cookie': ['a=1', 'b=2'] },
    });
    expect(response.answered && response.body.toString()).toBe('hello');
  });

  test('says which program it comes from', async () => {
    target.on('/agent', { body: 'ok' });
    await get('/agent');
    await get('/agent', { headers: { 'user-agent': 'Mine' } });
    expect(target.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      `Fabula/${productVersion()}`,
      'Mine',
    ]);
    expect(productVersion()).toBe(
      (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
    );
  });

  test.each(['gzip', 'deflate', 'br', 'raw deflate', 'deflate, gzip'])(
    'decompresses %s',
    async (encoding) => {
      const plain = Buffer.from('some text '.repeat(100));
      const compressed = {
        gzip: zlib.gzipSync(plain),
        deflate: zlib.deflateSync(plain),
        br: zlib.brotliCompressSync(plain),
        'raw deflate': zlib.deflateRawSync(plain),
        'deflate, gzip': zlib.gzipSync(zlib.deflateSync(plain)),
      }[encoding];
      target.on('/packed', {
        headers: { 'content-encoding': encoding.replace('raw ', '') },
        body: compressed!,
      });
      expect(await bodyOf('/packed')).toBe(plain.toString());
    },
  );

  test.each([
    ['a plain body', {}, Buffer.alloc(LIMIT + 1)],
    [
      'a body that is large once decompressed',
      { 'content-encoding': 'gzip' },
      zlib.gzipSync(Buffer.alloc(50_000_000)),
    ],
    ['the same with brotli', { 'content-encoding': 'br' }, zlib.brotliCompressSync(Buffer.alloc(5_000_000))],
  ])('refuses %s over the limit', async (_name, headers, body) => {
    target.on('/large', { headers, body });
    expect(await reasonOf('/large')).toContain(`larger than ${LIMIT} bytes`);
  });

  test('accepts a body of exactly the limit', async () => {
    target.on('/limit', { body: Buffer.alloc(LIMIT, 'x') });
    expect((await bodyOf('/limit')).length).toBe(LIMIT);
  });

  test('says so when compressed bytes are broken', async () => {
    target.on('/broken', { headers: { 'content-encoding': 'gzip' }, body: 'not gzip' });
    expect(await reasonOf('/broken')).toContain('not valid gzip');
  });

  test.each([
    ['never answers', { hang: true }],
    ['sends its body too slowly', { dripMs: 20, body: 'x'.repeat(500) }],
  ])('ends in time when the other side %s', async (_name, rule) => {
    target.on('/slow', rule);
    const started = Date.now();
    expect(await reasonOf('/slow', { timeoutMs: 300 })).toContain('no response in time');
    expect(Date.now() - started).toBeLessThan(25_000);
  });

  test('ends with its caller, which is told apart from a time-out', async () => {
    target.on('/hang', { hang: true });
    const controller = new AbortController();
    const pending = get('/hang', { signal: controller.signal });
    await target.waitForRequests(1);
    controller.abort();
    expect(await pending).toMatchObject({ answered: false, interrupted: true });
    expect(await get('/hang', { signal: controller.signal })).toMatchObject({
      answered: false,
      interrupted: true,
    });
  });

  test('gives the reason when the connection is refused or reset, and keeps the address to itself', async () => {
    const closed = await startHttpTarget();
    await closed.close();
    const reason = await reasonOf(`${closed.url}/path?token=secret`);
    expect(reason).toBe(`127.0.0.1:${closed.port}: the connection was refused`);
    target.on('/reset', { reset: true });
    expect(await reasonOf('/reset')).toMatch(/the connection was (closed|reset)/);
    expect(await reasonOf('http://no-such-host.invalid/')).toMatch(/host name/);
  });
});

describe('redirects', () => {
  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [302, 'GET', 'GET'],
  ])('a %i after %s is followed with %s', async (status, method, followed) => {
    target.on('/from', { status, redirect: '/to?x=1' });
    target.on('/to', { body: 'arrived' });
    const headers = { 'content-type': 'text/plain', 'x-kept': 'yes' };
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from('payload') };
    const response = await get('/from', { method, headers, ...body });
    expect(response).toMatchObject({ answered: true, status: 200 });
    const last = target.requests.at(-1);
    expect([last?.method, last?.url, last?.headers['x-kept']]).toEqual([followed, '/to?x=1', 'yes']);
    expect(last?.text).toBe(followed === method && 'body' in body ? 'payload' : '');
    expect(last?.headers['content-type']).toBe(followed === method ? 'text/plain' : undefined);
  });

  test('take nothing but harmless headers to another origin', async () => {
    const other = await startHttpTarget({ rules: { '/to': { body: 'ok' } } });
    target.on('/out', { redirect: `${other.url}/to` });
    target.on('/in', { redirect: '/to' });
    target.on('/to', { body: 'ok' });
    const headers = { authorization: 'Bearer secret', cookie: 'a=1', 'x-own': 'yes', accept: 'text/plain' };
    await get('/out', { headers });
    await get('/in', { headers });
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(other.requests[0]?.headers).not.toHaveProperty('cookie');
    expect(other.requests[0]?.headers).not.toHaveProperty('x-own');
    expect(target.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer secret', cookie: 'a=1' });
    await other.close();
  });

  test('end after five', async () => {
    target.on('/round', { redirect: '/round' });
    expect(await reasonOf('/round')).toContain('more than 5 redirects');
    expect(target.requests).toHaveLength(6);
  });

  test.each(['ftp://example.com/', 'javascript:alert(1)', 'http://'])(
    'to %s are the response themselves',
    async (redirect) => {
      target.on('/odd', { redirect, body: 'moved' });
      expect(await get('/odd')).toMatchObject({ answered: true, status: 302 });
    },
  );

  test('are the response themselves when the request does not follow them', async () => {
    target.on('/from', { redirect: '/to' });
    expect(await get('/from', { followRedirects: false })).toMatchObject({
      status: 302,
      headers: { location: '/to' },
    });
    expect(target.requests).toHaveLength(1);
  });
});

describe('certificates', () => {
  let secure: HttpTarget;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'fabula-tls-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        '1',
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    secure = await startHttpTarget({ tls, rules: { '/': { body: 'secure' } } });
  });

  afterAll(async () => {
    await secure.close();
    rmSync(folder, { recursive: true });
  });

  test('are checked, unless the request says otherwise, and one does not change the other', async () => {
    expect(await reasonOf(`${secure.url}/`)).toContain('certificate is self-signed');
    expect(await bodyOf(`${secure.url}/`, { verifyTls: false })).toBe('secure');
    expect(await reasonOf(`${secure.url}/`)).toContain('certificate is self-signed');
  });
});
