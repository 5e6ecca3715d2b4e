import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { givePassword, PASSWORD } from '../support/people.js';
import { call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Two tabs that type at once take longer than one. */
const BOTH_MS = 240_000;
const payload = (text: string) => ({ mode: 'message_only', payload: { text } });
const STORY = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', payload('Hi')],
    Report: ['EventTransformation', payload('Done')],
    Tell: ['EventTransformation', payload('Told')],
  },
  ['Receive > Greet', 'Greet > Report', 'Report > Tell'],
  { name: 'Greeting' },
);

interface StoredAction {
  id: number;
  name: string;
  disabled?: boolean;
  options: { payload?: Record<string, string> };
}

const GRAPH = '**/api/v1/stories/*/graph';
const choose = (on: Page, name: string) => on.getByRole('treeitem', { name }).click();
const field = (on: Page) => on.locator('.cm-content[aria-label="payload, text"]');
const saved = (on: Page) => on.getByText('Saved', { exact: true }).waitFor();

async function write(on: Page, name: string, text: string) {
  await choose(on, name);
  await field(on).fill(text);
}

/** Types words behind a text, some in one save and some in the next. */
async function typeWords(on: Page, name: string, mark: string) {
  for (let turn = 1; turn <= 6; turn += 1) {
    await choose(on, name);
    await field(on).click();
    await on.keyboard.press('ControlOrMeta+End');
    await on.keyboard.type(` ${mark}${turn}`, { delay: 60 });
    if (turn % 2 === 0) await on.waitForTimeout(1_100);
  }
}

/** Has no save come through until the function that it returns is called. */
async function hold(on: Page) {
  await on.route(GRAPH, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  return () => on.unroute(GRAPH);
}

describeInBrowser('what is typed while others change the same', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    page = await signIn();
    page.setDefaultTimeout(30_000);
    storyId = (await fabula.importStory(STORY)).id;
  });

  const ask = async <Body>(request: string, body?: object): Promise<Body> => {
    const response = await call(fabula, request, body === undefined ? {} : { body: body as never });
    if (response.status >= 300) throw new Error(`${request}: ${response.status}`);
    return response.body as Body;
  };
  const draft = async () =>
    (await ask<{ id: number }>(`POST /api/v1/stories/${storyId}/drafts`, { name: 'Together' })).id;
  const actionsOf = async (id: number) =>
    (await ask<{ agents: StoredAction[] }>(`GET /api/v1/stories/${id}/graph`)).agents;
  const textsOf = async (id: number) =>
    Object.fromEntries((await actionsOf(id)).map(({ name, options }) => [name, options.payload?.['text']]));
  const idsOf = async (id: number) => (await actionsOf(id)).map(({ id: each }) => each);
  const edit = (on: Page, draftId?: number) =>
    open(on, `/stories/${storyId}/edit?view=outline${draftId === undefined ? '' : `&draft=${draftId}`}`);

  test.each([
    ['deleted', (id: number) => fabula.api('DELETE', `/api/v1/drafts/${id}`)],
    ['published', (id: number) => fabula.api('POST', `/api/v1/drafts/${id}/publish`, {})],
  ])('goes into a new draft when the draft was %s meanwhile', async (_what, end) => {
    const before = await idsOf(storyId);
    const first = await draft();
    await edit(page, first);
    await write(page, 'Greet', 'Saved before');
    await saved(page);
    const release = await hold(page);
    await write(page, 'Report', 'Not saved yet');
    await end(first);
    await release();
    await page.getByText('Not saved: this draft was published or deleted').waitFor();
    await page.getByRole('button', { name: 'Save as a new draft' }).click();
    await page.waitForURL((url) => Number(url.searchParams.get('draft')) > first);
    await saved(page);
    const next = Number(new URL(page.url()).searchParams.get('draft'));
    expect(await textsOf(next)).toMatchObject({ Greet: 'Saved before', Report: 'Not saved yet' });
    await page.reload();
    await saved(page);
    expect(await page.getByText('This browser has').count()).toBe(0);

    await ask(`POST /api/v1/drafts/${next}/publish`, {});
    expect([await textsOf(storyId), await idsOf(storyId)]).toEqual([
      { Receive: undefined, Greet: 'Saved before', Report: 'Not saved yet', Tell: 'Told' },
      before,
    ]);
  });

  test('is offered where the draft was, when the tab was closed before it could be saved', async () => {
    const first = await draft();
    await edit(page, first);
    await hold(page);
    await write(page, 'Report', 'Typed last');
    await page.getByText('Not saved: no connection, kept in this browser').waitFor();
    await page.close({ runBeforeUnload: false });
    await ask(`POST /api/v1/drafts/${first}/publish`, {});

    const next = await page.context().newPage();
    await next.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await edit(next, first);
    await next.getByText('This draft was published or deleted.').waitFor();
    await next.getByRole('button', { name: 'Copy the changed parts' }).click();
    const copied = await next.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).toMatchObject({
      agents: [{ name: 'Report', options: { payload: { text: 'Typed last' } } }],
    });
    await next.getByRole('button', { name: 'Discard' }).click();
    await next.getByRole('link', { name: 'Open the story' }).click();
    await next.getByRole('heading', { name: 'Greeting' }).waitFor();
  });

  test('is known to have no place before it is typed: a draft that ends is told at once', async () => {
    const first = await draft();
    await edit(page, first);
    await choose(page, 'Greet');
    await ask(`POST /api/v1/drafts/${first}/publish`, {});
    await page.getByText('This draft was published or deleted').waitFor();
  });

  test('waits for a choice when its action is deleted; a deleted action that was only looked at is named', async () => {
    const other = await signIn();
    await edit(page);
    await edit(other);
    const remove = async (name: string) => {
      await choose(other, name);
      await other.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Delete' }).click();
      await eventually(async () => !(name in (await textsOf(storyId))));
    };
    await choose(page, 'Tell');
    await field(page).waitFor();
    await remove('Tell');
    await page.getByText('Tell was deleted by someone else.', { exact: true }).waitFor();

    const release = await hold(page);
    await write(page, 'Report', 'Half a sentence');
    await remove('Report');
    await page.getByText('Not saved: someone else changed the same part').waitFor();
    expect(await field(page).innerText()).toBe('Half a sentence');
    await release();
    await page.getByRole('button', { name: 'Choose' }).click();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await saved(page);
    expect(await textsOf(storyId)).toEqual({ Receive: undefined, Greet: 'Hi', Report: 'Half a sentence' });
  });

  test('is saved once the story is unlocked again; until then the page says that it is not', async () => {
    await edit(page);
    await choose(page, 'Greet');
    await field(page).waitFor();
    const release = await hold(page);
    await field(page).fill('Typed before the lock');
    await ask(`PUT /api/v1/stories/${storyId}`, { locked: true });
    await release();
    await page.getByText(/^Not saved: /).waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText(/^Not saved: .*lock/i).waitFor();
    expect((await textsOf(storyId))['Greet']).toBe('Hi');
    await ask(`PUT /api/v1/stories/${storyId}`, { locked: false });
    await saved(page);
    expect((await textsOf(storyId))['Greet']).toBe('Typed before the lock');
  });

  test('is saved after the sign-in when the session has ended', async () => {
    await givePassword(stores, fabula.account.user.id);
    await edit(page);
    await choose(page, 'Greet');
    await field(page).waitFor();
    await stores.sql('DELETE FROM console_sessions');
    await field(page).fill('Typed without a session');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    await saved(page);
    expect((await textsOf(storyId))['Greet']).toBe('Typed without a session');
  });

  test.each(['the live story', 'a draft'])(
    'is all there when two people edit %s over a slow network, and both see the same',
    async (what) => {
      const id = what === 'a draft' ? await draft() : storyId;
      const other = await signIn();
      for (const [on, delays] of [
        [page, [900, 50, 400]],
        [other, [200, 1_300, 0, 700]],
      ] as const) {
        let turn = 0;
        await on.route(GRAPH, async (route) => {
          turn += 1;
          await on.waitForTimeout(delays[turn % delays.length] ?? 0);
          await route.continue();
        });
        await edit(on, id === storyId ? undefined : id);
        await on.getByRole('treeitem', { name: 'Greet' }).waitFor();
      }
      await Promise.all([typeWords(page, 'Greet', 'a'), typeWords(other, 'Report', 'b')]);
      await Promise.all([saved(page), saved(other)]);
      const wanted = { Greet: 'Hi a1 a2 a3 a4 a5 a6', Report: 'Done b1 b2 b3 b4 b5 b6', Tell: 'Told' };
      expect(await textsOf(id)).toMatchObject(wanted);
      for (const on of [page, other]) {
        for (const [name, text] of Object.entries(wanted)) {
          await choose(on, name);
          await on.getByText(text, { exact: true }).first().waitFor();
        }
      }
      expect(await textsOf(id)).toMatchObject(wanted);
    },
    BOTH_MS,
  );
});
