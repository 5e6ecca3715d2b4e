import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildHeldWork, holding } from '../support/console/held-world.js';
import { shootPrint, shootSizes, SIZES } from '../support/console/shots.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { givePassword } from '../support/people.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const SHOTS_LIMIT_MS = 10 * 60_000;
const LETTERS = 14;
const MAILS_WAIT = /^\d+ deliveries wait: the mail quota is used up/;

/** The response of a ticket store that is away. */
const DOWN = {
  status: 500,
  body: { error: { message: 'Ticket store unavailable: connection to shard tickets-03 refused' } },
};

describeInBrowser('pictures of work that is held', () => {
  let mailServer: SmtpTestServer;
  beforeAll(async () => {
    mailServer = await startSmtpServer();
  });
  afterAll(() => mailServer.close());

  const { fabula, open, signIn } = useConsole(stores, () => holding(mailServer.url));

  test(
    'home, inbox, quotas, queues and the run that waits',
    async () => {
      await leaveOneTenant(stores, fabula);
      await buildHeldWork(fabula);
      const page = await signIn({ viewport: SIZES.wide });
      const waiting = page.getByRole('link', { name: MAILS_WAIT });
      await open(page, '/inbox');
      await waiting.waitFor();
      await shootSizes(page, 'held-inbox');

      await waiting.focus();
      await page.keyboard.press('s');
      await page.getByRole('menu').waitFor();
      await shootSizes(page, 'held-inbox-menu');
      await page.getByRole('menuitem', { name: /^Until tomorrow morning/ }).click();
      await waiting.waitFor({ state: 'detached' });
      await open(page, '/inbox?state=snoozed');
      await waiting.waitFor();
      await shootSizes(page, 'held-inbox-snoozed');

      await open(page, '/quotas');
      await page.getByText('of 5, used up').waitFor();
      await shootSizes(page, 'held-quotas');
      await open(page, '/queues');
      await page
        .getByRole('link', { name: /the mail quota is used up/ })
        .first()
        .waitFor();
      await shootSizes(page, 'held-queues');
      await open(page, '/');
      await page.locator('.verdict-words').waitFor();
      await shootSizes(page, 'held-home');
      await open(page, '/runs?status=running');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('link', { name: 'Full page' }).waitFor();
      await page.getByRole('treeitem').last().click();
      await shootSizes(page, 'held-run');
    },
    SHOTS_LIMIT_MS,
  );
});

describeInBrowser('pictures of failures, a canary retry and the end of a session', () => {
  const { fabula, open, signIn } = useConsole(stores, () => ({ env: { MAX_ATTEMPTS: '1' } }));
  let target: HttpTarget;
  let page: Page;

  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/tickets': DOWN } });
    const ask = {
      url: `${target.url}/tickets`,
      method: 'post',
      payload: '=receive_alert.body',
      fail_on_status: ['500'],
      retry_on_status: [],
    };
    const { webhooks } = await fabula.importStory(
      storyOf({ 'Receive alert': ['Webhook', {}], 'Open a ticket': ['HTTPRequest', ask] }, [
        'Receive alert > Open a ticket',
      ]),
      { new_name: 'Tickets' },
    );
    for (let n = 1; n <= LETTERS; n++)
      await fabula.fire(webhooks['Receive alert']!, { title: `Disk full on web-${n}`, n });
    await eventually(async () => (await fabula.deadLetters()).length === LETTERS);
    await nameOwner();
    page = await signIn({ viewport: SIZES.wide });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dead letters' }).click();
    await page.locator('.group-place a').click();
  });

  afterEach(() => target.close());

  const nameOwner = () =>
    stores.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = ?", [
      fabula.account.user.id,
    ]);

  test(
    'what failed runs sent and received',
    async () => {
      const response = page.getByRole('region', { name: 'Response', exact: true });
      await response.getByText('Ticket store').waitFor();
      await shootSizes(page, 'failed-group', 'dead-letter');
      await open(page, '/inbox');
      await page.getByRole('list', { name: 'Needs attention' }).getByRole('link').first().waitFor();
      await shootSizes(page, 'failed-inbox');
      await open(page, '/runs');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('region', { name: 'Why it failed' }).waitFor();
      await shootSizes(page, 'failed-runs-split');
      // On a phone the run has left the list: it is on its own page now.
      await response.getByText('Ticket store').waitFor();
      await shootSizes(page, 'failed-run', 'run');
      await shootPrint(page, 'failed-run');
    },
    SHOTS_LIMIT_MS,
  );

  test(
    'under way, stopped and completed',
    async () => {
      const line = page.getByRole('region', { name: 'Canary retry' });
      const retry = async () => {
        await page.getByRole('button', { name: 'Retry 1 first' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Retry 1 first' }).click();
      };
      const stop = new EventEmitter();
      target.on('/tickets', { ...DOWN, after: once(stop, 'seen') });
      await retry();
      await line.getByText('Retrying 1 first').waitFor();
      await shootSizes(page, 'canary-running');
      stop.emit('seen');
      await line.getByText('Stopped: the same error came back').waitFor();
      await shootSizes(page, 'canary-stopped');
      target.on('/tickets', { status: 200 });
      await retry();
      await page.getByText('No dead letters left in this group.').waitFor({ timeout: 60_000 });
      await shootSizes(page, 'canary-completed');
    },
    SHOTS_LIMIT_MS,
  );

  test(
    'the session is over',
    async () => {
      await givePassword(stores, fabula.account.user.id);
      await page.getByRole('button', { name: 'Retry 1 first' }).waitFor();
      await stores.sql('DELETE FROM console_sessions');
      await page
        .getByRole('button', { name: /^Retry dead letter/ })
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await shootSizes(page, 'session-over');
    },
    SHOTS_LIMIT_MS,
  );
});
