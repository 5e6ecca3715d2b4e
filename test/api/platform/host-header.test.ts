import { type TestApp, startTestApp } from '../../support/app.js';
import { sendRaw, statusOf } from '../../support/raw-http.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(stores, { routes: [], services: null });
});

const ask = async (lines: string[]) =>
  statusOf(await sendRaw(app.url, [...lines, 'Connection: close', '', ''].join('\r\n')));

it.each<[string, string[]]>([
  ['two Host headers', ['GET /healthz HTTP/1.1', 'Host: a', 'Host: b']],
  ['two Host headers that are the same', ['GET /healthz HTTP/1.1', 'Host: a', 'hOST: a']],
  ['two Host headers in HTTP/1.0', ['GET /healthz HTTP/1.0', 'Host: a', 'Host: b']],
  ['no Host header', ['GET /healthz HTTP/1.1']],
  ['a Host header with a path', ['GET /healthz HTTP/1.1', 'Host: a/b']],
  ['a Host header with an account', ['GET /healthz HTTP/1.1', 'Host: a@b']],
  ['a Host header with a space', ['GET /healthz HTTP/1.1', 'Host: a b']],
  ['a list of hosts', ['GET /healthz HTTP/1.1', 'Host: "a", b\\']],
  ['another host in the target', ['GET http://b/healthz HTTP/1.1', 'Host: a']],
  ['an account in the target', ['GET http://x@a/healthz HTTP/1.1', 'Host: a']],
  ['a target that is no address', ['GET healthz HTTP/1.1', 'Host: a']],
  ['another scheme', ['GET ftp://a/healthz HTTP/1.1', 'Host: a']],
])('a request with %s is refused', async (_what, lines) => {
  expect(await ask(lines)).toBe(400);
});

it.each<[string, string[]]>([
  ['a host', ['GET /healthz HTTP/1.1', 'Host: a.example']],
  ['a host with a port', ['GET /healthz HTTP/1.1', 'Host: a.example:3000']],
  ['an IPv6 address', ['GET /healthz HTTP/1.1', 'Host: [::1]:3000']],
  ['an empty Host header', ['GET /healthz HTTP/1.1', 'Host:']],
  ['no Host header in HTTP/1.0', ['GET /healthz HTTP/1.0']],
  ['a whole address', ['GET http://A.example:80/healthz HTTP/1.1', 'Host: a.example:80']],
  ['headers that are named alike', ['GET /healthz HTTP/1.1', 'Host: a', 'X-Host: b', 'Hos: c', 'Hosts: d']],
])('a request with %s is served', async (_what, lines) => {
  expect(await ask(lines)).toBe(200);
});

it.each([
  'GET /healthz\r\n\r\n',
  'GET /healthz HTTP/0.9\r\n\r\n',
  'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n',
])('HTTP of another version is refused: %j', async (bytes) => {
  const response = await sendRaw(app.url, bytes);
  expect(response).not.toContain('"status":"ok"');
  expect([400, 505]).toContain(statusOf(response));
});
