import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsInThemes, NO_MISDEEDS, overflowOf, watchPage } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { agentIds, call, runsOf } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Pages take seconds on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const DESK = { width: 1440, height: 900 };
const RISK = 'Risk <<ask.body.risk>>';
const grade = (text: string) => ({ mode: 'message_only', payload: { text } });

describeInBrowser('stories as software: tests in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores);
  let target: HttpTarget;
  let page: Page;
  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/risk': { body: { risk: 7 } } } });
    page = await signIn({ viewport: DESK });
  });
  afterEach(() => target.close());

  /** A story that ran with a high alert, then with a low one. */
  async function ran() {
    const rules = [{ type: 'field==value', path: '<<receive.body.severity>>', value: 'high' }];
    const story = await fabula.importStory(
      storyOf(
        {
          Receive: ['Webhook', {}],
          'Is it high?': ['Trigger', { rules }],
          Ask: ['HTTPRequest', { url: `${target.url}/risk`, method: 'get' }],
          Grade: ['EventTransformation', grade(RISK)],
          'Note the failure': ['EventTransformation', grade('No answer')],
          'Count as low': ['EventTransformation', grade('low')],
        },
        ['Receive > Is it high? > Ask > Grade', 'Is it high? ! Count as low', 'Ask # Note the failure'],
        { name: 'Alerts' },
      ),
      { new_name: 'Alerts' },
    );
    for (const severity of ['high', 'low']) {
      await fabula.fire(story.webhooks['Receive']!, { severity, host: `${severity}-1` });
      await fabula.settled();
    }
    return { id: story.id, runs: (await runsOf(fabula, story.id)).toReversed() };
  }

  const result = () => page.getByRole('region', { name: 'Result' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const states = () => page.locator('tbody tr td:first-child').allInnerTexts();
  const heading = () => page.locator('form h2');

  test(
    'a run is kept; a broken option fails exactly its test, readably; the new value is taken; coverage is marked',
    async () => {
      const { id, runs } = await ran();
      const seen = watchPage(page, origin().url);
      await open(page, `/runs/${id}/${runs[0]!.guid}`);
      await button('Keep as a test').click();
      await page.waitForURL(`**/stories/${id}?view=tests&test=*`);
      const name = await heading().innerText();
      expect(name).toMatch(/^Alerts: .*high/);
      await button('Run').click();
      await result().getByText('All is as expected.').waitFor();
      expect(await faultsInThemes(page, 'a test')).toEqual([]);

      await page.getByRole('link', { name: 'Tests', exact: true }).click();
      await button('Keep a run as a test').click();
      await page.getByRole('option').filter({ hasText: 'low' }).click();
      await page.waitForURL(({ searchParams }) => searchParams.get('test')?.includes('low') === true);
      await page.getByRole('link', { name: 'Tests', exact: true }).click();
      await button('Run all').click();
      await page.getByText('All 2 tests pass.').waitFor();
      expect(await states()).toEqual(['passes', 'passes']);
      expect(target.requests).toHaveLength(1);

      const ids = await agentIds(fabula, id);
      const broken = { options: grade('Level <<ask.body.risk>>') };
      // The time of an edit has whole seconds: one in the second of the edit before would not show.
      await sleep(1_000);
      const { status } = await call(fabula, `PUT /api/v1/actions/${ids['Grade']}`, { body: broken });
      expect(status).toBe(200);
      await page.getByText('The story was changed since.').waitFor();
      await button('Run all').click();
      await page.getByText('1 of 2 tests fails.').waitFor();
      expect(await states()).toEqual(['fails', 'passes']);
      await page.getByRole('row').filter({ hasText: 'expected "Risk 7", found "Level 7"' }).waitFor();
      expect(await faultsInThemes(page, 'the tests')).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize(DESK);

      await page.getByRole('link', { name, exact: true }).click();
      await result().getByText('event 1, text').waitFor();
      await result().getByText('"Risk 7"').waitFor();
      await result().getByText('"Level 7"').waitFor();
      expect(await faultsInThemes(page, 'a failed test')).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize(DESK);
      await button('Expect what was found').click();
      await result().getByText('All is as expected.').waitFor();
      await button('Save').click();
      await page.getByText('Test saved.').first().waitFor();
      await page.getByRole('link', { name: 'Tests', exact: true }).click();
      await button('Run all').click();
      await page.getByText('All 2 tests pass.').waitFor();

      const coverage = page.getByRole('region', { name: 'Coverage' });
      // Six actions, five links, and two branches: all but the failure and its link.
      await coverage.getByText('11 of 13 parts (85 %)').waitFor();
      await coverage.getByRole('link', { name: 'Note the failure' }).click();
      await page.getByText('No test reaches this action.').waitFor();
      await page.getByRole('group', { name: 'Note the failure, action, no test' }).waitFor();
      expect(await page.locator('.action-box.untested').count()).toBe(1);
      expect(await page.locator('.link.untested').count()).toBe(1);
      expect(await faultsInThemes(page, 'coverage')).toEqual([]);
      await page.getByRole('button', { name: /^11 of 13 parts/ }).click();
      await page.locator('.link.untested').waitFor({ state: 'detached' });
      expect(seen).toEqual(NO_MISDEEDS);
    },
    LOOKED_AT_MS,
  );

  test(
    'the whole way: a run is kept, a draft breaks an option, the publication warns and names the test, blocks, and goes on with a reason',
    async () => {
      const { id, runs } = await ran();
      const seen = watchPage(page, origin().url);
      await open(page, `/runs/${id}/${runs[0]!.guid}`);
      await button('Keep as a test').click();
      await page.waitForURL(`**/stories/${id}?view=tests&test=*`);
      const name = await heading().innerText();
      const { body } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Try' } });
      const { id: draft } = body as { id: number };
      const copies = await agentIds(fabula, draft);
      const grading = (text: string) =>
        call(fabula, `PUT /api/v1/actions/${copies['Grade']}`, { body: { options: grade(text) } });
      await grading('Level <<ask.body.risk>>');
      const setting = 'PUT /api/v1/tenants/current/test_settings';

      await open(page, `/stories/${id}/edit?draft=${draft}`);
      await page.getByRole('button', { name: 'Publish…' }).click();
      const failing = page.getByRole('list', { name: 'Tests that fail' });
      await failing.getByText('Grade, event 1, text: expected "Risk 7", found "Level 7"').waitFor();
      await page.getByText('1 of 1 test fails.').waitFor();
      await page.getByText('Failing tests do not keep you from publishing.').waitFor();
      expect(await faultsInThemes(page, 'a publication that warns')).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize(DESK);
      await failing.getByRole('link', { name }).click();
      await page.waitForURL(`**/stories/${id}?view=tests&draft=${draft}&test=*`);
      await heading().getByText(name).waitFor();

      await call(fabula, setting, { body: { on_publish: 'block' } });
      await open(page, `/stories/${id}/edit/publish?draft=${draft}`);
      await page.getByText(/^Failing tests refuse this publication/).waitFor();
      await button('Publish').click();
      await page
        .getByText(/The story is not published: 1 test of it failed/)
        .first()
        .waitFor();
      const liveText = async () => {
        const { body: live } = await call(fabula, `GET /api/v1/stories/${id}/graph`);
        return JSON.stringify(live).includes('Level <<');
      };
      expect(await liveText()).toBe(false);

      await grading(RISK);
      await page.reload();
      await page.getByText('The test passes.').waitFor();
      expect(await button('Publish despite failing tests…').count()).toBe(0);

      await grading('Level <<ask.body.risk>>');
      await page.reload();
      await button('Publish despite failing tests…').click();
      await page.getByRole('textbox', { name: /^Reason/ }).fill('Levels are what we want');
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('heading', { name: 'Published: Alerts' }).waitFor();
      await page.getByText(/^These tests fail/).waitFor();
      expect(await liveText()).toBe(true);
      // The browser tells of the publication that was refused, and of the draft that is gone.
      expect(seen.faults.filter((fault) => !/status of 40[49]/.test(fault))).toEqual([]);
      expect(seen.foreign).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test(
    'a run is kept, an option is broken in the editor, the publication warns, and goes on all the same',
    async () => {
      const { id, runs } = await ran();
      await open(page, `/runs/${id}/${runs[0]!.guid}`);
      await button('Keep as a test').click();
      await page.waitForURL(`**/stories/${id}?view=tests&test=*`);
      const { body } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Levels' } });
      const { id: draft } = body as { id: number };

      await open(page, `/stories/${id}/edit?draft=${draft}`);
      await page.locator('.react-flow__node').filter({ hasText: 'Grade' }).click();
      const text = page.locator('.cm-content[aria-label="payload, text"]');
      await text.fill('Level <<ask.body.risk>>');
      await button('Publish…').click();
      await page.getByText('1 of 1 test fails.').waitFor();
      await page.getByText('Failing tests do not keep you from publishing.').waitFor();
      await page.getByText('Grade, event 1, text: expected "Risk 7", found "Level 7"').waitFor();
      await button('Publish').click();
      await page.getByRole('heading', { name: 'Published: Alerts' }).waitFor();
      await page.getByText(/^These tests fail/).waitFor();
      const { body: live } = await call(fabula, `GET /api/v1/stories/${id}/graph`);
      expect(JSON.stringify(live)).toContain('Level <<ask.body.risk>>');
    },
    LOOKED_AT_MS,
  );

  test(
    'a trial of the editor is kept as a test of the draft, with its response, and passes',
    async () => {
      const { id } = await ran();
      const { body } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Try' } });
      const { id: draft } = body as { id: number };
      await open(page, `/stories/${id}/edit?draft=${draft}`);
      await button('Try').click();
      const panel = page.getByRole('region', { name: 'Trial', exact: true });
      await panel.getByRole('button', { name: 'Run trial' }).click();
      await panel.getByRole('button', { name: 'Keep as a test' }).click();
      await page.waitForURL(`**/stories/${id}?view=tests&draft=${draft}&test=*`);
      await button('Run').click();
      await result().getByText('All is as expected.').waitFor();
      expect(target.requests).toHaveLength(1);
    },
    LOOKED_AT_MS,
  );

  test(
    'a matcher takes the place of the value at the cursor, by the keyboard; the draft has tests of its own',
    async () => {
      const { id, runs } = await ran();
      const { body } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Try' } });
      const { id: draft } = body as { id: number };
      await open(page, `/stories/${id}?view=tests&draft=${draft}&new=test`);
      await page.getByRole('textbox', { name: 'Name' }).fill('Low ones');
      await page.getByRole('combobox', { name: 'Action' }).first().selectOption('Receive');
      await page.locator('.cm-content').first().waitFor();
      const event = page.getByRole('textbox', { name: 'Event', exact: true });
      await event.fill('{"body": {"severity": "low"}}');
      const more = page.getByRole('group', { name: 'Expect more' });
      await more.getByRole('combobox', { name: 'Action' }).selectOption('Count as low');
      await more.getByRole('button', { name: 'Expect' }).click();
      const field = page.getByRole('textbox', { name: 'Count as low, event 1' });
      await field.and(page.locator('.cm-content')).waitFor();
      await field.fill('{"text": "x"}');
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('button', { name: 'Put a matcher into Count as low, event 1' }).click();
      await page.getByText('In place of "x"').waitFor();
      await page.getByRole('menuitem', { name: 'Type text' }).click();
      expect(await field.innerText()).toContain('{"text": {"$type": "text"}}');
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+Enter');
      await result().getByText('All is as expected.').waitFor();
      await button('Save').click();
      await page.waitForURL(/test=Low\+ones/);

      const testsOf = async (query: string) => {
        const { body: listed } = await call(fabula, `GET /api/v1/stories/${id}/tests${query}`);
        return (listed as { tests: unknown[] }).tests;
      };
      expect(await testsOf('')).toEqual([]);
      expect(await testsOf(`?draft_id=${draft}`)).toEqual([
        {
          name: 'Low ones',
          action: 'Receive',
          event: { body: { severity: 'low' } },
          expect: { events: { 'Count as low': [{ text: { $type: 'text' } }] } },
        },
      ]);
      expect(runs).toHaveLength(2);
    },
    LOOKED_AT_MS,
  );
});
