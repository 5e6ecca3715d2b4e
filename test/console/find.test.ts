import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { makeLink } from '../support/people.js';
import { agentIds, call, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Each opens many pages, which take seconds on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const AGENTS: Record<string, ShortAgent> = {
  'Receive alert': ['Webhook', {}],
  Summary: says({
    status: 200,
    headers: { server: 'x' },
    body: { host: '<<receive_alert.body.host>>', deep: { a: { b: { c: { needle: 'found' } } } } },
  }),
};

describeInBrowser('finding things in the console', () => {
  const { fabula, newPage, open: openIn, origin, signIn } = useConsole(stores);
  let page: Page;
  let story: { id: number; webhooks: Record<string, string> };
  const runs: string[] = [];

  beforeEach(async () => {
    story = await fabula.importStory(storyOf(AGENTS, ['Receive alert > Summary'], { name: 'Triage' }), {
      new_name: 'Alert triage',
    });
    runs.length = 0;
    for (const host of ['web-1', 'web-2', 'web-3']) {
      const response = await fabula.fire(story.webhooks['Receive alert']!, { host });
      runs.push(response.headers.get('x-service-story-run') ?? '');
    }
    await fabula.settled();
    // A browser of somebody whose language is another.
    page = await signIn({ locale: 'de-DE', timezoneId: 'America/New_York' });
  });

  const open = (path: string) => openIn(page, path);
  const at = (path: string | RegExp) =>
    page.waitForURL((url) => {
      const place = url.pathname.replace('/console', '') + url.search;
      return typeof path === 'string' ? place === path : path.test(place);
    });
  const events = async () => {
    const { body } = await call(fabula, `GET /api/v1/events?story_id=${story.id}&per_page=10`);
    return (body.events as { id: number; agent_name: string }[]).filter(
      (each) => each.agent_name === 'Summary',
    );
  };

  test(
    'rows open whole, in a tab with Ctrl or the middle button, and by j, k and Enter; / leads to each search',
    async () => {
      await open('/stories');
      const row = page.getByRole('row').filter({ hasText: 'Alert triage' });
      await row.locator('td').last().click();
      await at(`/stories/${story.id}`);

      await open('/stories');
      for (const press of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
        const opening = page.context().waitForEvent('page');
        await row.locator('td').last().click(press);
        const tab = await opening;
        await tab.waitForURL(`**/stories/${story.id}`);
        await tab.close();
      }
      await at('/stories');
      await row.getByRole('checkbox').check();
      await at('/stories');
      await row.getByRole('checkbox').uncheck();

      for (const [path, opened] of [
        ['/runs', /^\/runs\?open=%2Fruns%2F\d+%2F[\w-]+$/],
        ['/events', /^\/events\?open=%2Fevents%2F\d+$/],
        ['/webhooks', /^\/webhooks\/\d+$/],
      ] as const) {
        await open(path);
        await page.getByRole('row').nth(1).locator('td').last().click();
        await at(opened);
      }

      await open('/events');
      await page.getByRole('row').nth(2).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.locator('tr:nth-child(1) [data-opens-row]:focus').waitFor();
      await page.keyboard.press('Enter');
      await at(/^\/events\?open=%2Fevents%2F\d+$/);

      for (const path of [
        '/stories',
        '/runs',
        '/events',
        '/webhooks',
        '/resources',
        '/credentials',
        '/cases',
      ]) {
        await open(path);
        await page.getByRole('search').waitFor();
        await page.keyboard.press('/');
        await page.locator('search input:focus').waitFor();
      }
    },
    LOOKED_AT_MS,
  );

  test(
    'the palette takes guids, ids, paths of webhooks and values, and acts after a question',
    async () => {
      await open('/');
      const ask = async (text: string) => {
        await page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill(text);
      };
      const hit = (name: string | RegExp) => page.getByRole('option', { name }).first();

      await ask(runs[0] ?? '');
      await hit(new RegExp(`^${runs[0]}\\s*Run$`)).waitFor();
      await page.keyboard.press('Enter');
      await at(new RegExp(`^/runs/${story.id}/${runs[0]}`));

      const [newest] = await events();
      await ask(String(newest?.id));
      await hit(`Event ${newest?.id} of`).click();
      await at(`/events/${newest?.id}`);

      const actions = await agentIds(fabula, story.id);
      await ask(`${origin().url}/webhook/${story.webhooks['Receive alert']}`);
      await hit(/^Receive alert in .*Webhook$/).click();
      await at(`/webhooks/${actions['Receive alert']}`);

      await ask('summ');
      await hit(/^Summary\s*Action$/).click();
      await at(`/stories/${story.id}?action=${actions['Summary']}`);

      await ask('web-2');
      await hit('Runs with the value “web-2”').click();
      await at('/runs?value=web-2');
      await page.getByText(/^All \d+ runs? searched\.$/).waitFor();

      await ask('disable triage');
      await hit('Disable Alert triage…').click();
      await page
        .getByRole('dialog', { name: /^Disable/ })
        .getByRole('button', { name: 'Disable' })
        .click();
      await eventually(
        async () => (await call(fabula, `GET /api/v1/stories/${story.id}`)).body.disabled === true,
      );

      await ask('ena');
      await hit(/^Enable a story/).click();
      await page.getByRole('combobox').pressSequentially('triage');
      await hit('Enable Alert triage…').click();
      await page
        .getByRole('dialog', { name: /^Enable/ })
        .getByRole('button', { name: 'Enable' })
        .click();
      await eventually(
        async () => (await call(fabula, `GET /api/v1/stories/${story.id}`)).body.disabled === false,
      );

      await ask('start triage');
      await hit('Start Alert triage…').click();
      const dialog = page.getByRole('dialog', { name: 'Start Alert triage' });
      // The dialog of the story's page: it begins with the last event.
      const payload = dialog.getByRole('textbox', { name: /^Payload/ });
      expect(await payload.inputValue()).toContain('"host": "web-3"');
      await payload.fill('[]');
      await dialog.getByText('A payload is a JSON object').waitFor();
      await payload.fill('{"body":{"host":"web-4"}}');
      await dialog.getByRole('button', { name: 'Start the run' }).click();
      await at(new RegExp(`^/runs/${story.id}/`));
    },
    LOOKED_AT_MS,
  );

  test(
    'webhooks are searched and ordered, and the last calls of one follow a new call',
    async () => {
      const other = await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: 'Orders' });
      await eventually(async () => {
        const { body } = await call(fabula, `GET /api/v1/webhooks?story_id=${story.id}`);
        return body.webhooks[0].counts?.accepted === 3;
      });
      await open('/webhooks');
      const first = page.getByRole('row').nth(1);
      await first.getByText('in Alert triage').waitFor();
      await page.getByRole('searchbox', { name: 'Search webhooks' }).fill('order');
      await first.getByText('in Orders').waitFor();
      await at('/webhooks?search=order');
      await page.getByRole('searchbox', { name: 'Search webhooks' }).fill('nothing like it');
      await page.getByText('No webhooks match.').waitFor();
      await page.getByRole('searchbox', { name: 'Search webhooks' }).fill('');
      await fetch(`${fabula.url}/webhook/${other.webhooks['Hook']}x`, { method: 'POST' });
      await page.getByLabel('Order').selectOption('REFUSED');
      await first.getByText('in Orders').waitFor();
      expect(await faultsInThemes(page, 'webhooks')).toEqual([]);

      await open(`/webhooks/${(await agentIds(fabula, story.id))['Receive alert']}`);
      const calls = page.getByRole('region', { name: 'Last calls' }).getByRole('listitem');
      await calls.nth(2).waitFor();
      await fabula.fire(story.webhooks['Receive alert']!, { host: 'web-9' });
      await calls.nth(3).waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'an event is compared with the one before, by time, and searched inside; times are English',
    async () => {
      const [newest, before, oldest] = await events();
      await open(`/events/${newest?.id}`);
      expect(await page.locator('time').first().getAttribute('title')).toMatch(
        /^\d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d/,
      );
      await page.getByRole('button', { name: 'Compare with previous of this action' }).click();
      await at(`/events/${before?.id}/compare/${newest?.id}`);
      const side = (name: string) => page.getByRole('region', { name, exact: true });
      await side('Before').getByText(`Event ${before?.id},`).waitFor();
      await side('After').getByText(`Event ${newest?.id},`).waitFor();
      await open(`/events/${newest?.id}/compare/${before?.id}`);
      await side('Before').getByText(`Event ${before?.id},`).waitFor();

      await open(`/events/${oldest?.id}`);
      await page.getByRole('button', { name: 'Compare with previous of this action' }).click();
      await page.getByText('This is the first event of its action that is kept.').first().waitFor();

      await open(`/events/${newest?.id}`);
      await page.getByRole('button', { name: 'Compare…' }).click();
      await at(new RegExp(`[?&]compare=${newest?.id}$`));
      await page.reload();
      await page.getByText(/^Choose the event to compare with/).waitFor();
      await page.getByRole('row').filter({ hasText: '"host":"web-1"' }).locator('td').last().click();
      await at(`/events/${oldest?.id}/compare/${newest?.id}`);
      await open(`/events/${oldest?.id}`);

      await page.getByRole('searchbox', { name: /^Find a key or value/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('h1').click();
      await page.keyboard.press('/');
      await page.keyboard.type('needle');
      await page.locator('.json-row.chosen', { hasText: 'needle' }).waitFor();
      await page.getByText('1 of 1').waitFor();
      expect(await faultsInThemes(page, 'event')).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);

      await open('/events');
      await page
        .getByText(/^\{"body":\{"host":"web-3"/)
        .first()
        .waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'run, case, event and story are printed without controls, whole, on their paper, and in the colours of day',
    async () => {
      const { body: made } = await call(fabula, 'POST /api/v2/cases', {
        body: { team_id: fabula.account.team.id, name: 'Phishing mail' },
      });
      const [newest] = await events();
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const path of [
        `/runs/${story.id}/${runs[0]}`,
        `/cases/${made.case_id}`,
        `/events/${newest?.id}`,
        `/stories/${story.id}`,
      ]) {
        await open(path);
        await page.locator('h1').filter({ hasNotText: 'Loading' }).waitFor();
        await page.emulateMedia({ media: 'print' });
        await page.getByRole('navigation', { name: 'Pages' }).first().waitFor({ state: 'hidden' });
        expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
        await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });
        expect(await page.evaluate(CUT_PARTS)).toEqual([]);
        // A page that is wider than its paper is printed small.
        expect([path, await overflowOf(page)]).toEqual([path, 0]);
        await page.emulateMedia({ media: 'screen' });
        await page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
        await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
      }
    },
    LOOKED_AT_MS,
  );

  test('a long line of a payload that is printed pushes the next one down', async () => {
    const host = `web-${'x'.repeat(900)}`;
    await fabula.fire(story.webhooks['Receive alert']!, { host, next: 'line' });
    await fabula.settled();
    const [newest] = await events();
    await open(`/events/${newest?.id}?tab=whole`);
    const long = page.getByRole('treeitem').filter({ hasText: 'web-xxx' }).first();
    await long.waitFor();
    await page.setViewportSize({ width: 718, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    await eventually(async () => ((await long.boundingBox())?.height ?? 0) > 60);
    expect(await page.evaluate(BELOW_LONG_LINE)).toBeGreaterThanOrEqual(0);
  });

  test('a story is printed with all of its canvas, which then shows what it showed before', async () => {
    await open(`/stories/${story.id}`);
    await page.locator('.action-box').first().waitFor();
    const view = '.react-flow__viewport';
    const shown = () => page.locator(view).getAttribute('style');
    await page.mouse.move(260, 700);
    await page.mouse.down();
    await page.mouse.move(1_240, 700, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => (await page.evaluate(OUTSIDE_OF_CANVAS)) !== 0);
    const before = await shown();
    await page.setViewportSize({ width: 718, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    await eventually(async () => (await page.evaluate(OUTSIDE_OF_CANVAS)) === 0);
    await page.emulateMedia({ media: 'screen' });
    await eventually(async () => (await shown()) === before);
  });

  test('the audit log names things and leads to them; nobody but an owner is offered it', async () => {
    await call(fabula, `PUT /api/v1/stories/${story.id}`, { body: { description: 'What it does' } });
    await open('/audit');
    const row = page.getByRole('row').filter({ hasText: 'Updated story' });
    await row.getByRole('link', { name: 'Alert triage' }).waitFor();
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'story' });
    await page.getByLabel('Change', { exact: true }).selectOption({ label: 'Updated story' });
    await at('/audit?type=story&action=story.update');
    await row.locator('td').last().click();
    await page.getByRole('dialog').getByRole('link', { name: 'before and after, in its versions' }).waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('link', { name: 'Alert triage' }).click();
    await at(`/stories/${story.id}`);

    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    const theirs = await newPage();
    await theirs.goto(`${origin().url}/console/?link=${await makeLink(stores, viewer.user.id, 'sign_in')}`);
    const pages = theirs.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Team' }).waitFor();
    expect(await pages.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });
});

/** Returns by how many pixels the line after the long one begins below its end. */
const BELOW_LONG_LINE = `(() => {
  const row = [...document.querySelectorAll('.json-row')].find((each) => each.textContent.includes('web-xxx'));
  return row.nextElementSibling.getBoundingClientRect().top - row.getBoundingClientRect().bottom;
})()`;

/** Counts the boxes of a canvas that are not as a whole inside of it; -1: none is drawn. */
const OUTSIDE_OF_CANVAS = `(() => {
  const frame = document.querySelector('.react-flow').getBoundingClientRect();
  const nodes = [...document.querySelectorAll('.react-flow__node')].map((node) => node.getBoundingClientRect());
  const isOutside = ({ left, right, top, bottom }) =>
    left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
  return nodes.length === 0 ? -1 : nodes.filter(isOutside).length;
})()`;

/** Finds the parts of the page whose content does not fit, by their classes. */
const CUT_PARTS = `[...document.querySelectorAll('main *')]
  .filter((part) => part.clientHeight > 0 && part.scrollHeight > part.clientHeight + 1)
  .filter((part) => !['visible', 'clip'].includes(getComputedStyle(part).overflowY))
  .map((part) => part.className)`;
