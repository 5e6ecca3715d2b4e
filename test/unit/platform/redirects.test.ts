import { PermanentJobError } from '../../../src/platform/errors.js';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient, HttpRequest } from '../../../src/platform/outbound/http-exchange.js';
import { runType } from '../../support/agent-context.js';
import { selfSigned } from '../../support/certificates.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';

const SECRET = 'TEAM1-SECRET-0123456789';
/** Headers that may arrive at an origin that the request was not made for. */
const HARMLESS = ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'];
const CARRIERS = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'private-token',
  'x-amz-security-token',
  'idempotency-key',
  'from',
  'referer',
  'content-language',
];

let client: HttpClient;
/** The request's address, and a different host, port and scheme. */
let api: HttpTarget;
let secureApi: HttpTarget;
let strangers: Record<'host' | 'port' | 'https', HttpTarget>;

beforeAll(async () => {
  const tls = selfSigned('127.0.0.2', '127.0.0.3');
  api = await startHttpTarget({ host: '127.0.0.2' });
  secureApi = await startHttpTarget({ host: '127.0.0.2', tls });
  strangers = {
    host: await startHttpTarget({ host: '127.0.0.3' }),
    port: await startHttpTarget({ host: '127.0.0.2' }),
    https: await startHttpTarget({ host: '127.0.0.2', tls }),
  };
  client = createHttpClient({
    allow: ['127.0.0.2', '127.0.0.3'],
    timeoutMs: 20_000,
    maxResponseBytes: 100_000,
    ca: tls.cert,
  });
});

const targets = () => [api, secureApi, ...Object.values(strangers)];

afterAll(async () => {
  await client.close();
  await Promise.all(targets().map((target) => target.close()));
});

beforeEach(() => {
  for (const target of targets()) {
    target.clear();
    target.on('/evil', { body: 'arrived' });
  }
});

const withSecrets = (request: Partial<HttpRequest> & { url: string }): HttpRequest => ({
  method: 'GET',
  headers: {
    ...Object.fromEntries(CARRIERS.map((name) => [name, SECRET])),
    accept: 'application/json',
    'accept-language': 'en',
    'user-agent': 'Mine',
  },
  ...request,
});
const body = () => ({ body: Buffer.from(`{"password":"${SECRET}"}`) });

/** Everything this target was sent. */
const seenBy = ({ requests }: HttpTarget) =>
  JSON.stringify(requests.map(({ method, url, headers, text }) => [method, url, headers, text]));

const STATUSES = [301, 302, 303, 307, 308];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ELSEWHERE = ['host', 'port', 'https'] as const;

describe.each(ELSEWHERE)('to another %s', (part) => {
  test.each(STATUSES.flatMap((status) => METHODS.map((method) => [status, method] as const)))(
    'a redirect (%i after %s) takes no header and no body of the request along',
    async (status, method) => {
      const stranger = strangers[part];
      api.on('/redir', { status, redirect: `${stranger.url}/evil` });
      for (const sent of method === 'GET' || method === 'HEAD' ? [{}] : [{}, body()]) {
        const headers = { 'content-type': `text/${SECRET}` };
        const request = withSecrets({ url: `${api.url}/redir`, method, ...sent });
        await client.request({ ...request, headers: { ...headers, ...request.headers } });
      }
      expect(seenBy(api)).toContain(SECRET);
      expect(seenBy(stranger)).not.toContain(SECRET);
      for (const { headers, text } of stranger.requests) {
        const { 'content-length': length = '0', ...others } = headers;
        expect([length, text]).toEqual(['0', '']);
        expect(Object.keys(others).filter((name) => !HARMLESS.includes(name))).toEqual([]);
      }
      expect(stranger.requests.at(-1)?.headers ?? {}).toMatchObject(
        stranger.requests.length === 0 ? {} : { accept: 'application/json', 'user-agent': 'Mine' },
      );
    },
  );
});

test('a redirect from https to http takes nothing of the request along', async () => {
  for (const status of STATUSES) {
    secureApi.on('/redir', { status, redirect: `${strangers.host.url}/evil` });
    await client.request(withSecrets({ url: `${secureApi.url}/redir` }));
    await client.request(withSecrets({ url: `${secureApi.url}/redir`, method: 'POST', ...body() }));
  }
  expect(seenBy(secureApi)).toContain(SECRET);
  expect(strangers.host.requests.length).toBeGreaterThan(0);
  expect(seenBy(strangers.host)).not.toContain(SECRET);
});

test('headers that were removed for another origin are not restored by a redirect back', async () => {
  strangers.host.on('/evil', { redirect: `${api.url}/home` });
  api.on('/redir', { redirect: `${strangers.host.url}/evil` });
  api.on('/home', { body: 'home' });
  await client.request(withSecrets({ url: `${api.url}/redir` }));
  expect(api.requests.map(({ path }) => path)).toEqual(['/redir', '/home']);
  expect(JSON.stringify(api.requests[1]?.headers)).not.toContain(SECRET);
});

test('a redirect within the origin keeps headers and body', async () => {
  api.on('/redir', { status: 307, redirect: '/again' });
  api.on('/again', { body: 'done' });
  await client.request(withSecrets({ url: `${api.url}/redir`, method: 'POST', ...body() }));
  expect(api.requests[1]?.headers['x-api-key']).toBe(SECRET);
  expect(api.requests[1]?.text).toContain(SECRET);
});

test('a redirect that would resend a body becomes the event, and the log says why', async () => {
  api.on('/redir', { status: 307, redirect: `${strangers.host.url}/evil`, body: 'go there' });
  const { payloads, logs } = await runType(
    'HTTPRequest',
    { url: `${api.url}/redir`, method: 'post', payload: { password: SECRET } },
    { http: client },
  );
  expect(payloads).toMatchObject([
    { status: 307, headers: { location: `${strangers.host.url}/evil` }, body: 'go there' },
  ]);
  expect(logs).toEqual([
    {
      level: 'warn',
      message: `the redirect to 127.0.0.3:${strangers.host.port} was not followed: bodies are not sent to another origin`,
    },
  ]);
  expect(strangers.host.requests).toEqual([]);
});

describe('a check of each hop', () => {
  test('is asked before each connection, and told when the headers were left out', async () => {
    api.on('/redir', { redirect: `${api.url}/second` });
    api.on('/second', { redirect: `${strangers.host.url}/evil` });
    const hops: [string, boolean][] = [];
    const checkHop: HttpRequest['checkHop'] = (url, { bare }) => hops.push([url.href, bare]);
    await client.request(withSecrets({ url: `${api.url}/redir`, checkHop }));
    expect(hops).toEqual([
      [`${api.url}/redir`, false],
      [`${api.url}/second`, false],
      [`${strangers.host.url}/evil`, true],
    ]);
  });

  test('stops the request before anything is sent to the refused host', async () => {
    api.on('/redir', { redirect: `${strangers.host.url}/evil` });
    const refusal = new PermanentJobError('credential X may not be sent to 127.0.0.3');
    const checkHop: HttpRequest['checkHop'] = ({ hostname }) => {
      if (hostname === '127.0.0.3') throw refusal;
    };
    await expect(client.request(withSecrets({ url: `${api.url}/redir`, checkHop }))).rejects.toBe(refusal);
    await expect(client.request(withSecrets({ url: `${strangers.host.url}/evil`, checkHop }))).rejects.toBe(
      refusal,
    );
    expect(strangers.host.requests).toEqual([]);
  });
});

test('a request that always verifies certificates cannot be told not to', async () => {
  const plain = createHttpClient({ allow: ['127.0.0.2'], timeoutMs: 20_000, maxResponseBytes: 1000 });
  const lax = { ...withSecrets({ url: `${secureApi.url}/evil` }), verifyTls: false };
  expect(await plain.request(lax)).toMatchObject({ answered: true });
  expect(await plain.request({ ...lax, alwaysVerifyTls: true })).toMatchObject({
    answered: false,
    reason: expect.stringContaining('certificate'),
  });
  await plain.close();
});
