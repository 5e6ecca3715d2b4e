import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { buildHeldWork, holding } from '../support/console/held-world.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Axe looks at each page four times, which takes minutes on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const MAILS_WAIT = /^\d+ deliveries wait: the mail quota is used up/;

describeInBrowser('what is held', () => {
  let mailServer: SmtpTestServer;
  beforeAll(async () => {
    mailServer = await startSmtpServer();
  });
  afterAll(() => mailServer.close());

  const { fabula, open, signIn } = useConsole(stores, () => holding(mailServer.url));
  let page: Page;

  beforeEach(async () => {
    await leaveOneTenant(stores, fabula);
    await buildHeldWork(fabula);
    page = await signIn();
  });

  const row = (title: RegExp) =>
    page
      .getByRole('list', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({
        has: page.getByRole('link', { name: title }),
      });

  async function faultsAt(place: string): Promise<string[]> {
    const found: string[] = [];
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      found.push(...(await faultsInThemes(page, `${place}, ${viewport.width} px`)));
      const wider = await overflowOf(page);
      if (wider !== 0) found.push(`${place} is ${wider} px wider than ${viewport.width} px`);
    }
    return found;
  }

  test(
    'a person on call sees why mails wait and until when: in the inbox, the quotas and the queues',
    async () => {
      await open(page, '/');
      await page.getByRole('link', { name: /^Inbox \(\d+ need attention\)$/ }).click();
      await row(MAILS_WAIT).getByText('goes on after 00:00 UTC').waitFor();
      expect(await faultsAt('inbox')).toEqual([]);

      await row(MAILS_WAIT)
        .getByRole('link', { name: /^Open quotas/ })
        .click();
      const mails = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^Mails/ }) });
      await mails.getByText('of 5, used up').waitFor();
      await mails.getByText('00:00 UTC').waitFor();
      await mails.getByRole('link', { name: /deliver(y|ies)$/ }).waitFor();
      expect(await faultsAt('quotas')).toEqual([]);

      await open(page, '/queues');
      const why = (queue: string) =>
        page
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name: queue }) })
          .getByRole('cell')
          .last();
      await why('email')
        .getByRole('link', { name: /the mail quota is used up: goes on after 00:00 UTC$/ })
        .waitFor();
      await why('http-request')
        .getByText(/^no process serves it: the oldest work waits for/)
        .waitFor();
      await page
        .getByRole('status')
        .getByText('No process serves http-request. Start a worker for this queue.')
        .waitFor();
      await page.getByText(/^3 deliveries wait, the oldest for /).waitFor();
      expect(await faultsAt('queues')).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test('an entry is assigned and snoozed by keys; the address has the filters', async () => {
    await open(page, '/inbox');
    await row(MAILS_WAIT).waitFor();
    const count = await page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').count();
    await row(MAILS_WAIT).getByRole('link', { name: MAILS_WAIT }).focus();
    await page.keyboard.press('a');
    await page.getByRole('menuitem', { name: 'Assign to me' }).waitFor();
    await page.keyboard.press('Enter');
    await row(MAILS_WAIT)
      .getByRole('button', { name: /^Assigned to/ })
      .waitFor();

    await page.getByRole('combobox', { name: 'Assigned to' }).selectOption('Mine');
    await page.waitForURL('**/inbox?who=me');
    await page.reload();
    await row(MAILS_WAIT).waitFor();
    await page.goto(page.url().replace('?who=me', ''));
    await row(MAILS_WAIT).getByRole('link', { name: MAILS_WAIT }).focus();
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: /^Until tomorrow morning/ }).click();
    await row(MAILS_WAIT).waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').count()).toBe(
      count - 1,
    );

    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Snoozed (1)' });
    await page.waitForURL('**/inbox?state=snoozed');
    await row(MAILS_WAIT)
      .getByText(/^snoozed, back/)
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Nothing is snoozed.').waitFor();
  });

  test('Enter opens what the row is about', async () => {
    await open(page, '/inbox');
    await row(MAILS_WAIT).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor({ state: 'detached' });
  });
});
