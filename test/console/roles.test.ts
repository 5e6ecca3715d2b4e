import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { type Account, buildAccount, buildMembership, buildTeam } from '../support/builders.js';
import { startChromium } from '../support/chromium.js';
import { type OfferedPage, offeringPages } from '../support/console/offering-pages.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { ask, makeLink, signInPerson } from '../support/people.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;
/** Each role opens all pages, which take seconds on a busy machine. */
const LOOKED_AT_MS = 20 * 60_000;

/** The weakest first: what a weaker one may do, and has done, is not asked as a right of the stronger ones only. */
const ROLES = ['VIEWER', 'EDITOR', 'TEAM_ADMIN', 'Owner'] as const;

/** Buttons for everybody: they read, try in memory, change the page alone, or concern the person's own things. */
const FOR_EVERYBODY: readonly RegExp[] = [
  // Other looks at the same.
  /^(Close|List|Board|Week|Timeline|Canvas|Show JSON|Chart|Views|Filter|Columns.*|Clear filters)$/,
  /^(Zoom In|Zoom Out|Fit View|Toggle Interactivity|(Fold|Unfold) .*|Previous|Next|Older .*|Show more .*)$/,
  /^(Star .*|Unstar .*|View dead letter .*|Attempt .*|This week|Previous week|Next week)$/,
  // Copies and files.
  /^(Copy.*|Export|CSV|More|Compare.*)$/,
  // Trials in memory.
  /^(Run as trial|Run trial)$/,
  // The person's own things.
  /^(Revoke .*|Change password|End)$/,
];

/** Buttons that only choose what is shown: tabs, explanations, headings that sort, records and entries that open. */
const OPENS =
  '[role="tab"], .explained, .why-step, .trial-form textarea, .record-order, .record-id, .case-record, .audit-change, .panel-links button, .json-row *';

interface Seen {
  /** The buttons and choices of each page by its name. */
  buttons: Map<string, string[]>;
  /** The status that the server answers to each request of an offer. */
  statuses: Map<string, number>;
  /** Requests that a page made by itself, and was refused for want of rights. */
  refused: string[];
}

describeInBrowser('the console for each role', () => {
  let browser: Browser;
  let fabula: TestFabula;
  let pages: OfferedPage[];
  const seen = new Map<string, Seen>();

  beforeAll(async () => {
    browser = await startChromium();
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    const { team, tenantId } = fabula.account;
    const other = await buildTeam(stores.db, { tenantId });
    pages = await offeringPages(stores, fabula, other.id);
    const accounts: [string, Account][] = [];
    for (const role of ['VIEWER', 'EDITOR', 'TEAM_ADMIN'] as const) {
      const account = await buildAccount(stores.db, { team, role });
      await buildMembership(stores.db, { teamId: other.id, userId: account.user.id, role: 'VIEWER' });
      accounts.push([role, account]);
    }
    accounts.push(['Owner', fabula.account]);
    for (const [role, account] of accounts) seen.set(role, await lookAt(account));
    // Some requests do what they ask for, so all pages have been looked at before.
    for (const [role, account] of accounts) seen.get(role)!.statuses = await statusesOf(account);
  }, LOOKED_AT_MS);
  afterAll(() => browser?.close());

  async function lookAt({ user }: Account): Promise<Seen> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const found: Seen = { buttons: new Map(), refused: [], statuses: new Map() };
    page.on('response', (response) => {
      if (response.status() === 403) found.refused.push(`${page.url()}: ${response.url()}`);
    });
    await page.goto(`${fabula.adminUrl}/console/?link=${await makeLink(stores, user.id, 'sign_in')}`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    for (const { name, path, ready, prepare } of pages) {
      await page.goto(`${fabula.adminUrl}/console${path}`);
      const content = page.locator('main, [role="dialog"]').getByText(ready);
      await content.filter({ visible: true }).first().waitFor();
      await page.locator('.loading').first().waitFor({ state: 'hidden' });
      await prepare?.(page);
      found.buttons.set(name, await buttonsOf(page));
    }
    await context.close();
    return found;
  }

  async function statusesOf({ key }: Account): Promise<Map<string, number>> {
    const cookie = await signInPerson(fabula.adminUrl, { api_key: key });
    const statuses = new Map<string, number>();
    for (const [, request, body] of pages.flatMap(({ offers }) => offers)) {
      const given = { cookie, ...(body !== undefined && { body }) };
      if (!statuses.has(request)) statuses.set(request, (await ask(fabula.adminUrl, request, given)).status);
    }
    return statuses;
  }

  test.each(ROLES)('offers a %s what the server lets such a person do, and nothing else', (role) => {
    const { buttons, statuses } = seen.get(role)!;
    const different = pages.flatMap(({ name, offers, isGuarded }) =>
      offers.flatMap(([button, request]) => {
        const isOffered = (buttons.get(name) ?? []).some((each) => isNamed(each, button));
        const status = statuses.get(request);
        const isRefused = status === 403 || (status === 409 && isGuarded === true);
        const words = `${name}, ${button}: ${isOffered ? 'offered' : 'absent'}, ${request} is ${status}`;
        return isOffered === !isRefused ? [] : [words];
      }),
    );
    expect(different).toEqual([]);
  });

  test.each(ROLES)('shows a %s no other button than those that are known', (role) => {
    const unknown = pages.flatMap(({ name, offers }) => {
      const known = [...FOR_EVERYBODY, ...offers.map(([button]) => button)];
      const buttons = seen.get(role)!.buttons.get(name) ?? [];
      const others = buttons.filter((each) => !known.some((button) => isNamed(each, button)));
      return others.map((each) => `${name}: ${each}`);
    });
    expect(unknown).toEqual([]);
  });

  test.each(ROLES)('asks for nothing by itself that a %s may not see', (role) => {
    expect(seen.get(role)!.refused).toEqual([]);
  });
});

const isNamed = (name: string, button: string | RegExp) =>
  typeof button === 'string' ? name === button : button.test(name);

/**
 * The names of all buttons of the page and of its dialog, and of fields that change something by themselves. A button that
 * is disabled and tells why offers nothing.
 */
function buttonsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('main button, [role="dialog"] button, main .add-line select, main textarea')]
      .filter((each) => !each.matches('${OPENS}, :disabled[title]'))
      .map((each) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\\s+/g, ' ').trim())
  `);
}
