import type { Locator, Page } from 'playwright-core';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Axe looks at the page eight times, which takes minutes on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const MINUTES_AGO = 20;

const passing = storyOf({ Hook: ['Webhook', {}], Say: says({ ok: true }) }, ['Hook > Say']);
const failing = storyOf({ Hook: ['Webhook', {}], Mail: ['Email', {}] }, ['Hook > Mail']);

/** Sums of what bars tell: started, completed, failed, cancelled. */
const sumsOf = (told: string[]) =>
  told
    .map((words) =>
      [...words.matchAll(/(\d+) (?:started|completed|failed|cancelled)/g)].map(([, n]) => Number(n)),
    )
    .reduce((sums, numbers) => sums.map((sum, index) => sum + (numbers[index] ?? 0)), [0, 0, 0, 0]);

/** Sums of what the hours of the day tell: started, ended, failed. */
const dayOf = (told: string[]) =>
  told
    .map((words) => [...words.matchAll(/(\d+) (?:runs? started|ended|failed)/g)].map(([, n]) => Number(n)))
    .reduce((sums, numbers) => sums.map((sum, index) => sum + (numbers[index] ?? 0)), [0, 0, 0]);

const namesOf = (links: Locator) =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label') ?? ''));

describeInBrowser('runs on the home page', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn();
  });

  const count = () =>
    createStatisticsCounter({
      database: stores.db,
      keptDays: 90,
      holdBackSeconds: 0,
      logger: stores.logger,
    }).tick();

  /** Calls the webhook of a story so often, and waits until its runs have ended. */
  async function ran(story: ReturnType<typeof storyOf>, calls: number): Promise<void> {
    const { webhooks } = await fabula.importStory(story);
    for (let n = 0; n < calls; n += 1) await fabula.fire(webhooks['Hook']!, { n });
    await fabula.settled(60_000);
  }

  /** Puts all rows some minutes back. */
  async function letTimePass(): Promise<void> {
    const ago = `INTERVAL ${MINUTES_AGO} MINUTE`;
    await stores.sql(`UPDATE story_runs SET created_at = created_at - ${ago}`);
    await stores.sql(`UPDATE events SET created_at = created_at - ${ago}`);
    await stores.sql(`UPDATE deliveries SET due_at = due_at - ${ago}, failed_at = failed_at - ${ago}`);
  }

  const bars = (unit: string) => page.getByRole('slider', { name: new RegExp(`^Runs by ${unit}: peak: `) });

  /** Reads all bars by keys, as a person with a screen reader does; again, if a minute began meanwhile. */
  async function readBars(unit: string): Promise<string[]> {
    const slider = bars(unit);
    const words = async () => (await slider.getAttribute('aria-valuetext')) ?? '';
    await slider.focus();
    await slider.press('Home');
    const last = Number(await slider.getAttribute('aria-valuemax'));
    const told: string[] = [];
    for (let bar = 0; bar <= last; bar += 1) {
      await page.locator(`[role=slider][aria-valuenow="${bar}"]`).waitFor();
      told.push(await words());
      await slider.press('ArrowRight');
    }
    await slider.press('Home');
    await page.locator('[role=slider][aria-valuenow="0"]').waitFor();
    return (await words()) === told[0] ? told : readBars(unit);
  }

  async function faults(place: string): Promise<string[]> {
    const found: string[] = [];
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      found.push(...(await faultsInThemes(page, `${place}, ${viewport.width} px`)));
      const wider = await overflowOf(page);
      if (wider !== 0) found.push(`${place} is ${wider} px wider than ${viewport.width} px`);
    }
    return found;
  }

  test('recent changes are those to what runs: who signed in stands in the audit log', async () => {
    await fabula.importStory(passing);
    await open(page, '/');
    await page.getByText('Imported story Story').waitFor();
    expect(await page.getByText(/^Signed in/).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row').filter({ hasText: 'Signed in' }).first().waitFor();
  });

  test(
    'called webhooks become bars of minutes, with how the runs ended, once they are counted',
    async () => {
      await ran(passing, 3);
      await ran(failing, 2);
      await letTimePass();
      await open(page, '/');
      await page.getByRole('region', { name: 'Runs per minute, last hour' }).waitFor();
      // Nothing is counted yet: the page says so, and draws no zero.
      await page.getByText('No runs in the last hour.').waitFor();
      await page.getByText(/^Data until /).waitFor();

      await count();
      // The page is not loaded again.
      await bars('minute').waitFor();
      await page.locator('.runs-chart canvas').waitFor();
      await page.getByText(/^Data until /).waitFor();
      expect(sumsOf(await readBars('minute'))).toEqual([5, 3, 2, 0]);
      const slow = page.getByRole('region', { name: 'Slowest actions, last 24 hours' });
      await slow
        .getByText(/ per event$/)
        .first()
        .waitFor();
      await slow.getByRole('link', { name: 'Say' }).waitFor();
      expect(await faults('minutes')).toEqual([]);

      // The day above it has the same runs, and its hours lead to them.
      const hours = page.getByRole('list', { name: 'Runs by hour' }).getByRole('link');
      expect(await hours.count()).toBe(24);
      expect(dayOf(await namesOf(hours))).toEqual([5, 5, 2]);
      await page
        .getByRole('link', { name: /: [1-9]\d* runs? started/ })
        .first()
        .click();
      await page.waitForURL(/\/runs\?since=.*&until=/);
      await page
        .getByRole('row')
        .nth(1)
        .getByText(/completed|failed/)
        .first()
        .waitFor();

      await page.goBack();
      const hour = page.getByRole('region', { name: 'Runs per minute, last hour' });
      await hour.getByRole('link', { name: 'Show runs' }).click();
      await page.waitForURL('**/runs?span=1h');
      await page.getByRole('row').nth(5).waitFor();
    },
    LOOKED_AT_MS,
  );

  describe('minutes before they were counted', () => {
    const NOTED = "name LIKE '%baseline'";
    const COUNTED_MINUTES = 10;
    let noted: Date;

    beforeEach(async () => {
      const [row] = await stores.db.read((session) =>
        session.rows<{ at: Date }>(`SELECT migration_time AS at FROM migrations WHERE ${NOTED}`),
      );
      noted = row!.at;
      await stores.sql(
        `UPDATE migrations SET migration_time = NOW() - INTERVAL ${COUNTED_MINUTES} MINUTE WHERE ${NOTED}`,
      );
    });
    afterEach(() => stores.sql(`UPDATE migrations SET migration_time = ? WHERE ${NOTED}`, [noted]));

    test(
      'are a gap, which is no zero',
      async () => {
        await open(page, '/');
        await page.getByText('No runs in the last hour.').waitFor();
        await page.getByText(/No data before .*\. Call a webhook/).waitFor();
        expect(await faults('no runs, a gap')).toEqual([]);

        await ran(passing, 1);
        await count();
        await bars('minute').waitFor();
        await page.locator('.bar-words', { hasText: /No data before \d/ }).waitFor();
        expect(await bars('minute').getAttribute('aria-label')).toMatch(/\. No data before \d/);
        const told = await readBars('minute');
        const gap = told.filter((words) => words.endsWith(': no data'));
        expect(told.slice(0, gap.length)).toEqual(gap);
        expect([COUNTED_MINUTES, COUNTED_MINUTES + 1, COUNTED_MINUTES + 2]).toContain(
          told.length - gap.length,
        );
        expect(sumsOf(told)).toEqual([1, 1, 0, 0]);
        expect(await faults('a gap')).toEqual([]);

        const hours = page.getByRole('list', { name: 'Runs by hour' }).getByRole('link');
        expect((await namesOf(hours)).filter((words) => words.includes('no data'))).toEqual([]);
      },
      LOOKED_AT_MS,
    );
  });

  test('the pointer reads a bar, and leaves it again', async () => {
    await ran(passing, 1);
    await count();
    await open(page, '/');
    await bars('minute').waitFor();
    const box = await page.locator('.runs-chart .u-over').boundingBox();
    await page.mouse.move(box!.x + box!.width - 2, box!.y + 20);
    await page
      .locator('.bar-words', { hasText: /: \d started, \d completed, 0 failed, 0 cancelled$/ })
      .waitFor();
    await page.mouse.move(box!.x, 0);
    await page.locator('.bar-words', { hasText: /^Data until / }).waitFor();
  });

  test('minutes that cannot be read leave the other figures, and are asked for again', async () => {
    await ran(passing, 1);
    await count();
    const refused = { status: 422, json: { errors: [{ message: 'No minutes today', details: 'by' }] } };
    await page.route('**/api/v1/stats?*by=minute*', (route) => route.fulfill(refused));
    await open(page, '/');
    await page.getByRole('alert').getByText('No minutes today').waitFor();
    await page.getByText('In the last minute', { exact: true }).waitFor();
    await page.unroute('**/api/v1/stats?*by=minute*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await bars('minute').waitFor();
  });
});
