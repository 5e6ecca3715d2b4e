import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../src/platform/json.js';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../../src/platform/outbound/http-exchange.js';
import { digestAuthorization, digestChallenge } from '../../../src/platform/outbound/http/digest.js';
import { runType } from '../../support/agent-context.js';
import { type HttpTarget, type ReceivedRequest, startHttpTarget } from '../../support/http-target.js';

let client: HttpClient;
let target: HttpTarget;
let other: HttpTarget;

beforeEach(async () => {
  client = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 10_000, maxResponseBytes: 10_000 });
  target = await startHttpTarget();
  other = await startHttpTarget({ host: '127.0.0.2', rules: { '/': { body: 'other' } } });
});

afterEach(async () => {
  await client.close();
  await target.close();
  await other.close();
});

const run = (options: JsonObject) => runType('HTTPRequest', { method: 'get', ...options }, { http: client });
const statusOf = async (options: JsonObject) => {
  const { payloads } = await run(options);
  return (payloads[0] as { status: number }).status;
};

/** A server of RFC 7616 for the user `jörg` with the password `p"w`, for one origin. */
const server = (more: string, hash = 'md5', nonces = ['n1']) => {
  const h = (text: string) => createHash(hash).update(text).digest('hex');
  let current = 0;
  return ({ method, url, headers }: ReceivedRequest) => {
    const ask = (stale = '') => ({
      status: 401,
      headers: {
        'www-authenticate': `Digest realm="a \\"b\\"", nonce="${nonces[current]}"${more}${stale}`,
      },
    });
    const part = (name: string) =>
      new RegExp(`\\b${name}="?([^",]*)"?`).exec(headers.authorization ?? '')?.[1] ?? '';
    if (part('response') === '') return ask();
    if (part('nonce') !== nonces.at(-1)) {
      current += 1;
      return ask(', stale=true');
    }
    const secret = h('jörg:a "b":p"w');
    const first = more.includes('-sess') ? h(`${secret}:${part('nonce')}:${part('cnonce')}`) : secret;
    const middle = [part('nonce'), ...(part('qop') === '' ? [] : [part('nc'), part('cnonce'), part('qop')])];
    const second = h(`${method}:${url}${part('qop') === 'auth-int' ? `:${h('{"a":1}')}` : ''}`);
    return part('response') === h([first, ...middle, second].join(':')) ? { body: 'in' } : ask();
  };
};
const options = () => ({ url: `${target.url}/a?b=c`, digest_auth: ['jörg', 'p"w'] });

describe('B17: digest authentication', () => {
  test.each([
    ['MD5 of RFC 2069', '', 'md5'],
    ['MD5', ', qop="auth"', 'md5'],
    ['MD5-sess', ', qop="auth", algorithm=MD5-sess', 'md5'],
    ['SHA-256', ', qop="auth,auth-int", algorithm=SHA-256, opaque="o"', 'sha256'],
    ['SHA-256-sess, with the text auth', ', qop=auth, algorithm=SHA-256-sess', 'sha256'],
    ['SHA-512-256', ', qop="auth", algorithm=SHA-512-256', 'sha512-256'],
  ])('%s', async (_what, more, hash) => {
    target.on('/a', server(more, hash));
    expect(await statusOf(options())).toBe(200);
    expect(target.requests).toHaveLength(2);
    expect(target.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('of a body (auth-int), which is sent with both requests', async () => {
    target.on('/a', server(', qop="auth-int"'));
    expect(await statusOf({ ...options(), method: 'post', payload: { a: 1 } })).toBe(200);
    expect(target.requests.map(({ text }) => text)).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('a stale nonce is answered once more, wrong credentials are not', async () => {
    target.on('/a', server(', qop="auth"', 'md5', ['n1', 'n2']));
    expect(await statusOf({ ...options(), digest_auth: 'jörg:p"w' })).toBe(200);
    expect(target.requests).toHaveLength(3);
    target.clear();
    target.on('/a', server(', qop="auth"'));
    expect(await statusOf({ ...options(), digest_auth: 'jörg:wrong' })).toBe(401);
    expect(target.requests).toHaveLength(2);
    target.clear();
    target.on('/a', {
      status: 401,
      headers: { 'www-authenticate': 'Digest realm="x", nonce="y", stale=true' },
    });
    expect(await statusOf(options())).toBe(401);
    expect(target.requests).toHaveLength(3);
  });

  test('a redirect within the origin counts on with the nonce; another origin gets nothing', async () => {
    const check = server(', qop="auth"');
    target.on('/a', (request) => {
      const response = check(request);
      return 'body' in response ? { redirect: '/b' } : response;
    });
    target.on('/b', (request) => {
      const response = check(request);
      return 'body' in response ? { redirect: `${other.url}/c` } : response;
    });
    other.on('/c', { status: 401, headers: { 'www-authenticate': 'Digest realm="x", nonce="y"' } });
    expect(await statusOf(options())).toBe(401);
    expect(target.requests.map(({ headers }) => /nc=\d+/.exec(headers.authorization ?? '')?.[0])).toEqual([
      undefined,
      'nc=00000001',
      'nc=00000002',
    ]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test.each([
    ['Basic only', 'Basic realm="x"'],
    ['an unknown algorithm', 'Digest realm="x", nonce="y", algorithm=MD4'],
    ['an unknown quality', 'Digest realm="x", nonce="y", qop="auth-conf"'],
    ['no nonce', 'Digest realm="x"'],
    ['an open quotation mark', 'Digest realm="x, nonce="y'],
  ])('%s is not answered', async (_what, header) => {
    target.on('/a', { status: 401, headers: { 'www-authenticate': header } });
    expect(await statusOf(options())).toBe(401);
    expect(target.requests).toHaveLength(1);
  });

  test('an authorization header has precedence, and a text without colon is refused', async () => {
    target.on('/a', server(''));
    expect(await statusOf({ ...options(), headers: { authorization: 'Bearer t' } })).toBe(401);
    expect(target.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t']);
    await expect(run({ ...options(), digest_auth: 'nobody' })).rejects.toThrow(/^digest_auth: use \["user"/);
  });

  test('gives the values of RFC 7616', () => {
    const [challenge] = [
      digestChallenge([
        'Basic realm="x", Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, ' +
          'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
      ]),
    ];
    const covered = { method: 'GET', uri: '/dir/index.html', body: undefined };
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    const credentials = { user: 'Mufasa', password: 'Circle of Life' };
    expect(digestAuthorization(challenge!, credentials, { covered, count: 1, cnonce })).toContain(
      'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
    );
  });
});
