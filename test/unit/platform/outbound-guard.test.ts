import { ConfigError, readConfig } from '../../../src/config/config.js';
import { createAddressGuard } from '../../../src/platform/outbound/addresses/address-guard.js';
import { BLOCKED_PORTS } from '../../../src/platform/outbound/addresses/hop-rules.js';
import { clientOptions } from '../../../src/config/client-options.js';
import { createHttpClient, type HttpClientOptions } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient, HttpRequest } from '../../../src/platform/outbound/http-exchange.js';
import { runType } from '../../support/agent-context.js';
import { selfSigned } from '../../support/certificates.js';
import { startConnectProxy } from '../../support/connect-proxy.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';

describe('addresses', () => {
  const guard = createAddressGuard([]);

  /** IANA's registries (IPv4 and IPv6 special-purpose addresses), multicast, and clouds: the first and the last. */
  test.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private use', '10.0.0.0', '10.255.255.255'],
    ['shared', '100.64.0.0', '100.127.255.255'],
    ['metadata of Alibaba', '100.100.100.200', '100.100.100.200'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local', '169.254.0.0', '169.254.255.255'],
    ['WireServer of Azure', '168.63.129.16', '168.63.129.16'],
    ['private use', '172.16.0.0', '172.31.255.255'],
    ['IETF protocol assignments', '192.0.0.0', '192.0.0.255'],
    ['metadata of Oracle', '192.0.0.192', '192.0.0.192'],
    ['documentation', '192.0.2.0', '192.0.2.255'],
    ['AS112', '192.31.196.0', '192.31.196.255'],
    ['AMT', '192.52.193.0', '192.52.193.255'],
    ['6to4 relay', '192.88.99.0', '192.88.99.255'],
    ['private use', '192.168.0.0', '192.168.255.255'],
    ['AS112 delegation', '192.175.48.0', '192.175.48.255'],
    ['benchmarking', '198.18.0.0', '198.19.255.255'],
    ['documentation', '198.51.100.0', '198.51.100.255'],
    ['documentation', '203.0.113.0', '203.0.113.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved', '240.0.0.0', '255.255.255.255'],
    ['unspecified and loopback', '::', '::1'],
    ['IPv4-compatible', '::7f00:1', '::8.8.8.8'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:a83f:8110'],
    ['IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
    ['NAT64 of private IPv4', '64:ff9b::10.0.0.1', '64:ff9b::168.63.129.16'],
    ['NAT64 of loopback and of this network', '64:ff9b::7f00:1', '64:ff9b::1'],
    ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['beside NAT64', '64:ff9b:0:0:0:1:808:808', '64:ff9b:2::1'],
    ['discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
    ['dummy prefix', '100:0:0:1::', '100:0:0:1::ffff'],
    ['below global unicast', '1fff:ffff::1', '200::1'],
    ['IETF protocol assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['Teredo', '2001::1', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['anycast', '2001:1::1', '2001:1::3'],
    ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
    ['AMT', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['AS112', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
    ['ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['drone identifiers', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['AS112 delegation', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['the former 6bone', '3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['above global unicast', '4000::', '5eff:ffff::1'],
    ['SRv6 identifiers', '5f00::1', '5f00:ffff::1'],
    ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['metadata of AWS and Google', 'fd00:ec2::254', 'fd20:ce::254'],
    ['link-local, with a zone', 'fe80::1%eth0', 'febf:ffff::1'],
    ['site-local', 'fec0::1', 'feff:ffff::1'],
    ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['a zone behind a mapped address', '::ffff:127.0.0.1%lo', '::1%lo'],
    ['nothing', '', '127.0.0'],
  ])('of the range %s (%s to %s) are closed', (_what, first, last) => {
    expect([guard(first), guard(last)]).toEqual([false, false]);
  });

  test.each([
    ['0.0.0.0/8 and 10.0.0.0/8', '1.0.0.0', '9.255.255.255'],
    ['10.0.0.0/8 and 100.64.0.0/10', '11.0.0.0', '100.63.255.255'],
    ['100.64.0.0/10 and loopback', '100.128.0.0', '126.255.255.255'],
    ['loopback and WireServer', '128.0.0.0', '168.63.129.15'],
    ['WireServer and link-local', '168.63.129.17', '169.253.255.255'],
    ['link-local and 172.16.0.0/12', '169.255.0.0', '172.15.255.255'],
    ['172.16.0.0/12 and 192.0.0.0/24', '172.32.0.0', '191.255.255.255'],
    ['192.0.0.0/24 and 192.0.2.0/24', '192.0.1.0', '192.0.1.255'],
    ['documentation and AS112', '192.0.3.0', '192.31.195.255'],
    ['AS112 and AMT', '192.31.197.0', '192.52.192.255'],
    ['AMT and 6to4', '192.52.194.0', '192.88.98.255'],
    ['6to4 and 192.168.0.0/16', '192.88.100.0', '192.167.255.255'],
    ['192.168.0.0/16 and AS112', '192.169.0.0', '192.175.47.255'],
    ['AS112 and benchmarking', '192.175.49.0', '198.17.255.255'],
    ['benchmarking and documentation', '198.20.0.0', '198.51.99.255'],
    ['documentation', '198.51.101.0', '203.0.112.255'],
    ['documentation and multicast', '203.0.114.0', '223.255.255.255'],
    ['the beginning of global unicast and 2001::/23', '2000::', '2000:ffff:ffff::1'],
    ['2001::/23 and documentation', '2001:200::', '2001:db7:ffff::1'],
    ['documentation and 6to4', '2001:db9::', '2001:ffff:ffff::1'],
    ['6to4 and AS112', '2003::', '2620:4f:7fff:ffff::1'],
    ['AS112 and the 6bone', '2620:4f:8001::', '3ffd:ffff::1'],
    ['documentation and the end of global unicast', '3fff:1000::', '3fff:ffff::1'],
    ['mapped and NAT64 of public IPv4', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
  ])('beside the range %s (%s, %s) are open', (_what, first, last) => {
    expect([guard(first), guard(last)]).toEqual([true, true]);
  });

  test('of the allow list are open, in every spelling', () => {
    const open = createAddressGuard(['168.63.129.16', '10.0.0.0/8', '5f00::/16']);
    for (const address of [
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '10.1.2.3',
      '64:ff9b::10.1.2.3',
      '5f00::1',
    ])
      expect([address, open(address)]).toEqual([address, true]);
    for (const address of ['192.168.0.1', '::ffff:0:10.1.2.3', '5f01::1', '3fff::1'])
      expect([address, open(address)]).toEqual([address, false]);
  });
});

const LIMITS = { timeoutMs: 10_000, maxResponseBytes: 10_000 };
const LOOPBACK = { ...LIMITS, allow: ['127.0.0.0/8'] };
const clients: HttpClient[] = [];
let target: HttpTarget;
let secure: HttpTarget;
let ca: string;
let tls: { key: string; cert: string };

beforeAll(async () => {
  tls = selfSigned('127.0.0.1');
  ca = tls.cert;
  target = await startHttpTarget({ rules: { '/': { body: 'here' } } });
  secure = await startHttpTarget({ tls, rules: { '/': { body: 'safe' } } });
});

afterAll(async () => {
  await Promise.all([...clients.map((client) => client.close()), target.close(), secure.close()]);
});

beforeEach(() => {
  target.clear();
  secure.clear();
});

/** Returns the response body that a client with these options gets, or the reason why there is none. */
async function said(options: Partial<HttpClientOptions>, url: string, more: Partial<HttpRequest> = {}) {
  const client = createHttpClient({ ...LOOPBACK, ...options });
  clients.push(client);
  const response = await client.request({ url, method: 'GET', headers: {}, ...more });
  return response.answered ? response.body.toString() : response.reason;
}

const CLOSED = 'the address is in a private or reserved network that is not in OUTBOUND_ALLOW';

test.each([
  '168.63.129.16',
  '[::ffff:0:127.0.0.1]',
  '[5f00::1]',
  '[3fff::1]',
  '[64:ff9b::127.0.0.1]',
  '[2001:2::1]',
  '2822734096',
  '0xa83f8110',
])('a request to %s is refused before anything is connected', async (host) => {
  const { hostname } = new URL(`http://${host}`);
  expect(await said({ allow: [] }, `http://${host}/`)).toBe(`${hostname}: ${CLOSED}`);
});

describe('OUTBOUND_DENY', () => {
  test.each([
    [['127.0.0.1'], '127.0.0.1', 'the address is blocked by OUTBOUND_DENY'],
    [['127.0.0.0/30'], '0x7f.1', 'the address is blocked by OUTBOUND_DENY'],
    [['127.0.0.0/30'], 'localhost', 'the address is blocked by OUTBOUND_DENY'],
    [['LocalHost'], 'localhost', 'the host is blocked by OUTBOUND_DENY'],
    [['localhost'], 'LOCALHOST.', 'the host is blocked by OUTBOUND_DENY'],
    [['*.localhost'], 'a.b.localhost', 'the host is blocked by OUTBOUND_DENY'],
    [['*.xn--bcher-kva.localhost'], 'a.bücher.localhost', 'the host is blocked by OUTBOUND_DENY'],
    [['bücher.localhost'], 'xn--bcher-kva.localhost', 'the host is blocked by OUTBOUND_DENY'],
  ])('with %j closes %s, which OUTBOUND_ALLOW opens', async (deny, host, reason) => {
    const allowHosts = ['localhost', '*.localhost', '127.0.0.1'];
    const words = await said({ deny, allowHosts }, `http://${host}:${target.port}/`);
    expect(words).toMatch(new RegExp(`: ${reason}$`));
    expect(words).not.toContain('127.0.0.0/30');
    expect(target.requests).toEqual([]);
  });

  test('closes a public address, also where it is mapped', async () => {
    const deny = ['8.8.8.0/24'];
    expect(await said({ deny }, 'http://8.8.8.8/')).toContain('OUTBOUND_DENY');
    expect(await said({ deny }, 'http://[::ffff:8.8.8.8]/')).toContain('OUTBOUND_DENY');
    expect(await said({ deny }, 'http://[64:ff9b::8.8.8.8]/')).toContain('OUTBOUND_DENY');
  });

  test('holds for redirects, and leaves others alone', async () => {
    target.on('/to', { redirect: `http://localhost:${target.port}/` });
    const deny = ['localhost', '*.example.com', '10.0.0.0/8'];
    expect(await said({ deny }, `${target.url}/to`)).toBe(
      `localhost:${target.port}: the host is blocked by OUTBOUND_DENY`,
    );
    expect(await said({ deny }, `${target.url}/`)).toBe('here');
  });
});

describe('OUTBOUND_ALLOW_HOSTS', () => {
  test.each([
    [['localhost'], 'localhost', true],
    [['localhost'], 'a.localhost', false],
    [['*.localhost'], 'a.localhost', true],
    [['*.localhost'], 'localhost', false],
    [['*.localhost'], '127.0.0.1', false],
    [['127.0.0.1'], '127.0.0.1', true],
    [['127.0.0.1'], '0177.0.0.1', true],
    [['calhost'], 'localhost', false],
  ])('with %j lets requests go to %s: %j', async (allowHosts, host, open) => {
    const words = await said({ allowHosts }, `http://${host}:${target.port}/`);
    expect(words).toMatch(open ? /^here$/ : /: the host is not in OUTBOUND_ALLOW_HOSTS$/);
    expect(target.requests).toHaveLength(open ? 1 : 0);
  });

  test('opens no private address', async () => {
    const allowHosts = ['localhost', '127.0.0.1'];
    for (const host of allowHosts)
      expect(await said({ allow: [], allowHosts }, `http://${host}:${target.port}/`)).toContain(CLOSED);
  });
});

describe('OUTBOUND_PORTS', () => {
  test('closes ports of services that are not HTTP, if nothing else is said', async () => {
    for (const port of [1, 22, 25, 110, 3306, 6379, 6667, 11211]) {
      expect(await said({}, `http://127.0.0.1:${port}/`)).toBe(
        `127.0.0.1:${port}: port ${port} is not in OUTBOUND_PORTS`,
      );
    }
    for (const port of [80, 443, 3000, 8000, 8080, 8089, 8443, 9200])
      expect(BLOCKED_PORTS.has(port)).toBe(false);
  });

  test('opens what it names and nothing else', async () => {
    const { port } = target;
    expect(await said({ ports: [[port - 1, port + 1]] }, `${target.url}/`)).toBe('here');
    const ports = [[443, 443] as const, [port + 1, 65_535] as const];
    expect(await said({ ports }, `${target.url}/`)).toContain(`port ${port} is not in OUTBOUND_PORTS`);
    expect(await said({ ports }, 'http://127.0.0.1/')).toContain('port 80 is not in OUTBOUND_PORTS');
  });

  test('lets a named port through that is closed otherwise', async () => {
    const words = await said({ ports: [[1, 65_535]] }, 'http://127.0.0.1:1/');
    expect(words).not.toContain('OUTBOUND_PORTS');
  });
});

describe('OUTBOUND_REQUIRE_TLS', () => {
  test('refuses plain HTTP, also after a redirect', async () => {
    const refused = `127.0.0.1:${target.port}: requests without TLS are blocked by OUTBOUND_REQUIRE_TLS`;
    expect(await said({ requireTls: true, ca }, `${target.url}/`)).toBe(refused);
    secure.on('/down', { redirect: `${target.url}/` });
    expect(await said({ requireTls: true, ca }, `${secure.url}/down`)).toBe(refused);
    expect(target.requests).toEqual([]);
    expect(await said({ requireTls: true, ca }, `${secure.url}/`)).toBe('safe');
  });

  test('verifies certificates, whatever a request says', async () => {
    expect(await said({}, `${secure.url}/`, { verifyTls: false })).toBe('safe');
    expect(await said({ requireTls: true }, `${secure.url}/`, { verifyTls: false })).toContain('certificate');
  });
});

/** Returns the headers that arrive, and the action's log. */
async function sent(headers: Record<string, string>) {
  const client = createHttpClient(LOOPBACK);
  clients.push(client);
  const { logs } = await runType(
    'HTTPRequest',
    { url: `${target.url}/`, method: 'get', headers },
    { http: client },
  );
  return { headers: target.requests[0]?.headers ?? {}, logs };
}

describe('the header host', () => {
  test.each(['host', 'Host', 'HOST', ' hOsT\t', '\u00a0Host'])(
    'cannot be set by a story (written as %j), and the log says so',
    async (name) => {
      const { headers, logs } = await sent({ [name]: 'internal.vhost' });
      expect(headers.host).toBe(`127.0.0.1:${target.port}`);
      expect(logs).toEqual([
        { level: 'warn', message: 'headers.host was ignored: requests always use the host of their url' },
      ]);
    },
  );

  test('that equals the host of the address causes no log line', async () => {
    expect((await sent({ Host: `127.0.0.1:${target.port}` })).logs).toEqual([]);
    expect((await sent({ Host: '127.0.0.1' })).logs).toEqual([]);
  });

  test.each([':authority', 'Host:', 'ho st', 'h\u006fst\r\nx'])(
    'has no other spelling (%j)',
    async (name) => {
      await expect(sent({ [name]: 'internal.vhost' })).rejects.toThrow('cannot be the name of a header');
      expect(target.requests).toEqual([]);
    },
  );

  test('and headers of the connection or a proxy are left out', async () => {
    const { headers } = await sent({
      'Content-Length': '99',
      'Transfer-Encoding': 'chunked',
      Connection: 'x-own',
      'Keep-Alive': 'timeout=99',
      'Proxy-Authorization': 'Basic eA==',
      'Proxy-Connection': 'keep-alive',
      TE: 'trailers',
      Trailer: 'x-own',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      Expect: '100-continue',
      'X-Own': 'kept',
    });
    expect(headers).toMatchObject({ 'x-own': 'kept', connection: 'keep-alive' });
    const gone = ['content-length', 'transfer-encoding', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect'];
    for (const name of [...gone, 'proxy-authorization', 'proxy-connection', 'http2-settings'])
      expect(headers).not.toHaveProperty(name);
  });
});

describe('OUTBOUND_PROXY', () => {
  const PASSWORD = 'proxy-password-42';
  type Proxy = Awaited<ReturnType<typeof startConnectProxy>>;
  let proxy: Proxy;

  const start = async (options: Parameters<typeof startConnectProxy>[0]) => {
    proxy = await startConnectProxy(options);
    return `http://us%40er:${PASSWORD}@127.0.0.1:${proxy.port}`;
  };

  afterEach(() => proxy.close());

  test('takes all requests, and looks up their names', async () => {
    const settings = { allow: [], proxy: await start({ port: target.port }) };
    expect(await said(settings, 'http://no-such-host.invalid/')).toBe('here');
    expect(await said(settings, 'http://no-such-host.invalid:8080/')).toBe('here');
    expect(target.requests[0]?.headers).toMatchObject({ host: 'no-such-host.invalid' });
    expect(target.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    const authorization = `Basic ${Buffer.from(`us@er:${PASSWORD}`).toString('base64')}`;
    expect(proxy.asked).toEqual([
      { authority: 'no-such-host.invalid:80', authorization },
      { authority: 'no-such-host.invalid:8080', authorization },
    ]);
  });

  test('carries TLS from end to end', async () => {
    const settings = { proxy: await start({ port: secure.port }), ca };
    expect(await said(settings, `https://127.0.0.1:${secure.port}/`)).toBe('safe');
    expect(await said(settings, 'https://no-such-host.invalid/')).toContain(
      'certificate is for another host',
    );
    expect(await said({ ...settings, ca: undefined as never }, `${secure.url}/`)).toContain('self-signed');
  });

  test.each([
    ['http://127.0.0.1/', CLOSED],
    ['http://[::1]/', CLOSED],
    ['http://0x7f.1/', CLOSED],
    ['http://168.63.129.16/', CLOSED],
    ['http://localhost/', 'the local host is not in OUTBOUND_ALLOW_HOSTS'],
    ['http://app.localhost/', 'the local host is not in OUTBOUND_ALLOW_HOSTS'],
    ['http://database/', 'the local host is not in OUTBOUND_ALLOW_HOSTS'],
    ['http://metadata.google.internal./', 'the local host is not in OUTBOUND_ALLOW_HOSTS'],
    ['http://denied.example.com/', 'the host is blocked by OUTBOUND_DENY'],
    ['http://8.8.8.8/', 'the address is blocked by OUTBOUND_DENY'],
    ['http://example.com:25/', 'port 25 is not in OUTBOUND_PORTS'],
  ])('is not asked to connect to %s', async (url, reason) => {
    const deny = ['*.example.com', '8.8.8.8'];
    expect(await said({ allow: [], deny, proxy: await start({ port: target.port }) }, url)).toContain(reason);
    expect(proxy.asked).toEqual([]);
  });

  test('is reached by TLS, and verified, if its address says so', async () => {
    const url = (await start({ port: secure.port, tls })).replace('http:', 'https:');
    expect(await said({ proxy: url, ca }, `${secure.url}/`)).toBe('safe');
    expect(await said({ proxy: url }, `${secure.url}/`)).toContain('the proxy of OUTBOUND_PROXY failed');
  });

  test('gets an IPv6 address in brackets', async () => {
    const settings = { allow: ['::1'], proxy: await start({ port: target.port }) };
    expect(await said(settings, 'http://[::1]:8080/')).toBe('here');
    expect(proxy.asked[0]?.authority).toBe('[::1]:8080');
  });

  test('is asked for local hosts that are named', async () => {
    const settings = { allow: [], allowHosts: ['database'], proxy: await start({ port: target.port }) };
    expect(await said(settings, 'http://database/')).toBe('here');
  });

  test.each([403, 407, 502])(
    'that responds with %i is given as the reason, without its address',
    async (status) => {
      const settings = { allow: [], proxy: await start({ port: target.port, status }) };
      expect(await said(settings, 'http://example.com/')).toBe(
        `example.com: the proxy of OUTBOUND_PROXY answered ${status}`,
      );
    },
  );

  test('that is away or silent ends a request in its time', async () => {
    const silent = { allow: [], proxy: await start({ port: target.port, silent: true }) };
    expect(await said(silent, 'http://example.com/', { timeoutMs: 300 })).toContain('no response in time');
    await proxy.close();
    const words = await said(silent, 'http://example.com/');
    expect(words).toBe('example.com: the proxy of OUTBOUND_PROXY failed (ECONNREFUSED)');
    proxy = await startConnectProxy({ port: target.port });
  });
});

describe('the settings', () => {
  const environment = { DATABASE_URL: 'mysql://a@b/c', REDIS_URL: 'redis://a' };

  test('are what the client goes by', () => {
    const config = readConfig({
      ...environment,
      OUTBOUND_ALLOW: '10.0.0.0/8',
      OUTBOUND_DENY: '10.1.0.0/16, *.example.com, fd00::1',
      OUTBOUND_ALLOW_HOSTS: 'api.example.net,*.example.org',
      OUTBOUND_PORTS: '443, 8000-8999',
      OUTBOUND_REQUIRE_TLS: 'true',
      OUTBOUND_PROXY: 'http://u:p@proxy:3128',
      HTTP_TIMEOUT_MAX_SECONDS: '120',
    });
    expect(clientOptions(config)).toEqual({
      allow: ['10.0.0.0/8'],
      deny: ['10.1.0.0/16', '*.example.com', 'fd00::1'],
      allowHosts: ['api.example.net', '*.example.org'],
      ports: [
        [443, 443],
        [8000, 8999],
      ],
      requireTls: true,
      proxy: 'http://u:p@proxy:3128',
      timeoutMs: 30_000,
      maxTimeoutMs: 120_000,
      maxResponseBytes: 10 * 1024 * 1024,
    });
  });

  test('are open by default but for private networks and odd ports', () => {
    expect(clientOptions(readConfig(environment))).toMatchObject({
      allow: [],
      deny: [],
      allowHosts: [],
      ports: undefined,
      requireTls: false,
      proxy: undefined,
      maxTimeoutMs: 60_000,
    });
  });

  test.each([
    ['OUTBOUND_DENY', '10.0.0.0/33'],
    ['OUTBOUND_DENY', '10.0.0'],
    ['OUTBOUND_DENY', 'exa mple.com'],
    ['OUTBOUND_DENY', 'https://example.com'],
    ['OUTBOUND_ALLOW_HOSTS', '10.0.0.0/8'],
    ['OUTBOUND_ALLOW_HOSTS', 'api.*.com'],
    ['OUTBOUND_ALLOW_HOSTS', 'example.com:443'],
    ['OUTBOUND_PORTS', '0'],
    ['OUTBOUND_PORTS', '9-8'],
    ['OUTBOUND_PORTS', '65536'],
    ['OUTBOUND_PORTS', 'https'],
    ['OUTBOUND_REQUIRE_TLS', 'perhaps'],
    ['OUTBOUND_PROXY', 'socks5://u:proxy-password-42@proxy'],
    ['HTTP_TIMEOUT_MAX_SECONDS', '601'],
  ])('that are mistyped (%s=%s) stop the start, without telling a password', (name, value) => {
    const read = () => readConfig({ ...environment, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    expect(read).not.toThrow('proxy-password-42');
  });
});
