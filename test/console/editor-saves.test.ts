import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { makeLink } from '../support/people.js';
import { agentIds, call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const TWO = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'Hi <<receive.body.name>>' } }],
  },
  ['Receive > Greet'],
  { name: 'Greeting' },
);

const choose = (on: Page, name: string) => on.getByRole('treeitem', { name }).click();
const saved = (on: Page) => on.getByText('Saved', { exact: true }).waitFor();

async function rename(on: Page, from: string, to: string) {
  await choose(on, from);
  const field = on.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill(to);
  await field.blur();
}

/** Signs in by a link where somebody else is signed in. */
async function enter(on: Page, link: string) {
  await on.goto(link);
  await on.getByRole('button', { name: 'Sign out and continue' }).click();
  await on.getByRole('navigation', { name: 'Pages' }).waitFor();
}

describeInBrowser('what is edited in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    page = await signIn();
    storyId = (await fabula.importStory(TWO)).id;
  });

  const edit = (on: Page) => open(on, `/stories/${storyId}/edit?view=outline`);
  const exported = async () => {
    const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/export`);
    const { exported_at: _at, ...rest } = body as Record<string, unknown>;
    return rest;
  };
  const names = async () => Object.keys(await agentIds(fabula, storyId)).toSorted();

  const named = (...wanted: string[]) => eventually(async () => (await names()).join() === wanted.join());

  test('is saved at once in a story that never ran, and can be undone', async () => {
    await open(page, `/stories/${storyId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('live story').waitFor();
    await edit(page);
    await rename(page, 'Greet', 'Welcome');
    await named('Receive', 'Welcome');
    await page.getByRole('button', { name: 'Undo: Rename Greet to Welcome' }).click();
    await named('Greet', 'Receive');
  });

  test('exports as before when removals that were saved are undone, of an imported and of a new action', async () => {
    const tool = (name: string) =>
      page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name });
    const remove = async (name: string, ...left: string[]) => {
      await choose(page, name);
      await tool('Delete').click();
      await named(...left);
      await saved(page);
    };
    await edit(page);
    await choose(page, 'Greet');
    await tool('Add').click();
    await page.getByRole('option', { name: 'Trigger', exact: true }).click();
    await named('Greet', 'Receive', 'Trigger');
    await saved(page);
    const before = await exported();
    await remove('Trigger', 'Greet', 'Receive');
    await remove('Greet', 'Receive');
    const undo = page.getByRole('button', { name: /^Undo: Remove/ });
    await undo.click();
    await named('Greet', 'Receive');
    await saved(page);
    await undo.click();
    await named('Greet', 'Receive', 'Trigger');
    await saved(page);
    expect(await exported()).toEqual(before);
  });

  test('goes into a draft once the story has run', async () => {
    const second = await fabula.importStory(TWO, { new_name: 'Second' });
    const etag = async () =>
      (await fabula.api('GET', `/api/v1/stories/${second.id}/graph`)).headers.get('etag');
    const before = await etag();
    await fabula.fire(second.webhooks['Receive'] ?? '', { name: 'Ada' });
    await fabula.settled();
    // Runs, counts and logs are no change of the story.
    expect([before, await etag()]).toEqual([expect.stringMatching(/^"/), before]);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Stories' }).click();
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit in a draft' }).waitFor();
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByText('Draft of').waitFor();
    await page.getByRole('button', { name: 'Outline' }).click();
    await rename(page, 'Greet', 'Welcome');
    await saved(page);
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByRole('combobox', { name: 'Draft' }).selectOption({ label: 'Live story' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('list', { name: 'Drafts' }).getByText('yours, 1 change, changed').waitFor();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.getByRole('button', { name: /^Compare/ }).click();
    await page.getByRole('region', { name: 'This draft changes' }).getByText('Renamed').waitFor();
  });

  test('is kept in the browser without a connection, and offered when the tab was killed', async () => {
    await edit(page);
    await page
      .getByRole('textbox', { name: 'Name', exact: true })
      .or(page.getByRole('region', { name: 'Outline' }))
      .first()
      .waitFor();
    await page.route('**/api/v1/stories/*/graph', (route) => route.abort());
    await rename(page, 'Greet', 'Welcome');
    await page.getByText('Not saved: no connection, kept in this browser').waitFor();
    await page.close({ runBeforeUnload: false });

    const next = await page.context().newPage();
    await edit(next);
    await next.getByText('This browser has 1 change').waitFor();
    expect(await names()).toEqual(['Greet', 'Receive']);
    await next.getByRole('button', { name: 'Restore' }).click();
    await saved(next);
    await named('Receive', 'Welcome');
    await next.reload();
    await saved(next);
    expect(await next.getByText('This browser has').count()).toBe(0);
  });

  /** Makes a change that cannot be sent. */
  const renameUnsaved = async () => {
    await edit(page);
    await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
    await page.route('**/api/v1/stories/*/graph', (route) => route.abort());
    await rename(page, 'Greet', 'Welcome');
    await page.getByText('Not saved: no connection, kept in this browser').waitFor();
  };

  test('is not saved in the name of another person who signs in beside it, and waits for its own', async () => {
    const ana = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
    await renameUnsaved();
    const hers = await page.context().newPage();
    await enter(hers, `${origin().url}/console/?link=${await makeLink(stores, ana.user.id, 'sign_in')}`);
    await page.unroute('**/api/v1/stories/*/graph');
    await page.getByRole('heading', { name: 'Another user is signed in' }).waitFor();
    expect(await names()).toEqual(['Greet', 'Receive']);

    await page.getByText(`${ana.user.email} signed in with this browser`).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
    // Tabs that are open answer within 400 ms.
    await page.waitForTimeout(800);
    expect(await page.getByText('This browser has').count()).toBe(0);

    await enter(page, await origin().newLink());
    await edit(page);
    await page.getByText('This browser has 1 change').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await named('Receive', 'Welcome');
  });

  const signOut = async () => {
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  /** In the page: there are no types of a browser here. */
  const COUNT_JOURNALS = `new Promise((resolve, reject) => {
    const opening = indexedDB.open('fabula-editor');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('journals').objectStore('journals').count();
      counting.onsuccess = () => resolve(counting.result);
    };
  })`;
  const journals = () => page.evaluate<number>(COUNT_JOURNALS);

  test('is saved before its person signs out', async () => {
    await edit(page);
    await choose(page, 'Greet');
    await page.getByRole('checkbox', { name: 'Enabled' }).click();
    await signOut();
    await page.getByRole('heading', { name: 'Sign in to Fabula' }).waitFor();
    const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/graph`);
    const { agents } = body as { agents: { name: string; disabled?: boolean }[] };
    expect(agents.find(({ name }) => name === 'Greet')?.disabled).toBe(true);
    expect(await journals()).toBe(0);
  });

  /** Holds the look for references until the function that it returns is called. */
  const holdLook = async () => {
    let isHeld = true;
    await page.route('**/api/v1/stories/rename_preview', async (route) => {
      await eventually(() => !isHeld);
      await route.continue();
    });
    return () => {
      isHeld = false;
    };
  };

  test('is renamed and saved before its person signs out, though its references are still looked for', async () => {
    await edit(page);
    const go = await holdLook();
    await rename(page, 'Greet', 'Welcome');
    await page.getByText('Looking for references…').waitFor();
    await signOut();
    go();
    await page.getByRole('heading', { name: 'Sign in to Fabula' }).waitFor();
    expect(await names()).toEqual(['Receive', 'Welcome']);
    expect(await journals()).toBe(0);
  });

  test('asks about references though another action is chosen by the time they are found', async () => {
    await edit(page);
    const go = await holdLook();
    await rename(page, 'Receive', 'Take in');
    await choose(page, 'Greet');
    go();
    await page.getByRole('button', { name: 'Rename with 1 reference' }).click();
    await named('Greet', 'Take in');
  });

  test('is deleted from the browser at the sign-out, if it cannot be saved and its person agrees', async () => {
    await renameUnsaved();
    await signOut();
    const question = page.getByRole('dialog', { name: 'Sign out and delete what this browser keeps?' });
    await question.getByText('This browser keeps unsaved changes of 1 tab.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await journals()).toBe(1);
    await signOut();
    await question.getByRole('button', { name: 'Delete and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Fabula' }).waitFor();
    expect(await journals()).toBe(0);
  });

  test('is added once if the tab was killed before the response to its save came', async () => {
    await edit(page);
    await choose(page, 'Greet');
    let isTaken = false;
    await page.route('**/api/v1/stories/*/graph', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      // The response never comes.
      isTaken = true;
    });
    await page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('option', { name: 'Trigger', exact: true }).click();
    await eventually(async () => isTaken);
    await page.close({ runBeforeUnload: false });

    const next = await page.context().newPage();
    await edit(next);
    await next.getByText('This browser has').waitFor();
    await next.getByRole('button', { name: 'Restore' }).click();
    await saved(next);
    await named('Greet', 'Receive', 'Trigger');
    expect(await next.getByRole('treeitem').count()).toBe(3);
  });

  test('is added once if the response to its save was lost', async () => {
    await edit(page);
    await choose(page, 'Greet');
    await page.route('**/api/v1/stories/*/graph', async (route) => {
      if (route.request().method() === 'PUT') await route.fetch();
      await route.abort();
    });
    await page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('option', { name: 'Trigger', exact: true }).click();
    await page.getByText('Not saved: no connection').waitFor();
    await named('Greet', 'Receive', 'Trigger');
    await page.unroute('**/api/v1/stories/*/graph');
    // The next try may come by itself just now.
    await page.keyboard.press('ControlOrMeta+s');
    await saved(page);
    await named('Greet', 'Receive', 'Trigger');
    expect(await page.getByRole('treeitem').count()).toBe(3);
  });

  test('is merged with what somebody else saves; a part that both changed waits for a choice', async () => {
    const other = await signIn();
    await edit(page);
    await edit(other);
    await rename(page, 'Greet', 'Welcome');
    await saved(page);
    await other.getByRole('treeitem', { name: 'Welcome' }).waitFor();
    await rename(other, 'Receive', 'Take in');
    await other.getByText('Hi <<take_in.body.name>>').waitFor();
    await other.getByRole('button', { name: 'Rename with 1 reference' }).click();
    await named('Take in', 'Welcome');
    await page.getByRole('treeitem', { name: 'Take in' }).waitFor();

    await page.route('**/api/v1/stories/*/graph', (route) => route.abort());
    await rename(page, 'Welcome', 'Mine');
    await page.getByText('Not saved: no connection').waitFor();
    await rename(other, 'Welcome', 'Theirs');
    await named('Take in', 'Theirs');
    await page.unroute('**/api/v1/stories/*/graph');
    // The next try may come by itself just now.
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Not saved: someone else changed the same part').waitFor();
    await page.getByRole('treeitem', { name: /Mine.*conflict/ }).waitFor();
    await page.getByRole('button', { name: 'Choose' }).click();
    await page.getByRole('cell', { name: '"Theirs"' }).waitFor();
    await page.getByRole('button', { name: 'Use saved version' }).click();
    await saved(page);
    await page.getByRole('treeitem', { name: 'Theirs' }).waitFor();
    expect(await names()).toEqual(['Take in', 'Theirs']);
  });
});
