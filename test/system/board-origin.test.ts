import type { Page } from 'playwright-core';
import { createAdminListener } from '../../src/web/admin/admin-listener.js';
import { readConfig } from '../../src/config/config.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import type { JsonObject } from '../../src/platform/json.js';
import { ADMIN_BASIC, ADMIN_PASSWORD, ADMIN_USER } from '../support/admin-account.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { call } from '../support/http-call.js';

const stores = useStores();
const ACCOUNT = { ADMIN_USER, ADMIN_PASSWORD };
const BOARD = '/admin/queues/';
let fabula: TestFabula;

afterEach(() => fabula?.close());

const start = async (env: NodeJS.ProcessEnv = {}) => {
  fabula = await startFabula(stores, { env: { ...ACCOUNT, ...env }, queues: [], relay: false });
};

/** A webhook that asks for the board's password, and keeps what it can get. */
const TRAP: JsonObject = {
  verbs: 'get,post',
  include_headers: true,
  response_code: 401,
  response_headers: { 'WWW-Authenticate': 'Basic realm="Fabula", charset="UTF-8"' },
  response: 'who are you?',
};
const greedy = () => ({ keep_headers: 'authorization, proxy-authorization, cookie' });

async function trap(more: JsonObject = {}): Promise<string> {
  const { webhooks } = await fabula.importStory(storyOf({ Hook: ['Webhook', { ...TRAP, ...more }] }, []));
  return `/webhook/${webhooks['Hook']}`;
}

const headersOfEvents = async () =>
  (await fabula.events()).map(({ payload }) => (payload as { headers: Record<string, string> }).headers);

describe('two ports', () => {
  beforeEach(() => start());

  it('the tenants’ port never serves the board, whoever asks and however the path is spelt', async () => {
    for (const path of [
      '/admin/queues',
      BOARD,
      '/admin/queues/api/queues',
      '/admin/sign-in',
      '/admin',
      '/ADMIN/queues',
      '//admin/queues',
    ]) {
      for (const headers of [{}, ADMIN_BASIC, { accept: 'text/html' }]) {
        const response = await call(fabula.url + path, { headers });
        expect([path, response.status]).toEqual([path, 404]);
        expect(response.headers).not.toHaveProperty('www-authenticate');
      }
    }
    expect((await fetch(fabula.adminUrl + BOARD, { headers: ADMIN_BASIC })).status).toBe(200);
  });

  it('the board’s port serves nothing of the tenants', async () => {
    const path = await trap();
    expect((await fetch(fabula.url + path)).status).toBe(401);
    for (const other of [
      path,
      '/prompts/0123456789abcdef0123456789abcdef',
      '/api/docs',
      '/api/openapi.json',
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(fabula.adminUrl + other, { method, headers: ADMIN_BASIC });
        expect([other, response.status]).toEqual([other, 404]);
      }
    }
    expect(await headersOfEvents()).toHaveLength(1);
  });

  it('neither port ever asks a browser for a password', async () => {
    const path = await trap();
    const wrong = { authorization: 'Basic d3Jvbmc6d3Jvbmc=' };
    for (const url of [
      fabula.url + path,
      `${fabula.url}/webhook/none/x`,
      fabula.adminUrl + BOARD,
      `${fabula.adminUrl}/x`,
    ]) {
      for (const headers of [{}, wrong, { accept: 'text/html', 'sec-fetch-mode': 'navigate' }]) {
        expect((await call(url, { headers })).headers).not.toHaveProperty('www-authenticate');
      }
    }
  });

  it('a password that comes to a webhook all the same is not kept', async () => {
    const path = await trap();
    expect((await fetch(fabula.url + path, { headers: ADMIN_BASIC })).status).toBe(401);
    expect((await headersOfEvents())[0]).not.toHaveProperty('authorization');
  });

  it('the session goes to the paths of the board only, and out of reach of scripts', async () => {
    const response = await fetch(`${fabula.adminUrl}/admin/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: fabula.adminUrl },
      body: new URLSearchParams({ user: ADMIN_USER, password: ADMIN_PASSWORD }),
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `${fabula.adminUrl.slice(5)}/admin/queues`,
    ]);
    const [cookie, ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
    expect(cookie).toMatch(/^fabula_admin=v1\./);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/admin', 'SameSite=Strict']);
  });
});

const NAME = 'admin.example.test';
const ask = (path: string, host: string, headers: Record<string, string> = {}) =>
  call(fabula.url + path, { headers: { host, ...headers } });

describe('one port and a name for the board', () => {
  beforeEach(() => start({ ADMIN_ORIGIN: `https://${NAME}`, PUBLIC_URL: 'https://fabula.example.test' }));

  it('the board answers to its name only', async () => {
    for (const host of [NAME, NAME.toUpperCase(), `${NAME}:443`, `${NAME}.`]) {
      expect([host, (await ask(BOARD, host, ADMIN_BASIC)).status]).toEqual([host, 200]);
    }
    const others = [
      'fabula.example.test',
      'x.admin.example.test',
      'admin.example.test.evil.test',
      '127.0.0.1',
    ];
    for (const host of others) {
      expect([host, (await ask(BOARD, host, ADMIN_BASIC)).status]).toEqual([host, 404]);
      // Nobody but a trusted proxy may say that another name was asked for.
      const forwarded = await ask(BOARD, host, { ...ADMIN_BASIC, 'x-forwarded-host': NAME });
      expect([host, forwarded.status]).toEqual([host, 404]);
    }
  });

  it('tenants are not served under the name of the board', async () => {
    const path = await trap();
    for (const host of [NAME, `${NAME}:8443`, `${NAME}.`]) {
      for (const other of [path, '/prompts/0123456789abcdef0123456789abcdef', '/api/docs', '/healthz']) {
        expect([other, (await ask(other, host)).status]).toEqual([other, 404]);
      }
    }
    // The API is there for keys and sessions of people.
    expect((await ask('/api/v1/stories', NAME)).status).toBe(401);
    expect((await ask(path, 'fabula.example.test')).status).toBe(401);
  });

  it('behind TLS the session is sent over TLS only', async () => {
    const response = await call(`${fabula.url}/admin/sign-in`, {
      headers: { host: NAME, origin: `https://${NAME}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ user: ADMIN_USER, password: ADMIN_PASSWORD }).toString(),
    });
    expect(response.status).toBe(303);
    const [cookie, ...attributes] = String(response.headers['set-cookie']).split('; ');
    expect(cookie).toMatch(/^__Secure-fabula_admin=v1\./);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/admin', 'SameSite=Strict', 'Secure']);
    expect((await ask(BOARD, NAME, { cookie: String(cookie) })).status).toBe(200);
  });
});

const read = (env: NodeJS.ProcessEnv) =>
  readConfig({ DATABASE_URL: 'mysql://h/d', REDIS_URL: 'redis://h', ...env });

describe('settings', () => {
  it('the board is on the loopback address and a port of its own unless told otherwise', () => {
    expect(read({})).toMatchObject({ adminPort: 3001, adminHost: '127.0.0.1', adminOrigin: undefined });
    expect(read({ PORT: '3001' }).adminPort).toBe(3002);
    expect(read({ PORT: '0' }).adminPort).toBe(0);
    expect(read({ ADMIN_ORIGIN: 'https://admin.example.com/' })).toMatchObject({
      adminPort: undefined,
      adminOrigin: 'https://admin.example.com',
    });
    expect(read({ ADMIN_ORIGIN: 'https://a.example', ADMIN_PORT: '9' }).adminPort).toBe(9);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['one port for both', { PORT: '4000', ADMIN_PORT: '4000' }, /ADMIN_PORT must differ from PORT/],
    [
      'one name for both',
      { PUBLIC_URL: 'https://a.example/', ADMIN_ORIGIN: 'https://A.example' },
      /a different host name/,
    ],
    [
      'one name, two ports',
      { PUBLIC_URL: 'https://a.example', ADMIN_ORIGIN: 'https://a.example:8443' },
      /a different host name/,
    ],
    ['a query', { ADMIN_ORIGIN: 'https://a.example/?admin' }, /ADMIN_ORIGIN must be an origin/],
    ['a name alone', { ADMIN_ORIGIN: 'a.example' }, /ADMIN_ORIGIN must be an origin/],
    ['an account in it', { ADMIN_ORIGIN: 'https://u:p@a.example' }, /ADMIN_ORIGIN must be an origin/],
  ])('%s is refused', (_what, env, message) => {
    expect(() => read(env)).toThrow(message);
  });

  it('a web process listens on both ports, and serves calls where the board’s is taken', async () => {
    const [port, next, adminPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const env = fabulaEnvironment(stores, { ...ACCOUNT, ADMIN_PORT: String(adminPort), LOG_LEVEL: 'info' });
    const first = startProcess('web', { ...env, PORT: String(port) });
    try {
      await first.said('console and queue board are listening');
      expect((await fetch(`http://127.0.0.1:${adminPort}${BOARD}`, { headers: ADMIN_BASIC })).status).toBe(
        200,
      );
      const second = startProcess('web', { ...env, PORT: String(next) });
      await second.said('console and queue board are unavailable');
      expect((await fetch(`http://127.0.0.1:${next}/healthz`)).status).toBe(200);
      expect(await second.stop('SIGTERM')).toBe(0);
    } finally {
      expect(await first.stop('SIGTERM')).toBe(0);
    }
  });

  it('without a port nothing listens', async () => {
    const listener = createAdminListener({
      app: undefined,
      config: readConfig(fabulaEnvironment(stores, { ADMIN_ORIGIN: 'https://a.example' })),
      logger: stores.logger,
    });
    listener.listen();
    await listener.close();
  });
});

/** Opens what a browser may refuse to show: a response that asks for an account, or a file. */
const show = (page: Page, url: string) => page.goto(url).catch(() => undefined);

/** Types name and password, and presses the button, like a person. */
async function signInByHand(page: Page): Promise<void> {
  await page.goto(fabula.adminUrl + BOARD);
  expect(new URL(page.url()).pathname).toBe('/admin/sign-in');
  await page.locator('#user').fill(ADMIN_USER);
  await page.locator('#password').fill(ADMIN_PASSWORD);
  await page.getByRole('button').click();
  await page.waitForURL(/\/admin\/queues$/);
}

describeInBrowser('in a browser', () => {
  const { newPage } = useBrowser();

  beforeEach(() => start());

  it('a webhook that asks gets neither the password nor the session of whoever is at the board', async () => {
    const path = await trap(greedy());
    const page = await newPage();
    await signInByHand(page);
    // The old way: an account in the address, which a browser may send when it is asked.
    await page.goto(
      fabula.adminUrl.replace('//', `//${ADMIN_USER}:${encodeURIComponent(ADMIN_PASSWORD)}@`) + BOARD,
    );
    await show(page, fabula.url + path);
    await show(page, fabula.url + path);
    const events = await eventually(async () => {
      const headers = await headersOfEvents();
      return headers.length >= 2 && headers;
    });
    for (const headers of events) {
      expect(headers).toHaveProperty('user-agent');
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
    // The board's session still works.
    await page.goto(fabula.adminUrl + BOARD);
    expect(new URL(page.url()).pathname).toBe('/admin/queues/');
  });

  it('a response that a browser shows runs no script, and its form is not sent', async () => {
    const html =
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><form action="/webhook/none/x" method="post"><input name="pw"/><button>ok</button></form><script>document.title = "ran"</script></body></html>';
    const path = await trap({
      response: html,
      response_code: 200,
      response_headers: { 'content-type': 'text/plain' },
    });
    const page = await newPage();
    await page.goto(fabula.url + path);
    expect(await page.evaluate('document.forms.length')).toBe(0);
    expect(await page.evaluate('self.origin')).toBe('null');
    expect(await page.title()).not.toBe('ran');
    const xml = await trap({
      response: html,
      response_code: 200,
      response_headers: { 'content-type': 'text/xml' },
    });
    await show(page, fabula.url + xml);
    // Kept as a file: the page before is still there.
    expect(await page.evaluate('document.forms.length')).toBe(0);
  });
});
