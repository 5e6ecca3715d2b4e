import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { send } from '../support/console/send.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { givePassword, PASSWORD } from '../support/people.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const AWAY = 'The server is not responding. Trying again.';
const TEXT = 'Mail of 09:12 is real: the link leads to a page that asks for a password.';

describeInBrowser('what a person has written', () => {
  const { fabula, open: openIn, origin, signIn } = useConsole(stores);
  let page: Page;
  let caseId: number;

  beforeEach(async () => {
    page = await signIn();
    const body = { team_id: fabula.account.team.id, name: 'Phishing' };
    caseId = (await send<{ case_id: number }>(fabula, 'POST /api/v2/cases', body)).case_id;
  });

  const open = (path: string) => openIn(page, path);
  const field = () => page.getByRole('textbox', { name: 'New comment' });
  const comment = () => page.getByRole('button', { name: 'Comment', exact: true });
  const ended = () => page.getByRole('dialog', { name: 'Your session has ended' });
  const saidTimes = async () =>
    (await (await fabula.api('GET', `/api/v2/cases/${caseId}/comments`)).text()).split(TEXT).length - 1;
  /** Opens the case and writes; the session ends before it is sent. */
  const writeUntilOver = async () => {
    await open(`/cases/${caseId}`);
    await field().fill(TEXT);
    await stores.sql('DELETE FROM console_sessions');
    await comment().click();
    await ended().waitFor();
  };

  test('stays when the session ends: one signs in over the page, and presses again', async () => {
    await givePassword(stores, fabula.account.user.id);
    await writeUntilOver();
    expect(await page.locator('textarea').inputValue()).toBe(TEXT);
    expect(await page.getByText('Sign in or send a valid API key').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await faultsInThemes(page)).toEqual([]);
    expect(await ended().getByLabel('Email address').inputValue()).toBe(fabula.account.user.email);
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await ended().getByRole('alert').waitFor();
    await ended().getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await ended().waitFor({ state: 'detached' });
    expect(await field().inputValue()).toBe(TEXT);
    expect(await saidTimes()).toBe(0);
    await comment().click();
    await page.getByRole('listitem').filter({ hasText: TEXT }).waitFor();
    expect([await saidTimes(), await field().inputValue()]).toEqual([1, '']);
  });

  test('is not shown to another person who signs in there', async () => {
    const { team } = fabula.account;
    const other = await buildAccount(stores.db, { team, role: 'EDITOR' });
    await givePassword(stores, other.user.id);
    await writeUntilOver();
    await ended().getByLabel('Email address').fill(other.user.email);
    await ended().getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: new RegExp(other.user.email) }).waitFor();
    await field().waitFor();
    expect(await field().inputValue()).toBe('');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(TEXT);
  });

  test('outlives a reload of the page, and a server that is away', async () => {
    await open(`/cases/${caseId}`);
    await field().fill(TEXT);
    await page.route(`${origin().url}/api/**`, (route) => route.abort());
    await comment().click();
    await page.getByText('The server is unreachable.').first().waitFor();
    expect(await field().inputValue()).toBe(TEXT);
    await page.unroute(`${origin().url}/api/**`);
    await page.reload();
    await field().waitFor();
    expect(await field().inputValue()).toBe(TEXT);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('Reported by finance.');
    await page.reload();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Reported by finance.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Reported by finance.').waitFor();
  });

  test('is sent once by a double click, and by a press after a response that was lost', async () => {
    await open(`/cases/${caseId}`);
    await field().fill(TEXT);
    await comment().dblclick();
    await page.getByRole('listitem').filter({ hasText: TEXT }).waitFor();
    expect(await saidTimes()).toBe(1);

    await field().fill(`Again: ${TEXT}`);
    // The server has done it, and nobody hears of it.
    await page.route(
      `**/cases/${caseId}/comments`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await comment().click();
    await page.getByText('The server is unreachable.').first().waitFor();
    await comment().click();
    await eventually(async () => (await field().inputValue()) === '');
    expect(await saidTimes()).toBe(2);
  });
});

describeInBrowser('a page that cannot be loaded', () => {
  const { open: openIn, origin, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn();
  });

  const away = () => page.getByRole('status').filter({ hasText: AWAY });
  const gallery = () => page.getByRole('heading', { name: 'Gallery' });
  const loads = () => {
    let count = 0;
    page.on('load', () => (count += 1));
    return () => count;
  };

  test('says that the server is away, and comes by itself when it is back', async () => {
    await page.route(`${origin().url}/**`, (route) => route.abort());
    await page.getByRole('link', { name: 'Gallery', exact: true }).click();
    await away().first().waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    await page.unroute(`${origin().url}/**`);
    await gallery().waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/gallery');
  });

  test('is loaded again once where the files of another version are served', async () => {
    const count = loads();
    await page.route('**/gallery-page*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('link', { name: 'Gallery', exact: true }).click();
    await gallery().waitFor();
    expect(count()).toBe(1);
    await page.route('**/resources-page*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByText('Something went wrong on this page.').waitFor();
    expect(count()).toBe(1);
  });

  test('has words for a server that answers 503 for longer than two seconds', async () => {
    const down = { status: 503, json: { errors: [{ message: 'The database is unreachable' }] } };
    await page.route('**/api/v1/**', (route) => route.fulfill(down));
    await openIn(page, '/stories');
    await away().first().waitFor();
    await page.getByText('The database is unreachable').first().waitFor();
    await page.unroute('**/api/v1/**');
    await page.getByText('No stories yet').first().waitFor();
    expect(await away().count()).toBe(0);
  });

  test('that was checked before says when, in grey, while the server is away', async () => {
    await page.getByText(/^checked /).waitFor();
    const status = page.getByRole('region', { name: 'Status' });
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.getByText(/^Last checked .+ The server is not responding\. Trying again\.$/).waitFor();
    expect(await status.getAttribute('class')).toContain('old');
    await page.unroute('**/api/v1/**');
    await status.getByText(/^checked /).waitFor();
    expect(await status.getAttribute('class')).not.toContain('old');
  });
});
