import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsInThemes, NO_MISDEEDS, overflowOf, watchPage } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { runsOf, says } from '../support/run-api.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Pages take seconds on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const DESK = { width: 1440, height: 900 };
const ALL = ['Canvas', 'Runs', 'Failures (1)', 'Tests', 'Versions', 'Webhook', 'Schedules', 'Settings'];

describeInBrowser('the page of a story', () => {
  const { fabula, open, origin, signIn } = useConsole(stores, () => ({ env: { MAX_ATTEMPTS: '1' } }));
  let page: Page;
  let target: HttpTarget;
  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/down': { status: 500, body: 'down' } } });
    page = await signIn();
    await page.setViewportSize(DESK);
  });

  afterEach(() => target.close());

  /** A story that has everything: calls, a failure, a schedule, versions. */
  async function full() {
    const data = storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: [
          'HTTPRequest',
          { url: `${target.url}/down`, method: 'get', retry_on_status: [], fail_on_status: ['500'] },
        ],
        Timed: [...says({ ok: true }), { schedule: [{ cron: '0 9 * * *' }, { cron: '30 17 * * *' }] }],
      },
      ['Hook > Ask'],
      { name: 'Duty' },
    );
    const story = await fabula.importStory(data, { new_name: 'Duty' });
    await fabula.fire(story.webhooks['Hook']!, { host: 'web-1' });
    await fabula.settled();
    return story;
  }

  const tabs = () => page.getByRole('tablist', { name: 'Story' }).getByRole('tab');
  const tab = (name: string | RegExp) => page.getByRole('tab', { name });

  test(
    'has a tab for all that a story has, by mouse, arrow and number, in the address',
    async () => {
      const story = await full();
      const seen = watchPage(page, origin().url);
      await open(page, `/stories/${story.id}`);
      await page.getByText('Ask', { exact: true }).first().waitFor();
      await page.getByRole('tab', { name: 'Schedules' }).waitFor();
      await page.getByRole('tab', { name: /^Failures \(/ }).waitFor();
      expect(await tabs().allTextContents()).toEqual(ALL);

      const shows: [string, () => Promise<unknown>][] = [
        ['runs', () => page.getByRole('row').nth(1).getByText('failed').waitFor()],
        ['failures', () => page.locator('.group-place').first().waitFor()],
        ['tests', () => page.getByText('This story has no tests yet.').waitFor()],
        ['versions', () => page.getByRole('button', { name: /^Compare Version 1/ }).waitFor()],
        ['webhook', () => page.getByText('openssl dgst').waitFor()],
        ['schedules', () => page.getByText('daily at 09:00').filter({ visible: true }).waitFor()],
        ['settings', () => page.getByLabel('Description').waitFor()],
      ];
      for (const [at, [view, shown]] of shows.entries()) {
        await tabs()
          .nth(at + 1)
          .click();
        await page.waitForURL(`**/stories/${story.id}?view=${view}`);
        await shown();
        expect([view, await faultsInThemes(page, view)]).toEqual([view, []]);
        await page.setViewportSize(NARROW);
        expect([view, await overflowOf(page)]).toEqual([view, 0]);
        await page.setViewportSize(DESK);
      }
      await page.keyboard.press('Home');
      await page.waitForURL(`**/stories/${story.id}`);
      await page.keyboard.press('ArrowRight');
      await page.waitForURL('**?view=runs');
      await page.locator('h1').click();
      await page.keyboard.press('8');
      await page.waitForURL('**?view=settings');
      await page.goBack();
      await page.waitForURL('**?view=runs');
      expect(seen).toEqual(NO_MISDEEDS);
    },
    LOOKED_AT_MS,
  );

  test(
    'of a story that has nothing offers only what it has, and says what is missing',
    async () => {
      const { id } = await fabula.importStory(storyOf({}, [], { name: 'Empty' }), { new_name: 'Empty' });
      await open(page, `/stories/${id}`);
      await page.getByText('This story has no actions yet.').waitFor();
      expect(await tabs().allTextContents()).toEqual([
        'Canvas',
        'Runs',
        'Failures',
        'Tests',
        'Versions',
        'Settings',
      ]);
      expect(await faultsInThemes(page, 'nothing')).toEqual([]);
      // A key means the same tab on every story.
      await page.keyboard.press('6');
      await page.keyboard.press('8');
      await page.waitForURL('**?view=settings');
      await page.goBack();
      await page.waitForURL(`**/stories/${id}`);
      await tab('Runs').click();
      await page.getByText('No runs yet.').waitFor();
      await tab('Failures').click();
      await page.getByText('No dead letters.').waitFor();
      await open(page, `/stories/${id}?view=webhook`);
      await page.getByText('This story has no webhooks.').waitFor();
      await open(page, `/stories/${id}?view=schedules`);
      await page.getByText('This story has no schedules.').waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'starts a run with a payload, and leads to it',
    async () => {
      const story = await full();
      await open(page, `/stories/${story.id}?view=runs`);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Start Duty' });
      const payload = dialog.getByRole('textbox', { name: /^Payload/ });
      await payload.waitFor();
      expect(await payload.inputValue()).toContain('web-1');
      expect(await faultsInThemes(page, 'start')).toEqual([]);
      await payload.fill('{"body": {"host": "web-17"}}');
      await page.reload();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      expect(await payload.inputValue()).toContain('web-17');
      await dialog.getByRole('button', { name: 'Start the run' }).click();
      await page.waitForURL(`**/runs/${story.id}/*`);
      await fabula.settled();
      expect((await runsOf(fabula, story.id)).length).toBe(2);
    },
    LOOKED_AT_MS,
  );

  test(
    'has owner and runbook, which a failed run shows; versions tell what was changed, and the audit log before and after',
    async () => {
      const story = await full();
      await open(page, `/stories/${story.id}?view=settings`);
      await page.getByText('No runbook yet.').waitFor();
      await page.getByLabel('Owner').selectOption({ label: teamName() });
      await page
        .getByRole('textbox', { name: /^Runbook/ })
        .fill('## Restart the shard\n\n<script>alert(1)</script>');
      await page.reload();
      // What is typed outlives a reload.
      expect(await page.getByRole('textbox', { name: /^Runbook/ }).inputValue()).toContain(
        'Restart the shard',
      );
      await page.getByLabel('Owner').selectOption({ label: teamName() });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('region', { name: 'Runbook' }).getByText('Restart the shard').waitFor();

      const [run] = await runsOf(fabula, story.id);
      await open(page, `/runs/${story.id}/${run!.guid}`);
      const why = page.getByRole('region', { name: 'Why it failed' });
      await why.getByRole('link', { name: 'Runbook: Restart the shard' }).waitFor();
      await why.getByText('Owner:').waitFor();

      await open(page, `/stories/${story.id}?view=versions`);
      await page.getByRole('button', { name: /changed: 1 setting added/ }).click();
      await page.getByRole('heading', { name: 'Changes since Version 1' }).waitFor();
      await page.getByText('## Restart the shard').first().waitFor();

      await open(page, '/audit');
      await page
        .getByText(/owner: – →/)
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row').filter({ hasText: 'runbook' }).getByText('changed').waitFor();
      expect(await dialog.getByText('Restart the shard').count()).toBe(0);
      await dialog.getByRole('link', { name: 'before and after, in its versions' }).click();
      await page.getByRole('heading', { name: 'Changes since Version 1' }).waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'opens a run beside its list of runs; Escape, Back and filters stay on the tab',
    async () => {
      const story = await full();
      await fabula.fire(story.webhooks['Hook']!, { host: 'web-2' });
      await fabula.settled();
      const ofTab = `/console/stories/${story.id}`;
      const at = (names: string[]) =>
        page.waitForURL(({ pathname, searchParams }) => {
          const isOfTab = pathname === ofTab && searchParams.get('view') === 'runs';
          return (
            isOfTab && [...searchParams.keys()].toSorted().join() === ['view', ...names].toSorted().join()
          );
        });
      const run = page.getByRole('region', { name: 'Run', exact: true });
      const row = (host: string) => page.getByRole('row').filter({ hasText: host });
      await open(page, `/stories/${story.id}?view=runs`);

      await row('web-1').getByRole('link').first().click();
      await at(['open']);
      await run.getByRole('region', { name: 'Why it failed' }).waitFor();
      await page.setViewportSize({ width: 1200, height: 800 });
      const steps = run.getByRole('tree', { name: 'Events of the run' });
      await steps.getByRole('treeitem').filter({ hasText: 'Ask' }).click();
      // Both rows are in sight: the list of steps keeps its height above the panel of the chosen one.
      expect((await steps.boundingBox())?.height).toBeGreaterThanOrEqual(60);
      expect(await faultsInThemes(page, 'a run beside the runs of a story')).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.keyboard.press('Escape');
      await run.waitFor({ state: 'detached' });
      await at([]);

      await row('web-2').getByRole('link').first().click();
      await at(['open']);
      await page.goBack();
      await run.waitFor({ state: 'detached' });
      await at([]);
      await page.getByLabel('Status', { exact: true }).selectOption('failed');
      await at(['status']);
      await row('web-2').getByRole('link').first().click();
      await at(['open', 'status']);
      await page.getByLabel('Status', { exact: true }).selectOption('completed');
      await page.getByText('No runs match these filters.').waitFor();
      await at(['open', 'status']);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row('web-1').getByRole('link').first().click();
      await run.getByRole('link', { name: 'Full page' }).click();
      await page.waitForURL(`**/runs/${story.id}/*`);
    },
    LOOKED_AT_MS,
  );

  const teamName = () => fabula.account.team.name;
});
