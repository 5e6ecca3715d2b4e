import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { ADMIN_PASSWORD, ADMIN_USER } from '../support/admin-account.js';
import { describeInBrowser } from '../support/browser.js';
import { consolePages } from '../support/console/console-pages.js';
import { unvisitedPaths } from '../support/console/console-paths.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { type Misdeeds, NO_MISDEEDS, watchPage } from '../support/console/page-faults.js';
import { type PrefixProxy, startPrefixProxy } from '../support/console/prefix-proxy.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { makeLink, PASSWORD } from '../support/people.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PREFIX = '/tools/fabula';
/** Each page is opened twice, which takes seconds on a busy machine. */
const LOOKED_AT_MS = 20 * 60_000;

describeInBrowser('the console behind a proxy that takes a prefix off', () => {
  let smtp: SmtpTestServer;
  let proxy: PrefixProxy;
  let page: Page;
  let misdeeds: Misdeeds;

  beforeAll(async () => {
    smtp = await startSmtpServer();
    proxy = await startPrefixProxy(PREFIX, () => fabula.adminUrl);
  });
  afterAll(async () => {
    await proxy?.close();
    await smtp?.close();
  });

  const { fabula, newPage } = useConsole(stores, () => ({
    env: {
      SMTP_URL: smtp.url,
      TRUSTED_PROXIES: '127.0.0.0/8',
      // Links of mails come from the settings alone.
      ADMIN_ORIGIN: proxy.url,
      ADMIN_USER,
      ADMIN_PASSWORD,
    },
  }));

  beforeEach(async () => {
    await leaveOneTenant(stores, fabula);
    page = await newPage({ acceptDownloads: true });
    misdeeds = watchPage(page, proxy.url);
  });

  const navigation = () => page.getByRole('navigation', { name: 'Pages' });
  const signIn = async () => {
    const token = await makeLink(stores, fabula.account.user.id, 'sign_in');
    await page.goto(`${proxy.url}/console/?link=${token}`);
    await navigation().waitFor();
  };
  const expectNoStrays = () => {
    expect(misdeeds).toEqual(NO_MISDEEDS);
    expect(proxy.strays).toEqual([]);
  };

  test('a link signs in, and the session stays with a cookie for this host alone', async () => {
    await page.goto(`${proxy.url}/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/console/`);
    await signIn();
    expect(page.url()).toBe(`${proxy.url}/console/`);
    const cookies = await page.context().cookies(page.url());
    expect(cookies.toSorted((a, b) => b.name.localeCompare(a.name))).toMatchObject([
      { name: 'fabula_session', domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Strict' },
      { name: 'fabula_device', domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Strict' },
    ]);
    await page.reload();
    await navigation().waitFor();
    expectNoStrays();
  });

  test(
    'every page opens by its address, and again',
    async () => {
      const pages = await consolePages(fabula, await buildConsoleWorld(stores, fabula));
      expect(unvisitedPaths(pages.map(({ path }) => path))).toEqual([]);
      await signIn();
      for (const named of pages) {
        await named.open(page, proxy.url);
        const address = page.url();
        expect(address).toContain(`${proxy.url}/console/`);
        await page.reload();
        await navigation().waitFor();
        expect(page.url()).toBe(address);
      }
      expectNoStrays();
    },
    LOOKED_AT_MS,
  );

  test('every page opens by a click, live events come, and files are saved', async () => {
    await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: 'First' });
    await signIn();
    const names = await navigation().getByRole('link').allTextContents();
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) {
      const link = navigation().getByRole('link', { name, exact: true });
      await link.click();
      await link.and(page.locator('[aria-current=page]')).waitFor();
      await page.locator('main :is(h1, .state)').first().waitFor();
      expect(page.url()).toContain(`${proxy.url}/console/`);
    }

    await navigation().getByRole('link', { name: 'Stories', exact: true }).click();
    await page.getByRole('link', { name: 'First' }).waitFor();
    await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: 'Second' });
    await page.getByRole('link', { name: 'Second' }).waitFor();
    await page.getByRole('checkbox', { name: /First/ }).check();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(JSON.parse(saved)).toMatchObject({ name: 'First' });
    await page.getByRole('link', { name: 'First' }).click();
    await page.locator('.action-box', { hasText: 'Hook' }).click();
    await page.getByRole('complementary', { name: 'Action Hook' }).waitFor();
    expect(page.url()).toContain(`${proxy.url}/console/stories/`);
    expectNoStrays();
  });

  test('the board opens from the console, and leads back', async () => {
    await signIn();
    await navigation().getByRole('link', { name: 'Queues', exact: true }).click();
    await page.getByRole('link', { name: 'Jobs of http-request on the queue board' }).click();
    await page.waitForURL(`${proxy.url}/admin/queues/queue/http-request*`);
    await page.getByRole('link', { name: 'Metrics history' }).click();
    await page.waitForURL(`${proxy.url}/admin/queues/metrics-history*`);
    await page.reload();
    await page.getByRole('link', { name: 'Metrics history' }).waitFor();
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.waitForURL(`${proxy.url}/console/queues`);
    expect(proxy.strays).toEqual([]);
  });

  test('the account of the board signs in, and its session is for the board alone', async () => {
    await page.goto(`${proxy.url}/admin/queues`);
    await page.waitForURL(`${proxy.url}/admin/sign-in`);
    await page.fill('#user', ADMIN_USER);
    await page.fill('#password', ADMIN_PASSWORD);
    await page.click('button[type=submit]');
    await page.getByRole('link', { name: 'Metrics history' }).waitFor();
    const cookies = await page.context().cookies(page.url());
    expect(cookies.toSorted((a, b) => b.name.localeCompare(a.name))).toMatchObject([
      { name: 'fabula_admin', path: `${PREFIX}/admin` },
    ]);
    await page.goto(`${proxy.url}/admin/runs/nothing`);
    await page.getByRole('link', { name: 'Back to the queues' }).click();
    await page.waitForURL(`${proxy.url}/admin/queues`);
    await page.goto(`${proxy.url}/admin/sign-out`);
    await page.click('button[type=submit]');
    await page.waitForURL(`${proxy.url}/admin/sign-in`);
    expect(await page.context().cookies(page.url())).toEqual([]);
    expect(proxy.strays).toEqual([]);
  });

  test('a mail leads back through the proxy', async () => {
    await page.goto(`${proxy.url}/console/`);
    await page.getByLabel('Email address').fill(fabula.account.user.email);
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    const mail = await eventually(() => smtp.mails[0]);
    const text = mail.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const [link = ''] = /http:\S+\?reset=[\w-]{43}/.exec(text) ?? [];
    expect(link).toContain(`${proxy.url}/console/?reset=`);
    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/console/`);
    expectNoStrays();
  });
});
