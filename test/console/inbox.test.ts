import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { buildHeldWork, holding } from '../support/console/held-world.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { agentIds, runsOf } from '../support/run-api.js';
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
  let stories: Awaited<ReturnType<typeof buildHeldWork>>;

  beforeEach(async () => {
    await leaveOneTenant(stores, fabula);
    stories = await buildHeldWork(fabula);
    page = await signIn();
  });

  const row = (title: RegExp) =>
    page
      .getByRole('list', { name: /^(Needs attention|Closed)$/ })
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
      await row(MAILS_WAIT).getByText('continues after 00:00 UTC').waitFor();
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
        .getByRole('link', { name: /the mail quota is used up: continues after 00:00 UTC$/ })
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

  test(
    'a run, its step and its action say why they wait and until when, also on a phone',
    async () => {
      const { 'Tell the shift': action } = await agentIds(fabula, stories.mails);
      await open(page, `/stories/${stories.mails}?action=${action}`);
      const panel = page.getByRole('complementary', { name: /Tell the shift/ });
      await panel.getByText(/^\d+ deliveries wait\.$/).waitFor();
      await panel.getByText(/The mail quota is used up: continues after 00:00 UTC\./).waitFor();
      expect(await faultsAt('action')).toEqual([]);
      await panel.getByRole('link', { name: 'Open quotas' }).click();
      await page.waitForURL('**/quotas');

      const [run] = await runsOf(fabula, stories.mails);
      await open(page, `/runs/${stories.mails}/${run!.guid}`);
      const banner = page.getByRole('region', { name: 'Why it waits' });
      await banner.getByText('The mail quota is used up: continues after 00:00 UTC').waitFor();
      await page.getByRole('treeitem', { name: /Tell the shift/ }).click();
      const step = page.getByRole('complementary', { name: 'Step Tell the shift' });
      await step.getByText(/^The mail quota is used up: continues after 00:00 UTC\./).waitFor();
      expect(await faultsAt('step')).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test('on a phone each row says what is held, and its menus can be reached', async () => {
    await page.setViewportSize(NARROW);
    await open(page, '/inbox');
    const held = row(MAILS_WAIT);
    await held.getByText('continues after 00:00 UTC').waitFor();
    await row(/deliveries wait: no process serves the queue$/).waitFor();
    const frame = (await held.boundingBox())!;
    for (const control of await held.getByRole('button').or(held.getByRole('link')).all()) {
      const box = (await control.boundingBox())!;
      expect(box.height).toBeGreaterThanOrEqual(24);
      expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width);
    }
    await held.getByRole('button', { name: /^Snooze/ }).click();
    await page.getByRole('menuitem', { name: /^For 1 hour/ }).click();
    await held.waitFor({ state: 'detached' });
    expect(await overflowOf(page)).toBe(0);
  });

  test('a closed entry says when and after whose change it ended', async () => {
    await open(page, '/inbox');
    const unserved = /deliveries wait: no process serves the queue$/;
    await row(unserved).waitFor();
    const { 'Ask the inventory': action } = await agentIds(fabula, stories.questions);
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [action!]);
    await row(unserved).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'State' }).selectOption('Closed');
    await page.waitForURL('**/inbox?state=closed');
    await row(unserved).getByText('closed by itself').waitFor();
    expect(await row(unserved).getByRole('button').count()).toBe(0);
    expect(await faultsAt('closed entries')).toEqual([]);
  });

  test('Enter opens what the row is about', async () => {
    await open(page, '/inbox');
    await row(MAILS_WAIT).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor({ state: 'detached' });
  });
});
