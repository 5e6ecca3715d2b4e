import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { openConsole } from '../support/console/console-origin.js';
import { firstLoad } from '../support/console/first-load.js';
import { framesWhile, longestTask, median, PAGE_CLOCK, shownAfter } from '../support/console/page-clock.js';
import { wovenStory, WRITTEN } from '../support/console/woven-story.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { call } from '../support/run-api.js';
import { useStores } from '../support/stores.js';

/*
 * Figures of the editor, not tests: each is printed beside what it has to reach. They mean something on a quiet machine only.
 */

const stores = useStores();
const HOUR_MS = 3_600_000;
const TURNS = 9;
const OPENINGS = 3;
const REST_MS = 1_500;
/** Texts that once froze the page, and templates that take long on the server. */
const HOSTILE = {
  'quotes without end': `<<${'"'.repeat(60_000)}`,
  'openings without end': '<<'.repeat(60_000),
  'tags without a formula': '<%x%>'.repeat(30_000),
  'a long name': `=UPCASE(${'a'.repeat(40)} `,
  'brackets without end': `=${'['.repeat(60_000)}`,
  'loops in loops': '<%for a in RANGE(1,9000)%><%for b in RANGE(1,9000)%><<b>><%endfor%><%endfor%>',
  'a text that doubles': `=${'REPLACE('.repeat(30)}"aa"${', "a", "aaaa")'.repeat(30)}`,
};

describeInBrowser('the speed of the editor', () => {
  let browser: Browser;
  let fabula: TestFabula;
  let page: Page;
  let url: string;
  const figures: string[] = [];

  const tell = (what: string, value: number, mustReach: string) =>
    figures.push(`${what.padEnd(64)} ${Math.round(value).toString().padStart(7)}   ${mustReach}`);

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    const origin = openConsole(stores, fabula);
    url = origin.url;
    browser = await startChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(120_000);
    await context.addInitScript(PAGE_CLOCK);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }, HOUR_MS);
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
    process.stdout.write(`\n${figures.join('\n')}\n`);
  });

  /** Opens the editor anew, and returns the time until the canvas is drawn and idle, in ms: the median of some turns. */
  async function opened(path: string): Promise<number> {
    const times: number[] = [];
    for (let turn = 0; turn < OPENINGS; turn += 1) {
      await page.goto('about:blank');
      await page.goto(`${url}/console${path}`);
      times.push(await page.evaluate<number>('idleAfter'));
    }
    return median(times);
  }

  /** Opens the action whose fields are written to, and returns the field of its text. */
  async function openField(storyId: number) {
    const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/graph`);
    const { agents } = body as { agents: { name: string; guid: string }[] };
    const guid = agents.find(({ name }) => name === WRITTEN)?.guid ?? '';
    await page.goto(`${url}/console/stories/${storyId}/edit?action=${guid}`);
    // A plain field stands there until the editor is loaded.
    const field = page.locator('.cm-content[aria-label="payload, text"]');
    await field.click();
    await page.locator('output').filter({ hasText: 'Host web-7 is down' }).waitFor();
    await page.keyboard.press('Control+End');
    return field;
  }

  async function keysToValues() {
    const [letters, values, requests]: [number[], number[], number[]] = [[], [], []];
    let end = ' is down';
    const press = async (isShown: string) => {
      end += 'x';
      return shownAfter(page, { kind: 'keydown', isShown }, () => page.keyboard.press('x'));
    };
    for (let turn = 0; turn < TURNS; turn += 1) {
      letters.push(await press(`document.activeElement.textContent.endsWith(${JSON.stringify(`${end}x`)})`));
      // By then the change is saved, and nothing is left to do.
      await page.waitForTimeout(REST_MS);
      await page.evaluate('performance.clearResourceTimings()');
      const shown = JSON.stringify(`Host web-7${end}x`);
      values.push(
        await press(
          `[...document.querySelectorAll('output')].some(({ textContent }) => textContent === ${shown})`,
        ),
      );
      requests.push(
        await page.evaluate<number>(
          "performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/preview'))?.duration",
        ),
      );
      await page.waitForTimeout(REST_MS);
    }
    tellKeys('letter', letters);
    tellKeys('rendered value', values);
    tell('78 actions: of it the request of the value, ms', median(requests), '');
  }

  async function keysToCompletion() {
    const waits: number[] = [];
    await page.keyboard.type('<<hook');
    // Without a list to close, Escape leaves the field.
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.keyboard.press('Escape');
    const isShown =
      "[...document.querySelectorAll('.cm-tooltip-autocomplete li')].some((each) => each.textContent.includes('body'))";
    for (let turn = 0; turn < TURNS; turn += 1) {
      waits.push(await shownAfter(page, { kind: 'keydown', isShown }, () => page.keyboard.press('.')));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Backspace');
      await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
      await page.waitForTimeout(REST_MS / 3);
    }
    tellKeys('completion', waits);
  }

  const tellKeys = (what: string, times: readonly number[]) => {
    tell(`78 actions: key → ${what} drawn, ms, median`, median(times), '≤ 100');
    tell(`78 actions: key → ${what} drawn, ms, longest`, Math.max(...times), '');
  };

  /** Writes a hostile template into a field, types on, and asks the server for something small all the while. */
  async function hostile(field: Locator, [name, template]: [string, string]) {
    await field.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    const over = new AbortController();
    const asking = (async () => {
      let longest = 0;
      while (!over.signal.aborted) {
        const began = performance.now();
        await (await fetch(`${fabula.url}/healthz`)).text();
        longest = Math.max(longest, performance.now() - began);
      }
      return longest;
    })();
    const longest = await longestTask(page, async () => {
      await page.keyboard.insertText(template);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' "a');
      await page.waitForTimeout(2 * REST_MS);
    });
    over.abort();
    tell(`hostile template, ${name}: longest task of the page, ms`, longest, '≤ 100');
    tell(`hostile template, ${name}: longest response beside it, ms`, await asking, '≤ 50');
  }

  /** Drags the action in the middle of the canvas: near an edge it would move the view as well. */
  async function dragged(what: string) {
    const { x, y } = await page.evaluate<{ x: number; y: number }>(`(() => {
      const { left, top, width, height } = document.querySelector('.react-flow').getBoundingClientRect();
      return [...document.querySelectorAll('.react-flow__node')]
        .map((node) => node.getBoundingClientRect())
        .map((box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 }))
        .map((at) => ({ ...at, far: Math.hypot(at.x - left - width / 2, at.y - top - height / 2) }))
        .sort((a, b) => a.far - b.far)[0];
    })()`);
    await page.mouse.move(x, y);
    await page.mouse.down();
    const { moves, longest } = await framesWhile(page, (turn) =>
      page.mouse.move(x + 120 * Math.sin(turn / 10), y + 80 * Math.cos(turn / 10)),
    );
    await page.mouse.up();
    tell(`${what}: moves drawn a second`, moves, '≥ 30');
    tell(`${what}: longest frame, ms`, longest, '');
  }

  const pressed = (key: string) =>
    shownAfter(page, { kind: 'keydown', isShown: 'true' }, () => page.keyboard.press(key));

  // One test: data does not outlive a test.
  test(
    'with 78 and with 500 actions',
    async () => {
      tell('first load of the console, kB compressed', firstLoad().bytes / 1000, '≤ 220');
      const large = await fabula.importStory(wovenStory(78, 90));
      await fabula.fire(large.webhooks['Hook'] ?? '', { host: 'web-7' });
      await fabula.settled(HOUR_MS);
      tell('78 actions: canvas is idle after ms', await opened(`/stories/${large.id}/edit`), '≤ 1500');
      await dragged('78 actions, dragged at the opening zoom');
      const field = await openField(large.id);
      await keysToValues();
      await keysToCompletion();
      for (const each of Object.entries(HOSTILE)) await hostile(field, each);

      const huge = await fabula.importStory(wovenStory(500, 650));
      tell('500 actions: canvas is idle after ms', await opened(`/stories/${huge.id}/edit`), '≤ 3000');
      await dragged('500 actions, dragged at the opening zoom');
      tell('500 actions: undo of it, ms', await pressed('Control+z'), '≤ 100');
      await page.getByRole('button', { name: 'Fit View' }).click();
      await page.waitForTimeout(1_000);
      await dragged('500 actions, dragged with all in view');
      await page.mouse.move(300, 500);
      const panning = await framesWhile(page, (turn) => page.mouse.wheel(4 * Math.sin(turn / 10), 4));
      tell('500 actions, panned with all in view: frames a second', panning.rate, '≥ 30');
      tell('500 actions: select all, ms', await pressed('Control+a'), '≤ 200');
      tell('500 actions: tidy, ms', await pressed('t'), '');
      await page.waitForTimeout(2_000);
      tell('500 actions: undo of tidy, ms', await pressed('Control+z'), '≤ 200');
    },
    HOUR_MS,
  );
});
