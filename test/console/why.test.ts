import type { Page } from 'playwright-core';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsInThemes, NO_MISDEEDS, overflowOf, watchPage } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { runsOf } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Pages take seconds on a busy machine. */
const LOOKED_AT_MS = 10 * 60_000;
const DESK = { width: 1440, height: 900 };
const CAUSE = '500 · Ticket store unavailable: connection to shard tickets-03 refused';
const DOWN = { error: { message: 'Ticket store unavailable: connection to shard tickets-03 refused' } };

describeInBrowser('why a run failed, in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores, () => ({ env: { MAX_ATTEMPTS: '2' } }));
  let target: HttpTarget;
  let page: Page;
  beforeEach(async () => {
    target = await startHttpTarget({
      rules: { '/tickets': { status: 500, body: DOWN }, '/odd': { status: 502, body: 'bad gateway' } },
    });
    page = await signIn();
    await page.setViewportSize(DESK);
  });
  afterEach(() => target.close());

  const ask = (path: string, options = {}): ShortAgent => [
    'HTTPRequest',
    { url: `${target.url}${path}`, method: 'get', retry_on_status: [], ...options },
  ];

  /** Imports a story whose webhook leads to one action, and calls it. */
  async function storyWith(name: string, action: ShortAgent, calls: object[]) {
    const data = storyOf({ Hook: ['Webhook', {}], [name]: action }, [`Hook > ${name}`], { name: 'Tickets' });
    const story = await fabula.importStory(data, { new_name: 'Tickets' });
    for (const body of calls) await fabula.fire(story.webhooks['Hook']!, body);
    await fabula.settled();
    return story;
  }

  const failing = (calls: object[]) =>
    storyWith('Open a ticket', ask('/tickets', { fail_on_status: ['500'] }), calls);

  test(
    'a failed run is understood and mended in three presses',
    async () => {
      await failing([{ host: 'web-1' }, { host: 'web-2' }]);
      const seen = watchPage(page, origin().url);

      // The list has the cause.
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();
      const row = page.getByRole('row').filter({ hasText: CAUSE }).first();
      await row.getByRole('link').click();

      const why = page.getByRole('region', { name: 'Why it failed' });
      await why.getByText(CAUSE).waitFor();
      await why.getByText('failed after 2 attempts').waitFor();
      expect(await why.getByRole('link', { name: /^Same error 2 times since/ }).count()).toBe(1);

      // The failing step is chosen, what it sent beside what came back.
      const panel = page.getByRole('complementary', { name: 'Step Open a ticket' });
      const [request, response] = [
        panel.getByRole('region', { name: 'Request', exact: true }),
        panel.getByRole('region', { name: 'Response', exact: true }),
      ];
      await response.getByText(DOWN.error.message).waitFor();
      await request.getByText(`${target.url}/tickets`).waitFor();
      const [left, right] = await Promise.all([request.boundingBox(), response.boundingBox()]);
      expect(right!.x).toBeGreaterThanOrEqual(left!.x + left!.width);
      expect(Math.abs(right!.y - left!.y)).toBeLessThan(2);
      await panel.getByRole('button', { name: 'Attempt 1 · 500' }).click();
      await response.getByText(DOWN.error.message).waitFor();
      // Its times stand in words, for keys and fingers.
      await page
        .getByRole('list', { name: 'Times of the chosen step' })
        .getByText(/attempt 2: 500 /)
        .waitFor();
      expect(await faultsInThemes(page, 'failed run')).toEqual([]);

      await page.setViewportSize(NARROW);
      const [above, below] = await Promise.all([request.boundingBox(), response.boundingBox()]);
      expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height);
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize(DESK);

      // A case begins with what is known.
      await why.getByRole('button', { name: 'Open case' }).click();
      const dialog = page.getByRole('dialog', { name: 'New case' });
      expect(await dialog.getByLabel('Name').inputValue()).toBe(`Tickets: ${CAUSE}`);
      expect(await dialog.getByLabel('Description').inputValue()).toContain('/runs/');
      await page.keyboard.press('Escape');

      // Mended and retried, all of them.
      target.on('/tickets', { status: 200, body: { ticket: 7 } });
      await why.getByRole('button', { name: 'Retry all 2' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
      await page.getByText('2 of 2 retried').waitFor();
      await why.waitFor({ state: 'detached' });
      await fabula.settled();
      expect(await fabula.deadLetters()).toEqual([]);
      expect(seen).toEqual(NO_MISDEEDS);
    },
    LOOKED_AT_MS,
  );

  test(
    'the second task of people on call takes three presses: the red hour, the run beside the list, Retry',
    async () => {
      await failing([{ host: 'web-1' }]);
      const { db: database, logger } = stores;
      await createStatisticsCounter({ database, keptDays: 90, holdBackSeconds: 0, logger }).tick();
      target.on('/tickets', { status: 200, body: { ticket: 7 } });
      await open(page, '/');
      await page
        .getByRole('list', { name: 'Runs by hour' })
        .getByRole('link', { name: /, 1 failed/ })
        .click();
      await page.waitForURL(/\/runs\?since=/);
      await page.getByRole('row').filter({ hasText: CAUSE }).getByRole('link').click();
      const why = page
        .getByRole('region', { name: 'Run', exact: true })
        .getByRole('region', { name: 'Why it failed' });
      await why.getByText(CAUSE).waitFor();
      await why.getByRole('button', { name: 'Retry', exact: true }).click();
      await why.waitFor({ state: 'detached' });
      await fabula.settled();
      expect(await fabula.deadLetters()).toEqual([]);
      expect(target.requests.length).toBe(3);
    },
    LOOKED_AT_MS,
  );

  test(
    'closing the panel of the failed step keeps it closed, and a link opens what it names',
    async () => {
      const story = await failing([{}]);
      const [run] = await runsOf(fabula, story.id);
      await open(page, `/runs/${story.id}/${run!.guid}`);
      const panel = page.getByRole('complementary', { name: 'Step Open a ticket' });
      await panel.getByRole('button', { name: 'Close' }).click();
      await panel.waitFor({ state: 'detached' });
      await page.reload();
      const why = page.getByRole('region', { name: 'Why it failed' });
      await why.waitFor();
      expect(await panel.count()).toBe(0);
      await why.getByRole('button', { name: 'Open a ticket' }).click();
      await panel.waitFor();
      // One failure: there are no others to retry.
      expect(await why.getByRole('button', { name: /^Retry all/ }).count()).toBe(0);
    },
    LOOKED_AT_MS,
  );

  test(
    'a run that completed although a step has errors is marked and can be found',
    async () => {
      await storyWith('Ask the odd one', ask('/odd'), [{ host: 'web-1' }]);
      await storyWith(
        'Ask well',
        ['EventTransformation', { mode: 'message_only', payload: { ok: 1 } }],
        [{}],
      );
      await open(page, '/runs');
      await page.getByRole('row').nth(2).waitFor();
      await page.getByRole('combobox', { name: 'Status' }).selectOption('completed with warnings');
      await page.getByText('1 warning').waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      expect(new URL(page.url()).search).toBe('?status=warnings');

      await page.getByRole('row').nth(1).getByRole('link').click();
      const step = page.getByRole('treeitem', { name: /Ask the odd one/ });
      await step.getByText('502', { exact: true }).waitFor();
      expect(await step.locator('.step-dot.warned').count()).toBe(1);
      expect(await page.getByRole('treeitem', { name: /Hook/ }).locator('.step-dot.done').count()).toBe(1);
      await step.click();
      await page.getByRole('region', { name: 'Response', exact: true }).getByText('bad gateway').waitFor();
      expect(await faultsInThemes(page, 'warnings')).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test(
    'siblings of an exploded list are one line, which opens with the failure first; the canvas counts all',
    async () => {
      target.on('/hosts/7', { status: 500, body: DOWN });
      const agents: Record<string, ShortAgent> = {
        Hook: ['Webhook', {}],
        Each: ['EventTransformation', { mode: 'explode', path: '<<hook.body.list>>', to: 'host' }],
        'Ask host': ask('/hosts/<<each.host>>', { fail_on_status: ['500'], log_error_on_status: [] }),
      };
      const data = storyOf(agents, ['Hook > Each > Ask host'], { name: 'Hosts' });
      const story = await fabula.importStory(data, { new_name: 'Hosts' });
      await fabula.fire(story.webhooks['Hook']!, { list: Array.from({ length: 80 }, (_, at) => at) });
      await fabula.settled();
      const [run] = await runsOf(fabula, story.id);
      await open(page, `/runs/${story.id}/${run!.guid}?step=none`);
      const group = page.getByRole('treeitem', { name: /^Each × 80 1 failed/ });
      await group.click();
      const siblings = page.getByRole('treeitem', { level: 3 });
      await siblings.first().waitFor();
      const steps = page.getByRole('treeitem', { name: /Ask host.*failed/ });
      expect(await steps.count()).toBe(1);
      expect(await page.getByRole('treeitem').nth(3).textContent()).toContain('Ask host');
      // Keys alone: fold it, open it, and go on to the rest.
      const tree = page.getByRole('tree', { name: 'Events of the run' });
      await tree.focus();
      await page.keyboard.press('ArrowLeft');
      await siblings.first().waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowRight');
      await siblings.first().waitFor();
      await page.keyboard.press('End');
      await page.getByRole('treeitem', { name: /^Show more: 30 left/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('treeitem', { name: /^Show more/ }).waitFor({ state: 'detached' });
      expect(await faultsInThemes(page, 'siblings')).toEqual([]);

      await page.getByRole('button', { name: 'Canvas', exact: true }).click();
      const counted = page.locator('.action-box').filter({ hasText: 'Each' });
      await counted.getByTitle('80 events in this run').waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'dead letters have their cause, open on what was sent and received, and are worked with by keys',
    async () => {
      await failing([{ n: 1 }, { n: 2 }, { n: 3 }]);
      await open(page, '/dead-letters');
      await page.getByRole('link', { name: CAUSE }).waitFor();
      expect(await page.getByText('<address>').count()).toBe(0);
      await page.getByRole('img', { name: '3 failures in the last 24 hours, 3 in the last hour' }).waitFor();
      await page.getByRole('combobox', { name: 'Time' }).selectOption('Last hour');
      await page.getByRole('combobox', { name: 'Story' }).selectOption('Tickets');
      await page.waitForURL(/story=\d+&span=1h/);

      await page.keyboard.press('Escape');
      await page.locator('body').press('j');
      await page.keyboard.press('Enter');
      const letter = page.getByRole('region', { name: /^Dead letter/ });
      await letter
        .getByRole('region', { name: 'Response', exact: true })
        .getByText(DOWN.error.message)
        .waitFor();
      await letter.getByRole('region', { name: 'Request', exact: true }).waitFor();
      const ids = (await page.getByRole('button', { name: /^Retry dead letter/ }).all()).map((each) =>
        each.getAttribute('aria-label'),
      );
      const [, second = '', third = ''] = (await Promise.all(ids)).map(
        (name) => /\d+$/.exec(name ?? '')?.[0],
      );
      await page.locator('body').press('j');
      await page.getByRole('region', { name: `Dead letter ${second}` }).waitFor();
      await page.waitForURL(new RegExp(`letter=${second}`));
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      expect(await faultsInThemes(page, 'group')).toEqual([]);
      target.on('/tickets', { status: 200, body: { ticket: 7 } });
      await page.keyboard.press('r');
      await page.getByText('succeeded').waitFor();
      await page.getByRole('region', { name: `Dead letter ${third}` }).waitFor();

      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);
      // Of times that stand beside each other, none is cut or runs into the next.
      const facts = await page.evaluate<{ left: number; right: number; top: number }[]>(
        `[...document.querySelectorAll('.group-facts > *')].map((each) => each.getBoundingClientRect().toJSON())`,
      );
      for (const [index, fact] of facts.entries()) {
        expect(fact.right).toBeLessThanOrEqual(NARROW.width);
        const before = facts[index - 1];
        if (before !== undefined && Math.abs(before.top - fact.top) < 4) {
          expect(fact.left).toBeGreaterThan(before.right + 4);
        }
      }
    },
    LOOKED_AT_MS,
  );
});
