import type { BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserInUse, useBrowser } from '../browser.js';
import type { FabulaOptions } from '../fabula.js';
import type { TestStores } from '../stores.js';
import { type SharedFabula, useFabula } from '../use-fabula.js';
import { type ConsoleOrigin, openConsole } from './console-origin.js';

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
