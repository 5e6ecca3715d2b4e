import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { dropFile } from '../support/console/drop-file.js';
import { consolePages } from '../support/console/console-pages.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 780 } };
const PATIENCE_MS = 120_000;
/** 60 looks of axe, each of which takes seconds on a busy machine. */
const LOOKED_AT_MS = 20 * 60_000;
/** Markup, marks that turn the direction of text, and a word without end. */
const HOSTILE = `<img src=x onerror="document.title='run'">\u202E${'w'.repeat(180)}`;

const storyNames = async () => {
  const rows = await stores.db.read((session) =>
    session.rows<{ name: string }>('SELECT name FROM stories ORDER BY id'),
  );
  return rows.map(({ name }) => name);
};

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`the console (${CHROMIUM ?? 'left out: no Chromium on this machine; set CHROMIUM'})`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let fabula: TestFabula;
  let origin: ConsoleOrigin;
  let page: Page;
  /** Requests that left the console's origin; there must be none. */
  let foreign: string[];
  /** Requests that the browser refused, and errors that scripts threw; there must be none. */
  let faults: string[];

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    context = await browser.newContext({ viewport: SIZES.wide, colorScheme: 'light' });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    foreign = [];
    faults = [];
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (address.protocol.startsWith('http') && address.origin !== origin.url) foreign.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy/.test(message.text()))
        faults.push(message.text());
    });
  });
  afterEach(async () => {
    await context?.close();
    await fabula?.close();
  });

  const enter = async () => {
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  };

  test('a link signs in once, and leaves the address', async () => {
    const link = await origin.newLink();
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(page.url()).not.toContain('link=');

    const other = await browser.newContext();
    const stranger = await other.newPage();
    await stranger.goto(link, { timeout: PATIENCE_MS });
    await stranger.getByRole('alert').waitFor({ timeout: PATIENCE_MS });
    await stranger.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: PATIENCE_MS });
    await other.close();
    expect([foreign, faults]).toEqual([[], []]);
  });

  test('stories are found, and a dropped file is checked before it is imported', async () => {
    await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: 'Alert triage' });
    await enter();
    await page.getByRole('link', { name: 'Stories' }).click();
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search stories' }).fill('nothing like it');
    await page.getByText('No story is like this.').waitFor();
    await page.getByRole('button', { name: 'Take all filters away' }).click();
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();

    // A number beyond 2^53 must arrive with all its digits.
    const story = storyOf({ Hook: ['Webhook', {}], Ask: ['LLM', {}], Say: says({ n: 1 }) }, [
      'Hook > Ask > Say',
    ]);
    const text = JSON.stringify({ ...story, name: 'Dropped' }).replace('"n":1', '"n":12345678901234567890');
    await dropFile(page, text);
    await page.getByRole('heading', { name: 'Import dropped.json' }).waitFor();
    await page.getByText('Actions that do not run here').waitFor();
    expect(await storyNames()).toEqual(['Alert triage']);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Dropped' }).waitFor();
    await page.locator('.action-box', { hasText: 'Say' }).waitFor();
    expect(await storyNames()).toEqual(['Alert triage', 'Dropped']);
    const rows = await stores.db.read((session) =>
      session.rows<{ options: string }>("SELECT options FROM agents WHERE name = 'Say'"),
    );
    expect(rows[0]?.options).toContain('12345678901234567890');
    expect([foreign, faults]).toEqual([[], []]);
  });

  test('the canvas shows a story, and an action opens with its options, by pointer, search and keyboard', async () => {
    const world = await buildConsoleWorld(stores, fabula);
    const id = world.stories.get('Alert triage')?.id;
    await enter();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('triage');
    await page.getByRole('option', { name: 'Alert triage' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/stories/${id}`);
    await page.locator('.action-box', { hasText: 'Is it high?' }).click();
    await page.getByRole('complementary', { name: 'Action Is it high?' }).waitFor();
    await page.getByRole('searchbox', { name: /Find an action/ }).fill('look up');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Action Look up the host' });
    await panel.getByText('<<receive_alert.body.name>>').first().waitFor();
    await page.locator('.action-box.failed', { hasText: 'Ask a model' }).waitFor();
    await page.getByText('High alerts are looked up.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect([foreign, faults]).toEqual([[], []]);
  });

  test(
    'no page has a fault of accessibility, in both themes, wide and narrow',
    async () => {
      const world = await buildConsoleWorld(stores, fabula);
      const pages = await consolePages(fabula, world);
      await page.goto(`${origin.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await faultsAt('sign-in')));
      }
      await enter();
      for (const named of pages) {
        await named.open(page, origin.url);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await faultsAt(`${named.name}, ${colorScheme}, wide`)));
        }
        // Colours do not depend on the width.
        await page.setViewportSize(SIZES.narrow);
        found.push(...(await faultsAt(`${named.name}, dark, narrow`)));
        await page.setViewportSize(SIZES.wide);
      }
      expect(found).toEqual([]);
      expect([foreign, faults]).toEqual([[], []]);
    },
    LOOKED_AT_MS,
  );

  test('hostile names are text, and break no page', async () => {
    const agents = { Hook: ['Webhook', {}], [HOSTILE]: says({ [HOSTILE]: HOSTILE }) } as Parameters<
      typeof storyOf
    >[0];
    const data = storyOf(agents, [], {
      description: HOSTILE,
      diagram_notes: [{ content: HOSTILE, position: [300, 0] }],
    });
    const { id } = await fabula.importStory(data, { new_name: HOSTILE });
    await fabula.api('PUT', `/api/v1/stories/${id}`, { add_tag_names: [HOSTILE.slice(0, 60)] });
    await enter();
    await page.setViewportSize(SIZES.narrow);
    for (const path of ['/stories', `/stories/${id}`]) {
      await page.goto(`${origin.url}/console${path}`);
      await page.getByText('onerror=').first().waitFor({ state: 'attached' });
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, SIZES.narrow.width]);
      expect(await page.title()).not.toBe('run');
    }
    expect([foreign, faults]).toEqual([[], []]);
  });

  async function faultsAt(place: string): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${place}: ${id}: ${html.slice(0, 200)}`),
    );
  }
});
