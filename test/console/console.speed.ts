import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { heavyStory, largeStory, wideStory } from '../support/console/large-story.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { agentIds, call, eventsIn } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

/*
 * Figures, not tests: each is printed beside what it has to reach. They mean something on a quiet machine only.
 */

const stores = useStores();
const STORIES = 200;
/** Elements of the wide run: with four events for each it has 20,001. */
const ELEMENTS = 5_000;
/** Size of one event; the next one has as much, and both are shown together. */
const HALF_BYTES = 8 * 1024 * 1024;
const HOUR_MS = 3_600_000;
/** How often each page is opened; the median counts. */
const TURNS = 3;

/** Draws for two seconds, moving by `move` in each frame; gives the frames a second and the longest frame in ms. */
const FRAMES = (move: string) => `new Promise((done) => {
  const times = [];
  const began = performance.now();
  const frame = (now) => {
    times.push(now);
    ${move};
    if (now - began < 2000) return requestAnimationFrame(frame);
    const gaps = times.slice(1).map((time, at) => time - times[at]);
    done({ rate: 1000 * gaps.length / (times.at(-1) - times[0]), longest: Math.max(...gaps) });
  };
  requestAnimationFrame(frame);
})`;

/** Notes when each mark of a useful page is there first, in ms since the page was asked for. */
const NOTE_FIRST = `
const marks = ['tbody tr', '.action-box', '.step-row', '.json-row'];
window.firstSeen = {};
new MutationObserver(() => {
  for (const mark of marks) {
    if (firstSeen[mark] === undefined && document.querySelector(mark) !== null) firstSeen[mark] = performance.now();
  }
}).observe(document, { childList: true, subtree: true });`;

interface Drawn {
  rate: number;
  longest: number;
}

describeInBrowser('the speed of the console', () => {
  let browser: Browser;
  let fabula: TestFabula;
  let origin: ConsoleOrigin;
  let page: Page;
  const figures: string[] = [];

  const tell = (what: string, value: number, mustReach: string) =>
    figures.push(`${what.padEnd(64)} ${Math.round(value).toString().padStart(7)}   ${mustReach}`);

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    browser = await startChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(NOTE_FIRST);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }, HOUR_MS);
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
    process.stdout.write(`\n${figures.join('\n')}\n`);
  });

  /** Opens a page anew, and gives the time until `ready` is in sight, in ms: the median of some turns. */
  async function opened(path: string, ready: string): Promise<number> {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      await page.goto('about:blank');
      await page.goto(`${origin.url}/console${path}`);
      await page.locator(ready).first().waitFor();
      times.push(await page.evaluate<number>(`firstSeen[${JSON.stringify(ready)}]`));
    }
    return times.toSorted((a, b) => a - b)[Math.floor(TURNS / 2)] ?? 0;
  }

  // One test: data does not outlive a test.
  test(
    'with 200 stories, 78 actions, 20,001 events and an event of 16 MiB',
    async () => {
      for (let n = 0; n < STORIES; n += 1)
        await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: `Story ${n}` });
      tell('list of 200 stories: useful after ms', await opened('/stories', 'tbody tr'), '≤ 1000');

      const large = await fabula.importStory(largeStory(), { new_name: 'Large' });
      tell(
        'story of 78 actions: useful after ms',
        await opened(`/stories/${large.id}`, '.action-box'),
        '≤ 2000',
      );
      await page.mouse.move(700, 450);
      await page.mouse.down();
      const panning = page.evaluate<Drawn>(FRAMES(''));
      for (let move = 0; move < 120; move += 1)
        await page.mouse.move(700 + 200 * Math.sin(move / 10), 450 + 200 * Math.cos(move / 10));
      const panned = await panning;
      await page.mouse.up();
      tell('story of 78 actions, panned: frames a second', panned.rate, '≥ 30');
      tell('story of 78 actions, panned: longest frame in ms', panned.longest, '');

      const wide = await fabula.importStory(wideStory(), { new_name: 'Wide' });
      const all = Array.from({ length: ELEMENTS }, (_, at) => at);
      await fabula.fire(wide.webhooks['Hook'] ?? '', { all });
      await fabula.settled(HOUR_MS);
      const { body } = await call(fabula, `GET /api/v1/stories/${wide.id}/runs`);
      const [run] = body.story_runs;
      const path = `/runs/${wide.id}/${run.guid}`;
      tell('run of 20,001 events: useful after ms', await opened(path, '.step-row'), '');
      const began = performance.now();
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('20,000 steps').waitFor();
      tell('run of 20,001 events: 10,000 more after ms', performance.now() - began, '');
      const scroll = "document.querySelector('.timeline-rows').scrollTop += 400";
      const scrolled = await page.evaluate<Drawn>(FRAMES(scroll));
      tell('run of 20,001 events, scrolled: frames a second', scrolled.rate, '≥ 30');
      tell('run of 20,001 events, scrolled: longest frame in ms', scrolled.longest, '');

      const heavy = await fabula.importStory(heavyStory(), { new_name: 'Heavy' });
      const lines = Array.from({ length: HALF_BYTES / 51 }, (_, at) => `line ${at}`.padEnd(48, '.'));
      const { status } = await fabula.fire(heavy.webhooks['Hook'] ?? '', { lines });
      expect(status).toBe(201);
      await fabula.settled(HOUR_MS);
      const actions = await agentIds(fabula, heavy.id);
      const [event] = await eventsIn(fabula, `?action_id=${actions['Copy']}`);
      tell(
        'event of 16 MiB: useful after ms',
        await opened(`/events/${event?.id}?tab=whole`, '.json-row'),
        '',
      );
      const jumped = await page.evaluate<Drawn>(
        FRAMES("document.querySelector('.json-lines').scrollTop += 400"),
      );
      tell('event of 16 MiB, scrolled: frames a second', jumped.rate, '≥ 30');
      tell('event of 16 MiB, scrolled: longest frame in ms', jumped.longest, '');
    },
    HOUR_MS,
  );
});
