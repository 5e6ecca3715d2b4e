import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM } from '../browser.js';
import { startChromium } from '../chromium.js';
import type { FabulaOptions } from '../fabula.js';
import type { TestStores } from '../stores.js';
import { type SharedFabula, useFabula } from '../use-fabula.js';
import { type ConsoleOrigin, openConsole } from './console-origin.js';

/** A busy machine takes seconds for a page. */
const PATIENCE_MS = 120_000;
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 780 };

/** The tests of a page in a browser: they are left out, and their title says so, where there is no Chromium. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (CHROMIUM === undefined)
    describe.skip(`${title} (left out: no Chromium on this machine; set CHROMIUM)`, tests);
  else describe(title, tests);
}

/** A browser of the `describe` that calls this. Use inside hooks and tests only. */
interface BrowserInUse {
  /** Returns a new tab with a profile of its own, which is closed after the test. */
  newPage: (options?: BrowserContextOptions) => Promise<Page>;
}

/** Starts a browser for the `describe` that calls this, and closes it at the end. */
function useBrowser(): BrowserInUse {
  let browser: Browser | undefined;
  const opened: BrowserContext[] = [];

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });
  afterAll(() => browser?.close());

  return {
    async newPage(options = {}) {
      if (browser === undefined) throw new Error('The browser runs inside hooks and tests only');
      const context = await browser.newContext({ viewport: WIDE, ...options });
      opened.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    },
  };
}

/** The console of a running Fabula in a browser. Use inside hooks and tests only. */
export interface ConsoleInUse extends BrowserInUse {
  fabula: SharedFabula;
  /** Returns the origin that the console is on. */
  origin: () => ConsoleOrigin;
  /** Returns a new tab in which Fabula's owner has signed in by a link. */
  signIn: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a page of the console in a tab by its address: `/stories`. */
  open: (page: Page, path: string) => Promise<void>;
}

/** Starts Fabula with its console, and a browser, for the `describe` that calls this. */
export function useConsole(stores: TestStores, options: () => FabulaOptions = () => ({})): ConsoleInUse {
  const { newPage } = useBrowser();
  const fabula = useFabula(stores, () => {
    const given = options();
    return { ...given, env: { ADMIN_PORT: '0', ...given.env } };
  });
  const origin = () => openConsole(stores, fabula);
  return {
    fabula,
    newPage,
    origin,
    async signIn(contextOptions) {
      const page = await newPage(contextOptions);
      await page.goto(await origin().newLink());
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return page;
    },
    async open(page, path) {
      await page.goto(`${origin().url}/console${path}`);
    },
  };
}
