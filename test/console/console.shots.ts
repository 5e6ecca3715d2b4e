import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';
import { consolePages, type NamedPage } from '../support/console/console-pages.js';

const stores = useStores();
const FOLDER = path.resolve(__dirname, '../../.cache/shots');
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 780 } };

/** Beside other work the pictures take several minutes. */
const SHOTS_LIMIT_MS = 15 * 60_000;

describeInBrowser('pictures of every page', () => {
  let browser: Browser;
  let origin: ConsoleOrigin;
  let pages: NamedPage[];

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    const world = await buildConsoleWorld(stores, fabula);
    origin = openConsole(stores, fabula);
    pages = await consolePages(fabula, world);
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  // One test: data does not outlive a test.
  test(
    'in both themes, wide and narrow',
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const [size, viewport] of Object.entries(SIZES)) {
          const context = await browser.newContext({ colorScheme, viewport });
          context.setDefaultTimeout(60_000);
          const page = await context.newPage();
          await page.goto(`${origin.url}/console/`);
          await page.getByRole('button', { name: 'Sign in' }).waitFor();
          await shoot(page, `sign-in-${colorScheme}-${size}`);
          await page.goto(await origin.newLink());
          await page.getByRole('navigation', { name: 'Pages' }).waitFor();
          for (const named of pages) {
            await named.open(page, origin.url);
            await shoot(page, `${named.name}-${colorScheme}-${size}`);
          }
          await context.close();
        }
      }
      expect(readdirSync(FOLDER).length).toBeGreaterThanOrEqual(4 * (pages.length + 1));
    },
    SHOTS_LIMIT_MS,
  );
});

/** Charts and the canvas are drawn in the frame after their data has come. */
const AFTER_TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

async function shoot(page: Page, name: string) {
  await page.evaluate(AFTER_TWO_FRAMES);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}
