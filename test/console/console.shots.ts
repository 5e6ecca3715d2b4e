import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { startChromium } from '../support/chromium.js';
import { openConsole } from '../support/console/console-origin.js';
import { consolePages, emptyPages, type NamedPage } from '../support/console/console-pages.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { momentPages } from '../support/console/moment-pages.js';
import { shootPrint, shootSizes, SIZES, wantedSizes } from '../support/console/shots.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** The pictures of the guide and of the design, by the pages that they show. */
const GUIDE: Partial<Record<string, string>> = {
  case: 'case',
  events: 'events',
  gallery: 'gallery',
  'gallery-sample': 'gallery-sample',
  home: 'home',
  inbox: 'inbox',
  queues: 'queues',
  'run-path': 'run-canvas-dark',
  stories: 'stories',
  'story-options': 'story',
  webhook: 'webhook',
};

/** Pages that people print. */
const PRINTED = new Set([
  'run',
  'run-failed',
  'run-canvas',
  'case',
  'story',
  'story-settings',
  'dead-letter',
  'event',
  'compare',
  'runs',
  'home',
]);

/** Beside other work the pictures take several minutes. */
const SHOTS_LIMIT_MS = 40 * 60_000;
/** A page takes a second; on a busy machine, some. */
const PATIENCE_MS = 30_000;

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
      const fabula = await startFabula(stores, {
        env: { ADMIN_PORT: '0', PUBLIC_URL: 'https://hooks.example.com' },
      });
      const world = await buildConsoleWorld(stores, fabula);
      const pages = [...(await consolePages(fabula, world)), ...(await momentPages(fabula, world))];
      const origin = openConsole(stores, fabula);
      const mine = await signedIn(await origin.newLink(), origin.url);
      const failed = await shootAll(mine, pages, origin.url);

      const account = await buildAccount(stores.db, { owner: true });
      const empty = openConsole(stores, { ...fabula, account });
      failed.push(...(await shootAll(await signedIn(await empty.newLink()), emptyPages(), empty.url)));
      expect(failed).toEqual([]);
    },
    SHOTS_LIMIT_MS,
  );

  /** Returns a tab that is signed in; with an address it takes pictures of the sign-in before. */
  async function signedIn(link: string, address?: string): Promise<Page> {
    const context = await browser.newContext({ viewport: SIZES.wide });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    if (address !== undefined) {
      await page.goto(`${address}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await shootSizes(page, 'sign-in');
    }
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return page;
  }
});

/** Takes the wanted pictures of these pages. Returns what could not be pictured, so that one page does not keep back the others. */
async function shootAll(page: Page, pages: readonly NamedPage[], origin: string): Promise<string[]> {
  const failed: string[] = [];
  for (const named of pages.filter(({ name }) => wantedSizes(name).length > 0)) {
    try {
      await named.open(page, origin);
      await shootSizes(page, named.name, GUIDE[named.name]);
      if (PRINTED.has(named.name)) await shootPrint(page, named.name);
    } catch (error) {
      failed.push(`${named.name}: ${String(error)}`);
    }
  }
  return failed;
}
