import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { startChromium } from '../support/chromium.js';
import { openConsole } from '../support/console/console-origin.js';
import { consolePages, emptyPages, type NamedPage } from '../support/console/console-pages.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { shootThemes, SIZES, wantedSizes } from '../support/console/shots.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** The pictures of the guide and of the design, by the pages that they show. */
const GUIDE: Partial<Record<string, string>> = {
  case: 'case',
  'dead-letter': 'dead-letter',
  events: 'events',
  gallery: 'gallery',
  'gallery-sample': 'gallery-sample',
  home: 'home',
  queues: 'queues',
  run: 'run',
  'run-canvas': 'run-canvas-dark',
  stories: 'stories',
  'story-options': 'story',
  webhook: 'webhook',
};

/** Beside other work the pictures take several minutes. */
const SHOTS_LIMIT_MS = 15 * 60_000;

describeInBrowser('pictures of every page', () => {
  let browser: Browser;

  beforeAll(async () => {
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
      const mine = await signedIn(await origin.newLink(), origin.url);
      let count = await shootAll(mine, pages, origin.url);

      const account = await buildAccount(stores.db, { owner: true });
      const empty = openConsole(stores, { ...fabula, account });
      count += await shootAll(await signedIn(await empty.newLink()), emptyPages(), empty.url);
      expect(count).toBeGreaterThan(0);
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

/** Returns how many pages there are pictures of now. */
async function shootAll(page: Page, pages: readonly NamedPage[], origin: string): Promise<number> {
  const wanted = pages.filter(({ name }) => wantedSizes(name).length > 0);
  for (const named of wanted) {
    await named.open(page, origin);
    await shoot(page, named.name);
  }
  return wanted.length;
}

/** Takes pictures of the page as it is, in each theme and size; the page stays open meanwhile. */
async function shoot(page: Page, name: string) {
  for (const [size, viewport] of wantedSizes(name)) {
    await page.setViewportSize(viewport);
    await shootThemes(page, { name, size, guide: size === 'wide' ? GUIDE[name] : undefined });
  }
  await page.setViewportSize(SIZES.wide);
}
