import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { SIZES } from '../support/console/shots.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const HEAD_PX = 56;
/** Pages that the navigation names; each has its head. */
const NAMED = [
  '/',
  '/inbox',
  '/quotas',
  '/stories',
  '/runs',
  '/events',
  '/records',
  '/cases',
  '/dead-letters',
  '/webhooks',
  '/gallery',
  '/steps',
  '/resources',
  '/credentials',
  '/team',
  '/audit',
  '/schedules',
  '/queues',
  '/sessions',
];
const STORY = storyOf({ Hook: ['Webhook', {}], Say: says({ ok: true }), Mail: ['Email', {}] }, [
  'Hook > Say',
  'Hook > Mail',
]);

const boxOf = async (page: Page, selector: string) => {
  await page.locator(selector).first().waitFor();
  return (await page.locator(selector).first().boundingBox())!;
};
const fontSizeOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fontSize`);

describeInBrowser('the face of the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    const { id, webhooks } = await fabula.importStory(STORY);
    storyId = id;
    await fabula.fire(webhooks['Hook']!, { n: 1 });
    await fabula.settled(60_000);
    page = await signIn({ viewport: SIZES.wide });
  });

  test('texts have the fonts that come with the console, which no other host is asked for', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await open(page, '/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.evaluate('document.fonts.ready.then(() => true)');
    const loaded = await page.evaluate<string[]>(
      `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
    );
    expect(loaded.map((family) => family.replaceAll('"', ''))).toEqual(
      expect.arrayContaining(['Geist Variable', 'Geist Mono Variable']),
    );
    expect(asked.filter((url) => url.endsWith('.woff2'))).toHaveLength(2);
    expect(asked.filter((url) => !url.startsWith(origin().url))).toEqual([]);
  });

  test('pages that the navigation names have one head, of one height, and a title of one size', async () => {
    const odd: unknown[] = [];
    for (const path of NAMED) {
      await open(page, path);
      const { y, height } = await boxOf(page, '.page-head');
      const size = await fontSizeOf(page, '.page-head h1');
      if (y !== 0 || height !== HEAD_PX || size !== '20px') odd.push({ path, y, height, size });
    }
    expect(odd).toEqual([]);
    await open(page, `/stories/${storyId}`);
    expect((await boxOf(page, '.story-head')).height).toBe(HEAD_PX);

    // The head of a group is higher: its whole cause stands there, and what is known of it.
    await open(page, '/dead-letters');
    await page.locator('.group-place a').first().click();
    await page.getByRole('button', { name: 'Open case' }).waitFor();
    const head = await boxOf(page, '.page-head');
    expect([head.y, await fontSizeOf(page, '.page-head h1')]).toEqual([0, '20px']);
    expect(head.height).toBeGreaterThanOrEqual(HEAD_PX);
  });

  test('a table ends with its content, and rows are as high as a person has chosen', async () => {
    await open(page, '/stories');
    const row = () => boxOf(page, '.table tbody tr');
    await row();
    const [frame, whole] = [await boxOf(page, '.table-frame'), await boxOf(page, '.page')];
    expect(frame.width).toBeLessThan(whole.width * 0.8);
    const name = await boxOf(page, '.table th.fill');
    expect(name.width).toBeLessThanOrEqual(whole.width * 0.45);
    await open(page, '/runs');
    expect(Math.round((await row()).height)).toBe(40);
    const runs = await boxOf(page, '.table-frame:has(.run-name)');
    expect(runs.width).toBeLessThan(whole.width * 0.9);

    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('menuitemradio', { name: 'Compact rows' }).click();
    await eventually(async () => Math.round((await row()).height) === 32);
    await page.reload();
    expect(Math.round((await row()).height)).toBe(32);
  });

  test('a text that its column cuts is told as a whole while the pointer rests on it; one that fits is not', async () => {
    await page.setViewportSize(SIZES.middle);
    const titleOf = async (name: string) => {
      await stores.sql('UPDATE stories SET name = ? WHERE id = ?', [name, storyId]);
      await open(page, '/events');
      const cell = page.locator('td.event-story', { hasText: name }).first();
      await cell.hover();
      return cell.getAttribute('title');
    };
    const long =
      'Enrich indicators of compromise with all sources and page through the answers of each of them';
    expect(await titleOf(long)).toBe(long);
    expect(await titleOf('Short')).toBeNull();
  });

  test('dots move along the links of a run that goes on, unless motion is not wanted', async () => {
    const { story_runs: runs } = (await (
      await fabula.api('GET', `/api/v1/stories/${storyId}/runs`)
    ).json()) as {
      story_runs: { guid: string }[];
    };
    const guid = runs[0]!.guid;
    // A step of it is under way.
    await page.route(`**/api/v1/stories/${storyId}/runs/${guid}?*`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as {
        story_run_events: { id: number; agent_id: number; previous_event_ids?: number[] }[];
        dead_letters: { agent_id: number; agent_name: string; event_id: number }[];
        open_deliveries: object[];
      };
      const [letter] = body.dead_letters;
      const open = { ...letter, state: 'pending', error: null, attempts: 0, waits_until: null };
      await route.fulfill({ response, json: { ...body, dead_letters: [], open_deliveries: [open] } });
    });
    await open(page, `/runs/${storyId}/${guid}?view=canvas`);
    await page.locator('.link.taken').first().waitFor();
    await page.locator('.moving-dot').first().waitFor();
    expect(await page.locator('.moving-dot').count()).toBe(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.locator('.moving-dot').first().waitFor({ state: 'hidden' });
  });

  test('Home does not call it normal while work is held, and leads to it', async () => {
    const entry = {
      key: 'held-mails_per_day-3',
      kind: 'held',
      reason: 'mails_per_day',
      severity: 'error',
      title: '10,101 deliveries wait: the mail quota is used up',
      story: { id: storyId, name: 'Alerts' },
      quota: 'mails_per_day',
      count: 10_101,
      first_seen: '2026-11-21T08:00:12Z',
      until: '2026-11-22T00:00:00Z',
      held: [],
    };
    const nothing = { detail: null, team_id: null, action: null, queue: null, trend: null, failure: null };
    await page.route('**/api/v1/inbox*', (route) =>
      route.fulfill({
        json: {
          entries: [{ ...nothing, ...entry }],
          counts: { open: 1, snoozed: 0, errors: 1, warnings: 0, notes: 0 },
          complete: true,
          checked_at: '2026-11-21T11:21:00Z',
        },
      }),
    );
    await page.route('**/api/v1/status*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), state: 'ok', reasons: [] } });
    });
    await open(page, '/');
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('Needs attention').waitFor();
    await page.getByRole('region', { name: 'Held and at risk' }).waitFor();
    const held = status.getByRole('listitem').filter({ hasText: '10,101 deliveries wait' });
    await held.getByRole('link').last().click();
    await page.waitForURL((url) => !url.pathname.endsWith('/console/'));
  });

  test('on a phone dead letters, runs and cases are in the bar below, by name; a link of an alert shows its group', async () => {
    await page.setViewportSize(SIZES.narrow);
    await open(page, '/dead-letters');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    expect((await links.allInnerTexts()).slice(0, 3)).toEqual(['Dead letters', 'Runs', 'Cases']);
    for (const link of await links.all()) {
      const { y, height, width } = (await link.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(SIZES.narrow.height);
      expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);
    }
    const cut = `[...document.querySelectorAll('.page-bar .label')].filter((label) => label.scrollWidth > label.clientWidth).length`;
    expect(await page.evaluate(cut)).toBe(0);
    const { groups } = (await (await fabula.api('GET', '/api/v1/dead_letters/groups')).json()) as {
      groups: { agent_id: number; error_kind: string }[];
    };
    const { agent_id: action, error_kind: kind } = groups[0]!;
    await open(
      page,
      `/dead-letters?${new URLSearchParams({ of: String(storyId), action: String(action), kind }).toString()}`,
    );
    await page.getByRole('button', { name: 'Retry all' }).waitFor();
    const bottom = (await page.locator('.page-bar').boundingBox())!.y;
    expect(bottom).toBeGreaterThan(SIZES.narrow.height - 80);
  });
});
