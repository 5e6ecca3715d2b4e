import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM, startChromium } from './chromium.js';

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
export interface BrowserInUse {
  /** Returns a new tab with a profile of its own, which is closed after the test. */
  newPage: (options?: BrowserContextOptions) => Promise<Page>;
}

/** Starts a browser for the `describe` that calls this, and closes it at the end. */
export function useBrowser(): BrowserInUse {
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
