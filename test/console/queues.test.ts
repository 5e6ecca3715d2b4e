import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { buildWaits } from '../support/console/schedule-world.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { agentIds, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;
/** Axe looks at each page four times, which takes minutes on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const HOSTILE = `<img src=x onerror="window.ran = 1">\u202E${'w'.repeat(120)}`;

const at = (schedule: JsonValue, rest: JsonObject = {}): ShortAgent => {
  const [type, options] = says({ on: 'time' });
  return [type, options, { schedule, ...rest }];
};

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`queues and schedules (${CHROMIUM ?? 'left out: no Chromium on this machine'})`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let fabula: TestFabula;
  let origin: ConsoleOrigin;
  let page: Page;

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    // Jobs, slots and rates are shown where there is one tenant.
    await stores.sql('DELETE FROM tenants', []);
    fabula = await startFabula(stores, { relay: false, env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: 'Europe/Vienna',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  afterEach(async () => {
    await context?.close();
    await fabula?.close();
  });

  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

  const story = async (agents: Record<string, ShortAgent>, name: string) =>
    fabula.importStory(storyOf(agents, [], { name: 'S' }), { new_name: name });

  async function faultsOf(place: string): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page }).analyze();
        found.push(
          ...violations.map(({ id, nodes }) => `${place} ${colorScheme} ${width} ${id}: ${nodes[0]?.html}`),
        );
        const wider = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (wider !== 0) found.push(`${place} is ${String(wider)} px wider than ${width} px`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    return found;
  }

  const figure = (queue: string, name: string) =>
    page
      .getByRole('region', { name: queue, exact: true })
      .locator('.figure')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('.figure-value');

  test(
    'a person on call sees what waits and why, and goes to the board and back',
    async () => {
      const { id } = await story({ Hook: ['Webhook', {}] }, HOSTILE);
      await buildWaits(stores, id);
      await open('Queues');
      await figure('http-request', 'Held back').getByText('38', { exact: true }).waitFor();
      await figure('http-request', 'Will be retried').getByText('4', { exact: true }).waitFor();
      await figure('event-transformation', 'Sleeping').getByText('12', { exact: true }).waitFor();
      await figure('All queues', 'Parked').getByText('3', { exact: true }).waitFor();
      await page
        .getByRole('img', { name: /^Last hour: 0 ended/ })
        .first()
        .waitFor();

      await page.getByRole('button', { name: 'Held back' }).first().focus();
      await page.getByRole('tooltip', { name: /share of jobs/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Sleeping' }).first().hover();
      await page.getByRole('tooltip', { name: /rest while/ }).waitFor();
      await page.mouse.move(0, 0);
      await page.keyboard.press('Escape');

      expect(await faultsOf('queues')).toEqual([]);

      await page.getByRole('link', { name: 'Jobs of http-request on the board' }).click();
      await page.waitForURL('**/admin/queues/queue/http-request*');
      await page.goto(`${origin.url}/admin/queues`);
      await page.goto(`${origin.url}/console/queues`);
      await figure('http-request', 'Held back').waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'a person reads the week, disables an action and enables it again; a locked story says why not',
    async () => {
      const daily = await story(
        {
          Morning: at({ cron: '0 9 * * *', timezone: 'America/New_York' }),
          Poll: at({ cron: '*/5 * * * *' }),
        },
        `Reports ${HOSTILE}`,
      );
      const guarded = await story({ Guarded: at({ cron: '0 3 * * *' }) }, 'Guarded story');
      const off = await story({ Rests: at({ cron: '0 4 * * *' }) }, 'Off story');
      await fabula.api('PUT', `/api/v1/stories/${guarded.id}`, { locked: true });
      await fabula.api('PUT', `/api/v1/stories/${off.id}`, { disabled: true });

      await open('Schedules');
      const often = page.getByRole('region', { name: 'All the time' });
      await often.getByText('every 5 minutes').waitFor();
      await often.getByRole('link', { name: 'Poll' }).waitFor();
      const starts = page.locator('.start', { hasText: 'Morning' });
      await starts.first().waitFor();
      expect(await starts.first().getAttribute('title')).toContain('in America/New_York');
      await page.getByRole('button', { name: 'Later' }).click();
      await page.waitForURL('**/schedules?week=1');
      // Today's starts may be over; next week each day has all of its own.
      await page
        .locator('.day')
        .filter({ has: page.locator('.start') })
        .nth(6)
        .waitFor();
      await page.locator('.day.today').waitFor({ state: 'detached' });
      expect(await starts.count()).toBe(7);
      expect(await page.locator('.start.off', { hasText: 'Rests' }).count()).toBe(7);
      expect(await page.locator('.start.off', { hasText: 'Guarded' }).count()).toBe(0);
      expect(await faultsOf('week')).toEqual([]);

      await page.getByRole('button', { name: 'List', exact: true }).click();
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await row('Guarded').getByText('locked', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Disable Guarded' }).isDisabled()).toBe(true);
      await row('Rests').getByText('story disabled', { exact: true }).waitFor();
      await row('Rests').getByText('never', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Disable Morning' }).click();
      await row('Morning').getByText('action disabled', { exact: true }).waitFor();
      expect(await faultsOf('list')).toEqual([]);
      await page.getByRole('checkbox', { name: 'Only those that start runs' }).check();
      await row('Morning').waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: 'Only those that start runs' }).uncheck();
      await page.getByRole('button', { name: 'Enable Morning' }).click();
      await page.getByRole('button', { name: 'Disable Morning' }).waitFor();

      await page.getByRole('searchbox', { name: 'Find a schedule' }).fill('nothing like it');
      await page.getByText('No schedule is like that.').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await row('Morning').getByRole('link', { name: 'Morning' }).click();
      const { Morning: action } = await agentIds(fabula, daily.id);
      await page.waitForURL(`**/stories/${daily.id}?action=${action}`);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    },
    LOOKED_AT_MS,
  );

  test('without schedules the page says what to do', async () => {
    await open('Schedules');
    await page.getByText('No action starts by itself.').waitFor();
  });
});
