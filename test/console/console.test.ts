import type { Page } from 'playwright-core';
import { buildAccount } from '../support/builders.js';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { openConsole } from '../support/console/console-origin.js';
import { dropFile } from '../support/console/drop-file.js';
import { consolePages, emptyPages, type NamedPage } from '../support/console/console-pages.js';
import { buildConsoleWorld } from '../support/console/console-world.js';
import { momentPages } from '../support/console/moment-pages.js';
import { unvisitedPaths } from '../support/console/console-paths.js';
import {
  faultsInThemes,
  faultsOf,
  type Misdeeds,
  NO_MISDEEDS,
  overflowOf,
  watchPage,
} from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { makeLink } from '../support/people.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Axe looks three times at each of a hundred pages: with ten seconds a look, an hour on a busy machine. */
const LOOKED_AT_MS = 90 * 60_000;

const storyNames = async () => {
  const rows = await stores.db.read((session) =>
    session.rows<{ name: string }>('SELECT name FROM stories ORDER BY id'),
  );
  return rows.map(({ name }) => name);
};

describeInBrowser('the console', () => {
  const { fabula, newPage, open, origin, signIn } = useConsole(stores);
  /** Looked at at the end of each test. */
  let misdeeds: Misdeeds;

  /** Returns a signed-in tab, which is watched. */
  const enter = async (): Promise<Page> => {
    const page = await signIn();
    misdeeds = watchPage(page, origin().url);
    return page;
  };

  test('a link signs in once, and leaves the address', async () => {
    const link = await origin().newLink();
    const page = await newPage();
    misdeeds = watchPage(page, origin().url);
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(page.url()).not.toContain('link=');

    const stranger = await newPage();
    await stranger.goto(link);
    await stranger.getByRole('alert').waitFor();
    await stranger.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  test('S17: a link of somebody else asks first, and the person may stay', async () => {
    const page = await signIn();
    const other = await buildAccount(stores.db, { team: fabula.account.team });
    const link = `${origin().url}/console/?link=${await makeLink(stores, other.user.id, 'sign_in')}`;
    await page.goto(link);
    await page.getByText(`You are signed in as ${fabula.account.user.email}`).waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign out and continue' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const shown = await page.evaluate(async () => (await fetch('/session')).text());
    expect(JSON.parse(shown)).toMatchObject({ user: { id: other.user.id } });
  });

  test('stories are found, and a dropped file is checked before it is imported', async () => {
    await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), { new_name: 'Alert triage' });
    const page = await enter();
    await page.getByRole('link', { name: 'Stories' }).click();
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search stories' }).fill('nothing like it');
    await page.getByText('No stories match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();

    // A number beyond 2^53 must arrive with all its digits.
    const story = storyOf({ Hook: ['Webhook', {}], Ask: ['LLM', {}], Say: says({ n: 1 }) }, [
      'Hook > Ask > Say',
    ]);
    const text = JSON.stringify({ ...story, name: 'Dropped' }).replace('"n":1', '"n":12345678901234567890');
    await dropFile(page, text);
    await page.getByRole('heading', { name: 'Import dropped.json' }).waitFor();
    await page.getByText('Actions that cannot run here').waitFor();
    expect(await storyNames()).toEqual(['Alert triage']);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Dropped' }).waitFor();
    await page.locator('.action-box', { hasText: 'Say' }).waitFor();
    expect(await storyNames()).toEqual(['Alert triage', 'Dropped']);
    const rows = await stores.db.read((session) =>
      session.rows<{ options: string }>("SELECT options FROM agents WHERE name = 'Say'"),
    );
    expect(rows[0]?.options).toContain('12345678901234567890');
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  test('an import does not offer to replace a story that is locked or under change control', async () => {
    const data = storyOf({ Hook: ['Webhook', {}] }, []);
    await fabula.importStory(data, { new_name: 'Alert triage' });
    const { id } = await fabula.importStory(data, { new_name: 'Alert triage' });
    const page = await enter();
    const dialog = page.getByRole('dialog');
    const mode = dialog.getByLabel('If the team already has a story with this name');
    const offer = mode.getByRole('option', { name: /^Replace the newest/ });
    const openDialog = async () => {
      await open(page, '/stories');
      await page.getByRole('link', { name: 'Alert triage' }).first().waitFor();
      await dropFile(page, JSON.stringify({ ...data, name: 'Alert triage' }));
      await mode.waitFor();
    };
    for (const [settings, reason] of [
      [{ locked: true }, 'The newest story with this name is locked, so an import cannot replace it.'],
      [
        { locked: false, change_control_enabled: true },
        'The newest story with this name is under change control, so an import cannot replace it.',
      ],
    ] as const) {
      expect((await fabula.api('PUT', `/api/v1/stories/${id}`, settings)).status).toBe(200);
      await openDialog();
      await dialog.getByText(reason).waitFor();
      expect(await offer.count()).toBe(0);
      // Another name is another story; its own name in other letters too.
      await dialog.getByLabel('Name', { exact: true }).fill('alert triage');
      await dialog.getByText(reason).waitFor({ state: 'detached' });
      await mode.selectOption('replace');
      await dialog.getByLabel('Name', { exact: true }).fill('Alert triage');
      await dialog.getByText(reason).waitFor();
      expect(await mode.inputValue()).toBe('new');
    }

    expect((await fabula.api('PUT', `/api/v1/stories/${id}`, { change_control_enabled: false })).status).toBe(
      200,
    );
    await openDialog();
    await mode.selectOption('replace');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL(`**/console/stories/${id}`);
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  test('the canvas shows a story, and an action opens with its options, by pointer, search and keyboard', async () => {
    const world = await buildConsoleWorld(stores, fabula);
    const id = world.stories.get('Alert triage')?.id;
    const page = await enter();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('triage');
    await page.getByRole('option', { name: 'Alert triage Story' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/stories/${id}`);
    await page.locator('.action-box', { hasText: 'Is it high?' }).click();
    await page.getByRole('complementary', { name: 'Action Is it high?' }).waitFor();
    await page.getByRole('searchbox', { name: /Find an action/ }).fill('look up');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Action Look up the host' });
    await panel.getByText('<<receive_alert.body.name>>').first().waitFor();
    await page.locator('.action-box.failed', { hasText: 'Ask a model' }).waitFor();
    await page.getByText('High alerts are looked up.').waitFor();
    // Notes are Markdown.
    await page.locator('.markdown-heading', { hasText: /^Triage$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  test(
    'no page and no state of it has a fault of accessibility or is cut, in both themes, wide and narrow',
    async () => {
      // Queues show their jobs to the Owner of the only tenant.
      await leaveOneTenant(stores, fabula);
      const world = await buildConsoleWorld(stores, fabula);
      const pages = await consolePages(fabula, world);
      expect(unvisitedPaths(pages.map(({ path }) => path))).toEqual([]);
      const gate = await newPage();
      await open(gate, '/');
      await gate.getByRole('button', { name: 'Sign in' }).waitFor();
      const found = await faultsInThemes(gate, 'sign-in');
      found.push(...(await faultsOfPages(await enter(), pages, origin().url)));
      expect(misdeeds).toEqual(NO_MISDEEDS);
      // Some of these are of responses that the browser's console calls errors.
      found.push(...(await faultsOfPages(await signIn(), await momentPages(fabula, world), origin().url)));
      const account = await buildAccount(stores.db, { owner: true });
      const empty = openConsole(stores, { adminUrl: fabula.adminUrl, account });
      const nothing = await newPage();
      await nothing.goto(await empty.newLink());
      await nothing.getByRole('navigation', { name: 'Pages' }).waitFor();
      found.push(...(await faultsOfPages(nothing, emptyPages(), empty.url)));
      expect(found).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});

/** Returns what is wrong with these pages. Colours do not depend on the width. */
async function faultsOfPages(page: Page, pages: readonly NamedPage[], address: string): Promise<string[]> {
  const found: string[] = [];
  for (const named of pages) {
    const { name } = named;
    await named.open(page, address);
    found.push(...(await faultsInThemes(page, `${name}, wide`)));
    await page.setViewportSize(NARROW);
    found.push(...(await faultsOf(page, `${name}, dark, narrow`)));
    const cut = await overflowOf(page);
    if (cut > 0) found.push(`${name}, narrow: ${cut} pixels are cut`);
    await page.setViewportSize(WIDE);
  }
  return found;
}
