import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { startChromium } from '../support/chromium.js';
import { openConsole } from '../support/console/console-origin.js';
import { consolePages, emptyPages, type NamedPage } from '../support/console/console-pages.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const FOLDER = path.resolve(__dirname, '../../.cache/shots');
const SIZES = {
  wide: { width: 1440, height: 900 },
  middle: { width: 900, height: 900 },
  narrow: { width: 390, height: 844 },
};
const THEMES = ['light', 'dark'] as const;
const PICTURES = THEMES.length * Object.keys(SIZES).length;

/** Beside other work the pictures take several minutes. */
const SHOTS_LIMIT_MS = 15 * 60_000;

describeInBrowser('pictures of every page', () => {
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  // One test: data does not outlive a test.
  test(
    'in both themes and three sizes, with data and without',
    async () => {
      const fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
      const pages = await consolePages(fabula, await buildConsoleWorld(stores, fabula));
      const origin = openConsole(stores, fabula);
      await shootAll(await signedIn(await origin.newLink(), origin.url), pages, origin.url);

      const account = await buildAccount(stores.db, { owner: true });
      const empty = openConsole(stores, { ...fabula, account });
      await shootAll(await signedIn(await empty.newLink()), emptyPages(), empty.url);
      expect(readdirSync(FOLDER).length).toBeGreaterThanOrEqual(
        PICTURES * (pages.length + emptyPages().length + 1),
      );
    },
    SHOTS_LIMIT_MS,
  );

  /** Returns a tab that is signed in; with an address it takes pictures of the sign-in before. */
  async function signedIn(link: string, address?: string): Promise<Page> {
    const context = await browser.newContext({ viewport: SIZES.wide });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    if (address !== undefined) {
      await page.goto(`${address}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await shoot(page, 'sign-in');
    }
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return page;
  }
});

async function shootAll(page: Page, pages: readonly NamedPage[], origin: string) {
  for (const named of pages) {
    await named.open(page, origin);
    await shoot(page, named.name);
  }
}

/** Charts and the canvas are drawn in the frame after their data has come. */
const AFTER_TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Takes pictures of the page as it is, in each theme and size; the page stays open meanwhile. */
async function shoot(page: Page, name: string) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await page.evaluate(AFTER_TWO_FRAMES);
      await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}-${size}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(SIZES.wide);
}
