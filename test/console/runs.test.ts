import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** It opens some 30 pages, each of which takes seconds on a busy machine. */
const LOOKED_AT_MS = 20 * 60_000;
/** Markup, marks of right-to-left text, and a word without an end. */
const HOSTILE = `<img src=x onerror="window.ran = 1">\u202E${'w'.repeat(3_000)}`;
const AGENTS: Record<string, ShortAgent> = {
  'Receive alert': ['Webhook', {}],
  'Ask the host': [
    'HTTPRequest',
    {
      url: 'http://127.0.0.1:9/hosts/<<receive_alert.body.host>>',
      method: 'post',
      content_type: 'json',
      payload: { note: '<<receive_alert.body.note>>' },
      retry_on_status: [],
    },
  ],
  Summary: says({ text: 'Host <<receive_alert.body.host>>' }),
  'Ask a model': ['LLM', { prompt: '<<summary.text>>' }],
  Later: ['EventTransformation', { mode: 'delay', seconds: 86_400 }],
};
const LINKS = ['Receive alert > Ask the host > Summary > Ask a model', 'Receive alert > Later'];

describeInBrowser('runs and events in the console', () => {
  const { fabula, open: openIn, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    const story = await fabula.importStory(
      storyOf(AGENTS, LINKS, { name: `Triage ${HOSTILE.slice(0, 200)}` }),
    );
    for (const host of ['web-1', 'web-2']) {
      await fabula.fire(story.webhooks['Receive alert']!, { host, note: HOSTILE });
    }
    page = await signIn();
  });

  const open = (path: string) => openIn(page, path);

  const step = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) });

  async function openRun(host: string): Promise<void> {
    await open(`/runs?path=body.host&value=${host}`);
    const found = page.getByRole('row').filter({ hasText: 'running' });
    await found.getByRole('link').click();
    // It opens beside the list; what follows looks at its own page.
    await page.getByRole('link', { name: 'Full page' }).click();
    await page.waitForURL(/\/runs\/\d+\/[\w-]+/);
    await step('Summary').waitFor();
  }

  test('a printed run has all rows of its timeline', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Step ${index + 1}`);
    const agents = Object.fromEntries(names.map((name) => [name, says({ text: name })]));
    const { id, webhooks } = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], ...agents }, [['Hook', ...names].join(' > ')]),
    );
    await fabula.fire(webhooks['Hook']!, {});
    await eventually(async () => (await runsOf(fabula, id))[0]?.status === 'completed');
    const [run] = await runsOf(fabula, id);
    await open(`/runs/${id}/${run!.guid}`);
    await step('Step 1').first().waitFor();
    const rows = page.getByRole('treeitem');
    expect(await rows.count()).toBeLessThan(61);
    await page.emulateMedia({ media: 'print' });
    await eventually(async () => (await rows.count()) === 61);
    const box = await page.locator('.timeline-rows').boundingBox();
    expect(box?.height).toBeGreaterThan(61 * 29);
  });

  // One test: data does not outlive a test.
  test(
    'a person finds a run by a value, reads a request, and mends and cancels',
    async () => {
      await openRun('web-1');
      expect(await page.evaluate('window.ran')).toBeUndefined();

      await step('Ask the host').click();
      await page.getByRole('tab', { name: 'Request and response' }).click();
      await page.getByText('http://127.0.0.1:9/hosts/web-1').first().waitFor();
      await page.getByRole('tab', { name: 'Input' }).click();
      await page.getByRole('tree', { name: 'Input of the action' }).getByText('receive_alert').waitFor();

      await step('Ask a model').click();
      await page.getByRole('button', { name: 'Retry this step' }).waitFor();

      await step('Summary').click();
      await page.getByRole('button', { name: 'Run from here…' }).click();
      const payload = page.getByRole('textbox', { name: 'Payload' });
      await payload.fill('{"receive_alert":{"body":{"host":"edited-9"}}}');
      const before = page.url();
      await page.getByRole('button', { name: 'Start the run' }).click();
      await eventually(() => Promise.resolve(page.url() !== before && page.url().includes('/runs/')), 60_000);
      await step('Summary').click();
      await page.getByText('"Host edited-9"').waitFor();

      await openRun('web-2');
      await page.getByRole('button', { name: 'Canvas', exact: true }).click();
      await page.locator('.action-box').first().waitFor();
      expect(await page.locator('.action-box.off').count()).toBe(0);
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByText('cancelled', { exact: true }).waitFor();

      await compareEvents();
      await findEvents();
      await lookAtWidths();
      await searchOlderEvents();
      await keepChosenStep();
    },
    LOOKED_AT_MS,
  );

  async function compareEvents(): Promise<void> {
    await open('/events?path=text');
    await page.getByRole('link', { name: 'Summary' }).first().click();
    await page.getByRole('button', { name: 'Compare…', exact: true }).click();
    await page.getByText(/^Choose the event to compare with event \d+\./).waitFor();
    // The mark stands in the address.
    await page.reload();
    await page.getByText(/^Choose the event to compare with event \d+\./).waitFor();
    await page.getByRole('link', { name: 'Summary' }).nth(1).click();
    const row = page.getByRole('row').filter({ hasText: 'text' });
    await row.getByText('"Host edited-9"').waitFor();
    await row.getByText('"Host web-2"').waitFor();
  }

  async function findEvents(): Promise<void> {
    await open('/events?path=text&value=Host%20web-1');
    await page.getByRole('link', { name: 'Summary' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Summary' }).click();
    await page.getByRole('tab', { name: 'What receivers see' }).click();
    const tree = page.getByRole('tree');
    await tree.getByText('receive_alert').click();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Copy Formula' }).waitFor();
    await page.getByRole('tab', { name: 'Preceding events' }).click();
    await page.getByRole('link', { name: 'Ask the host' }).waitFor();
  }

  /** Hostile content makes no page of runs and events wider than the window, and nothing in it runs. */
  async function lookAtWidths(): Promise<void> {
    await openRun('web-1');
    const run = new URL(page.url()).pathname.replace('/console', '');
    await step('Ask the host').click();
    await page.locator('.json-row').first().waitFor();
    const chosen = `${run}${new URL(page.url()).search}`;
    const event = /event-(\d+)/.exec(chosen)?.[1] ?? '';
    const pages: [string, string][] = [
      ['/runs', 'table'],
      [chosen, '.json-row'],
      [`${chosen}&tab=options`, '.request-line'],
      [`${run}?view=canvas`, '.action-box'],
      ['/events', 'table'],
      [`/events/${event}`, '.json-row'],
      [`/events/${event}/compare/${Number(event) + 1}`, '.compared, .state'],
    ];
    for (const [path, content] of pages) {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await open(path);
        await page.locator(content).first().waitFor();
        expect([path, width, await overflowOf(page)]).toEqual([path, width, 0]);
      }
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
  }

  /** A value in one of the oldest events of a long run is found by a search that goes on. */
  async function searchOlderEvents(): Promise<void> {
    const agents: Record<string, ShortAgent> = {
      Hook: ['Webhook', {}],
      Each: ['EventTransformation', { mode: 'explode', path: '<<hook.body.list>>', to: 'item' }],
    };
    const { webhooks } = await fabula.importStory(storyOf(agents, ['Hook > Each'], { name: 'Long run' }));
    const list = Array.from({ length: 250 }, (_, index) => (index === 0 ? 'needle' : `item ${index}`));
    await fabula.fire(webhooks['Hook']!, { list });
    const button = page.getByRole('button', { name: 'Search older events' });
    await eventually(async () => {
      await open('/events?path=item&value=needle');
      await page.locator('.state, table').first().waitFor();
      return button.isVisible();
    }, 60_000);
    expect(await page.getByRole('link', { name: 'Each' }).count()).toBe(0);
    await button.click();
    await page.getByText('Compared all older events of these runs: 1 older event found.').waitFor();
    await page.getByRole('link', { name: 'Each' }).waitFor();
  }

  /** A step that was still to come stays chosen as its event comes. */
  async function keepChosenStep(): Promise<void> {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openRun('web-1');
    await step('Later').click();
    const panel = page.getByRole('complementary', { name: 'Step Later' });
    await panel.getByText(/^Delayed by the options of the action: continues /).waitFor();
    await page.waitForURL(/step=open-/);
    const guid = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await stores.sql(
      `UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND, resume_at = NOW(3) - INTERVAL 1 SECOND
       WHERE story_run_guid = ? AND state = 'waiting'`,
      [guid],
    );
    await page.waitForURL(/step=event-/);
    await panel.getByText(/^event \d+$/).waitFor();
  }
});
