import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ADMIN_PASSWORD, ADMIN_USER } from '../support/admin-account.js';
import { describeInBrowser } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { axeFaults } from '../support/console/axe.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const BOARD = '/admin/queues';
const QUEUE = `${BOARD}/queue/event-transformation`;

/** Faults of the board that stay: the rules that the page for operators names. */
function stayingFaults(): string[] {
  const page = readFileSync(path.resolve(__dirname, '../../docs/operate/board.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \|/gm)];
  return rows.filter(([, , programs = '']) => programs.startsWith('board')).map(([, rule = '']) => rule);
}

const OF_BOARD = stayingFaults();

/** The faults that axe calls serious or critical, but for those that stay. */
async function faultsOf(page: Page, staying: string[]): Promise<string[]> {
  return (await axeFaults(page, staying))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ rule, html }) => `${rule}: ${html}`);
}

describeInBrowser('the queue board in a browser', () => {
  let fabula: TestFabula;
  let browser: Browser;
  let run: string;

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_USER, ADMIN_PASSWORD, ADMIN_PORT: '0' } });
    const story = storyOf({ Hook: ['Webhook', {}], Say: says({ status: 'fine' }) }, ['Hook > Say']);
    const { webhooks } = await fabula.importStory(story);
    for (let n = 0; n < 12; n += 1) await fabula.fire(webhooks['Hook']!, { n });
    await fabula.settled();
    [run] = (
      await stores.db.read((session) =>
        session.rows<{ guid: string }>('SELECT guid FROM story_runs ORDER BY id LIMIT 1'),
      )
    ).map(({ guid }) => `/admin/runs/${guid}`) as [string];
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
  });

  describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
    let page: Page;

    beforeAll(async () => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 1400, height: 900 },
        // Cards of the board fade in: until then their text has less contrast.
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(120_000);
      page = await context.newPage();
      await page.goto(`${fabula.adminUrl}${BOARD}`);
    });
    afterAll(() => page?.context().close());

    test('the sign-in has no fault, and opens the board', async () => {
      expect(await faultsOf(page, [])).toEqual([]);
      await page.fill('#user', ADMIN_USER);
      await page.fill('#password', ADMIN_PASSWORD);
      await page.click('button[type=submit]');
      await page.getByRole('link', { name: 'Metrics history' }).waitFor();
    });

    test.each([
      ['the overview', BOARD, 'a[href*="queue/event-transformation"]'],
      ['the history', `${BOARD}/metrics-history`, 'h3, p'],
      ['a queue', `${QUEUE}?status=completed`, `a[href*="${QUEUE}/"]`],
    ])('%s has no fault but those that stay', async (_, address, content) => {
      await page.goto(fabula.adminUrl + address);
      await page.locator(content).first().waitFor();
      expect(await faultsOf(page, OF_BOARD)).toEqual([]);
    });

    test('a job has no fault but those that stay', async () => {
      const address = await eventually(() => jobOn(page));
      await page.goto(fabula.adminUrl + address);
      await page.getByRole('link', { name: 'Run', exact: true }).waitFor();
      expect(await faultsOf(page, OF_BOARD)).toEqual([]);
    });

    test('a run and the sign-out have no fault', async () => {
      for (const address of [run, '/admin/sign-out', '/admin/runs/nothing']) {
        await page.goto(fabula.adminUrl + address);
        expect([address, await faultsOf(page, [])]).toEqual([address, []]);
      }
    });
  });

  /** The address of the first job on the page of the queue. */
  async function jobOn(page: Page): Promise<string | null> {
    await page.goto(`${fabula.adminUrl}${QUEUE}?status=completed`);
    return page.locator(`a[href*="${QUEUE}/"]`).first().getAttribute('href');
  }
});
