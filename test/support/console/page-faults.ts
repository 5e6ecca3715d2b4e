import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const MOST_CHARACTERS = 200;

/**
 * An open menu is all that a person can reach: it takes Tab and arrow keys, scrolls by them, and hides the page behind it. These
 * rules do not know that, and look for landmarks, headings and tab stops.
 */
const NOT_OF_MENUS = ['aria-hidden-focus', 'page-has-heading-one', 'region', 'scrollable-region-focusable'];

/** Returns all that axe finds on the page as it is, each with the place that it is looked at in. */
export async function faultsOf(page: Page, place: string): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if ((await page.locator('[role="menu"]').count()) > 0) axe.disableRules(NOT_OF_MENUS);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${place}: ${id}: ${html.slice(0, MOST_CHARACTERS)}`),
  );
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
