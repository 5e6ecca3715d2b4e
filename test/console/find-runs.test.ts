import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** It opens many pages, which take seconds on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const WIDE = { width: 1440, height: 900 };
const ZONE = 'America/New_York';

/** Returns a time of the address by the clock of the browser. */
const clock = (time: string | undefined) =>
  new Date(time ?? '').toLocaleTimeString('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });

describeInBrowser('finding a run in the console', () => {
  const { fabula, open: openIn, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    const { id, webhooks } = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Mail: ['Email', {}] }, ['Hook > Mail'], { name: 'Alert triage' }),
    );
    storyId = id;
    for (const host of ['web-1', 'web-2', 'web-3']) {
      await fabula.fire(webhooks['Hook']!, { title: 'Disk full', host, deep: { id: `T-${host}` } });
    }
    await fabula.settled();
    page = await signIn({ viewport: WIDE, timezoneId: ZONE });
  });

  const open = (path: string) => openIn(page, path);
  const address = () => {
    const { pathname, searchParams } = new URL(page.url());
    return { path: pathname.replace('/console', ''), query: Object.fromEntries(searchParams) };
  };
  const at = (isThere: (there: ReturnType<typeof address>) => boolean) =>
    page.waitForURL(() => isThere(address()));
  const row = (host: string) => page.getByRole('row').filter({ hasText: `Disk full · ${host}` });
  const beside = (name: string) => page.getByRole('region', { name, exact: true });

  test(
    'a row says what it is about and why it failed, and opens beside the list',
    async () => {
      await open('/runs');
      await row('web-2').getByText('option recipients is required').last().waitFor();
      await row('web-2').locator('td').last().click();
      await beside('Run').getByRole('region', { name: 'Why it failed' }).waitFor();
      await beside('Run').getByText('Disk full · web-2').waitFor();
      await page.keyboard.press('j');
      await beside('Run').getByText('Disk full · web-1').waitFor();
      const { query } = address();
      await page.reload();
      await beside('Run').getByText('Disk full · web-1').waitFor();
      expect(address().query).toEqual(query);
      await beside('Run').getByRole('tab', { name: 'Log' }).click();
      await at(({ query: now }) => now['open']?.endsWith('tab=log') === true);
      expect(await faultsInThemes(page, 'run beside the list')).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.locator('h1').first().click();
      await page.keyboard.press('Escape');
      await beside('Run').waitFor({ state: 'detached' });
      await at(({ path, query: now }) => path === '/runs' && Object.keys(now).length === 0);

      await row('web-3').locator('td').last().click();
      await beside('Run').getByText('Disk full · web-3').waitFor();
      await page.goBack();
      await beside('Run').waitFor({ state: 'detached' });
      await page.goForward();
      await beside('Run').getByRole('link', { name: 'Full page' }).click();
      await at(({ path }) => path.startsWith(`/runs/${storyId}/`));

      await page.goBack();
      await beside('Run').waitFor();
      await page.setViewportSize(NARROW);
      await at(({ path }) => path.startsWith(`/runs/${storyId}/`));
      await open('/runs');
      await row('web-1').getByRole('link').click();
      await at(({ path }) => path.startsWith(`/runs/${storyId}/`));
      await open('/runs');
      await row('web-1').waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await faultsInThemes(page, 'runs on a phone')).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test(
    'a search says where the value is; a template of the story says what its runs are about',
    async () => {
      await open('/runs?value=T-web-2');
      await page.getByText('body.deep.id: T-web-2').waitFor();
      expect(await page.getByRole('row').count()).toBe(2);

      await open(`/stories/${storyId}/edit`);
      await page.getByRole('button', { name: 'Story settings' }).click();
      await page.getByLabel('Subject of runs').fill('Host <<hook.body.host>>');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Settings saved.').first().waitFor();
      await open('/runs');
      await page.getByRole('cell', { name: 'Host web-2', exact: true }).waitFor();
      // The list is ahead of the bars above it, which say so.
      await page.getByText(/, counted until \d\d:\d\d:\d\d/).waitFor();

      await open('/events?value=T-web-2');
      await page.getByText('body.deep.id: T-web-2').waitFor();
      await page.getByText('body.deep.id: T-web-2').click();
      await beside('Event').getByRole('tree', { name: 'Output' }).waitFor();
      expect(await faultsInThemes(page, 'event beside the list')).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test(
    'a time range is chosen over the bars, by keys, by two times and as last night',
    async () => {
      await open('/runs?span=24h');
      const bars = page.getByRole('slider', { name: 'Runs over time' });
      const box = await bars.boundingBox();
      if (box === null) throw new Error('no bars');
      const x = (share: number) => box.x + box.width * share;
      await page.mouse.move(x(0.25), box.y + 20);
      await page.mouse.down();
      await page.mouse.move(x(0.5), box.y + 20, { steps: 5 });
      await page.mouse.up();
      await at(({ query }) => query['since'] !== undefined && query['span'] === undefined);
      const { since, until } = address().query;
      const hours = (Date.parse(until ?? '') - Date.parse(since ?? '')) / 3_600_000;
      expect([6, 7]).toContain(hours);
      await page.getByText('No runs match these filters.').waitFor();
      expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('marked');

      await page.getByLabel('Time', { exact: true }).selectOption('24h');
      await row('web-1').waitFor();
      await bars.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await at(({ query }) => query['since'] !== undefined);
      await row('web-1').waitFor();
      const byKeys = address().query;
      expect((Date.parse(byKeys['until'] ?? '') - Date.parse(byKeys['since'] ?? '')) / 3_600_000).toBe(2);

      await page.getByLabel('Time', { exact: true }).selectOption('night');
      await at(({ query }) => query['since'] !== byKeys['since']);
      const night = address().query;
      expect([clock(night['since']), clock(night['until'])]).toEqual(['22:00', '06:00']);

      await page.getByLabel('From', { exact: true }).fill('2026-01-02T03:04');
      await at(({ query }) => query['since'] === '2026-01-02T08:04:00.000Z');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row('web-1').waitFor();
      for (const width of [1440, 900, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await overflowOf(page)]).toEqual([width, 0]);
        expect(await faultsInThemes(page, `runs at ${width}`)).toEqual([]);
      }
    },
    LOOKED_AT_MS,
  );

  test('/ leads to the filters of every page that has some; c compares an event with the one before', async () => {
    for (const path of ['/audit', '/schedules', '/dead-letters', '/runs', '/events']) {
      await open(path);
      await page.getByRole('search').waitFor();
      await page.keyboard.press('/');
      await page.locator('search :focus').waitFor();
    }
    const { body } = await call(fabula, `GET /api/v1/events?story_id=${storyId}&per_page=2`);
    const [newest, before] = body.events as { id: number }[];
    await open(`/events/${newest?.id}`);
    await page.getByRole('button', { name: 'Compare with previous of this action' }).waitFor();
    await page.keyboard.press('c');
    await at(({ path }) => path === `/events/${before?.id}/compare/${newest?.id}`);
  });
});
