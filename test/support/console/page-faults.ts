import type { Page } from 'playwright-core';
import { axeFaults } from './axe.js';

const MOST_CHARACTERS = 200;

/**
 * axe takes dialogs for modal, never menus. While a menu is open, it keeps the focus (looked at below), and all else is hidden
 * from screen readers. So these have nothing to ask: which hidden controls and scrolled parts the focus can reach
 * (`aria-hidden-focus`, `scrollable-region-focusable`), and where the hidden page has its heading and its landmarks
 * (`page-has-heading-one`, `landmark-one-main`, `region`); a menu may have neither.
 */
const NOT_OF_MENUS = [
  'aria-hidden-focus',
  'landmark-one-main',
  'page-has-heading-one',
  'region',
  'scrollable-region-focusable',
];

/** In the page: there are no types of a browser here. */
const MENU_KEEPS_FOCUS = `document.activeElement?.closest('[role="menu"]') != null`;

/** Returns all that axe finds on the page as it is, each with the place that it is looked at in. */
export async function faultsOf(page: Page, place: string): Promise<string[]> {
  const hasMenu = (await page.locator('[role="menu"]').count()) > 0;
  const faults = await axeFaults(page, hasMenu ? NOT_OF_MENUS : []);
  const found = faults.map(({ rule, html }) => `${place}: ${rule}: ${html.slice(0, MOST_CHARACTERS)}`);
  if (hasMenu && !(await page.evaluate<boolean>(MENU_KEEPS_FOCUS)))
    found.push(`${place}: the open menu has lost the focus`);
  return found;
}

/** Returns all that axe finds on the page as it is, in both themes. */
export async function faultsInThemes(page: Page, place = 'page'): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await faultsOf(page, `${place}, ${colorScheme}`)));
  }
  return found;
}

/** Returns by how many pixels the page is wider than its window; people would have to scroll it to the side. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Deeds of a page that no page may do. */
export interface Misdeeds {
  /** Requests that left the address. */
  foreign: string[];
  /** Errors that scripts threw, errors in the browser's console, and dialogs of the browser. */
  faults: string[];
}

export const NO_MISDEEDS: Misdeeds = { foreign: [], faults: [] };

/** The browser's words for responses that pages show: nobody has signed in, or a rule refuses a change. */
const REFUSAL = /status of (?:401|422)/;

/** Notes from now on what the page does that it may not. `address`: what all its requests must begin with. */
export function watchPage(page: Page, address: string): Misdeeds {
  const seen: Misdeeds = { foreign: [], faults: [] };
  page.on('request', (request) => {
    if (/^(http|ws)/.test(request.url()) && !request.url().startsWith(`${address}/`))
      seen.foreign.push(request.url());
  });
  page.on('pageerror', (error) => seen.faults.push(String(error)));
  page.on('dialog', (dialog) => {
    seen.faults.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !REFUSAL.test(text)) seen.faults.push(text);
  });
  return seen;
}
