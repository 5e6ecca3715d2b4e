import type { Page } from 'playwright-core';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { buildWaits } from '../support/console/schedule-world.js';
import { useConsole } from '../support/console/use-console.js';
import { agentIds, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Axe looks at each page four times, which takes minutes on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const HOSTILE = `<img src=x onerror="window.ran = 1">\u202E${'w'.repeat(120)}`;

const at = (schedule: JsonValue, rest: JsonObject = {}): ShortAgent => {
  const [type, options] = says({ on: 'time' });
  return [type, options, { schedule, ...rest }];
};

describeInBrowser('queues and schedules', () => {
  const { fabula, signIn } = useConsole(stores, () => ({ relay: false }));
  let page: Page;

  beforeEach(async () => {
    await leaveOneTenant(stores, fabula);
    page = await signIn({ timezoneId: 'Europe/Vienna' });
  });

  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

  const story = async (agents: Record<string, ShortAgent>, name: string) =>
    fabula.importStory(storyOf(agents, [], { name: 'S' }), { new_name: name });

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

  /** The cell of a queue under a heading. */
  async function figure(queue: string, name: string) {
    const heads = page.getByRole('columnheader');
    await heads.first().waitFor();
    const place = (await heads.allInnerTexts()).findIndex((text) => text.trim() === name);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: queue }) });
    return row.getByRole('cell').nth(place - 1);
  }

  test(
    'a person on call sees what waits and why, and goes to the board and back',
    async () => {
      const { id } = await story({ Hook: ['Webhook', {}] }, HOSTILE);
      await buildWaits(stores, id);
      await open('Queues');
      await (await figure('http-request', 'Held')).getByText('38', { exact: true }).waitFor();
      await (await figure('http-request', 'To be retried')).getByText('4', { exact: true }).waitFor();
      await (await figure('event-transformation', 'Sleeping')).getByText('12', { exact: true }).waitFor();
      await (await figure('All queues', 'Parked')).getByText('3', { exact: true }).waitFor();
      await page
        .getByRole('img', { name: /^Last hour: 0 ended/ })
        .first()
        .waitFor();

      const why = page.getByRole('row').filter({ hasText: 'http-request' }).getByRole('cell').last();
      await why.getByText('38: the story has used its share of jobs').waitFor();

      await page.getByRole('button', { name: 'Held' }).first().focus();
      await page.getByRole('tooltip', { name: /share of jobs/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Sleeping' }).first().hover();
      await page.getByRole('tooltip', { name: /paused while/ }).waitFor();
      await page.mouse.move(0, 0);
      await page.keyboard.press('Escape');

      expect(await faultsAt('queues')).toEqual([]);

      await page.getByRole('link', { name: 'Jobs of http-request on the queue board' }).click();
      await page.waitForURL('**/admin/queues/queue/http-request*');
      await page.getByRole('link', { name: 'Back to the console' }).click();
      await page.waitForURL('**/console/queues');
      await page.getByRole('link', { name: 'Queue board', exact: true }).click();
      await page.waitForURL('**/admin/queues');
      await page.getByRole('link', { name: 'Back to the console' }).click();
      await (await figure('http-request', 'Held')).waitFor();
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
      const often = page.getByRole('region', { name: 'Continuous' });
      await often.getByText('every 5 minutes').waitFor();
      await often.getByRole('link', { name: 'Poll' }).waitFor();
      const starts = page.locator('.start', { hasText: 'Morning' });
      await starts.first().waitFor();
      expect(await starts.first().getAttribute('title')).toContain('in America/New_York');
      // It is paused where it leads to.
      expect(await starts.first().getAttribute('href')).toMatch(
        new RegExp(`/stories/${daily.id}\\?view=schedules$`),
      );
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
      expect(await faultsAt('week')).toEqual([]);

      await page.getByRole('button', { name: 'List', exact: true }).click();
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await row('Guarded').getByText('locked', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Pause Guarded, daily at 03:00' }).waitFor();
      await row('Rests').getByText('story disabled', { exact: true }).waitFor();
      await row('Rests').getByText('never', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Pause Morning, daily at 09:00' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
      await row('Morning').getByText('paused', { exact: true }).waitFor();
      expect(await faultsAt('list')).toEqual([]);
      await page.getByRole('checkbox', { name: 'Only active schedules' }).check();
      await row('Morning').waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: 'Only active schedules' }).uncheck();
      await page.getByRole('button', { name: 'Resume Morning, daily at 09:00' }).click();
      await page.getByRole('button', { name: 'Pause Morning, daily at 09:00' }).waitFor();

      await page.getByRole('searchbox', { name: 'Find a schedule' }).fill('nothing like it');
      await page.getByText('No schedules match these filters.').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await row('Morning').getByRole('link', { name: 'Morning' }).click();
      const { Morning: action } = await agentIds(fabula, daily.id);
      await page.waitForURL(`**/stories/${daily.id}?action=${action}`);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    },
    LOOKED_AT_MS,
  );

  test('all of many schedules are read, found and shown on each day', async () => {
    const jobs = Array.from({ length: 450 }, (_, n) => [`Job ${n + 1}`, at({ cron: '0 4 * * *' })]);
    await story(Object.fromEntries(jobs) as Record<string, ShortAgent>, 'Many');
    await open('Schedules');
    await page.getByText('450 schedules', { exact: true }).waitFor();
    const tomorrow = page.locator('.day').nth(1);
    await tomorrow.getByRole('button', { name: '350 more starts' }).click();
    expect(await tomorrow.locator('.start').count()).toBe(450);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByText('Page 1 of 3').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**/schedules?view=list&page=2');
    await page.getByRole('searchbox', { name: 'Find a schedule' }).fill('job 450');
    await page.getByRole('navigation', { name: 'Paging' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Job 450' }).waitFor();
  });

  test('without schedules the page says what to do', async () => {
    await open('Schedules');
    await page.getByText('No schedules yet.').waitFor();
  });
});
