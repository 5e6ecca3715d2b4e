import type { Page } from 'playwright-core';
import { storyOf } from '../../stories.js';
import type { EditedStory } from './editor-world.js';
import type { EditorState, Stage } from './stage.js';

const GRAPH = '**/api/v1/stories/*/graph';
const GREETING = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'Hi <<receive.body.name>>' } }],
  },
  ['Receive > Greet'],
  { name: 'Greeting' },
);

const outlineOf = ({ id }: EditedStory) => `/stories/${id}/edit?view=outline`;
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

async function draftOf(ask: Stage['ask'], { id }: EditedStory): Promise<number> {
  return Number((await ask(`POST /api/v1/stories/${id}/drafts`, { name: 'Together' }))['id']);
}

async function rename(page: Page, from: string, to: string) {
  await page.getByRole('treeitem', { name: from }).click();
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill(to);
  await field.press('Enter');
  await page.getByRole('heading', { name: to, exact: true }).waitFor();
  await page.keyboard.press('Escape');
}

/** Opens a story of two actions whose saves do not reach the server. */
async function openUnsaved({ open }: Stage, page: Page, story: EditedStory) {
  await open(outlineOf(story), page);
  await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
  await page.route(GRAPH, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await rename(page, 'Greet', 'Welcome');
  await page.getByText('Not saved: no connection').waitFor();
}

/** Has both change the name of the same action. */
async function contest(stage: Stage) {
  const { page, ask, imported } = stage;
  const story = await imported(GREETING);
  await openUnsaved(stage, page, story);
  const graph = await ask(`GET /api/v1/stories/${story.id}/graph`);
  const [, greet] = graph['agents'] as { name: string; options: { payload: { text: string } } }[];
  if (greet !== undefined) Object.assign(greet, { name: 'Say hello', options: { mode: 'message_only' } });
  await ask(`PUT /api/v1/stories/${story.id}/graph`, graph);
  await page.unroute(GRAPH);
  // The next try may come by itself just now.
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Not saved: someone else changed the same part').waitFor();
}

/** How far changes are saved, and what nothing is lost by. */
export const SAVE_STATES: readonly EditorState[] = [
  {
    name: 'saving',
    async open({ page, imported, open }) {
      await open(outlineOf(await imported(GREETING)));
      await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
      // It is answered by nobody.
      await page.route(GRAPH, () => undefined);
      await rename(page, 'Greet', 'Welcome');
      await page.getByText('Saving', { exact: true }).waitFor();
    },
  },
  {
    name: 'offline',
    async open(stage) {
      const story = await stage.imported(GREETING);
      await openUnsaved(stage, stage.page, story);
    },
  },
  {
    name: 'refused',
    async open({ page, imported, open }) {
      await open(outlineOf(await imported(GREETING)));
      await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
      const message =
        'agents[1].options.payload: the template is not valid at line 1, column 4: a closing >> is missing';
      await page.route(GRAPH, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 422, json: { errors: [{ message }] } })
          : route.continue(),
      );
      await rename(page, 'Greet', 'Welcome');
      await page.getByText('Not saved:').waitFor();
    },
  },
  { name: 'contested', open: contest },
  {
    name: 'contested-choice',
    async open(stage) {
      await contest(stage);
      await stage.page.getByRole('button', { name: 'Choose' }).click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'journal',
    async open(stage) {
      const { page, imported, open } = stage;
      const story = await imported(GREETING);
      await open(outlineOf(story));
      // The journal is that of this profile.
      const killed = await page.context().newPage();
      await openUnsaved(stage, killed, story);
      await killed.close({ runBeforeUnload: false });
      await page.reload();
      await saved(page);
      await page.getByText('This browser has 1 change').waitFor();
    },
  },
  {
    name: 'draft-ended',
    async open({ page, imported, open, ask }) {
      const story = await imported(GREETING);
      const id = await draftOf(ask, story);
      await open(`${outlineOf(story)}&draft=${id}`);
      await page.getByRole('treeitem', { name: 'Greet' }).waitFor();
      await page.route(GRAPH, (route) => route.abort());
      await rename(page, 'Greet', 'Welcome');
      await ask(`POST /api/v1/drafts/${id}/publish`, {});
      await page.unroute(GRAPH);
      await page.getByRole('button', { name: 'Save as a new draft' }).waitFor();
    },
  },
  {
    name: 'draft-gone',
    async open({ page, imported, open, ask }) {
      const story = await imported(GREETING);
      const id = await draftOf(ask, story);
      const killed = await page.context().newPage();
      const path = `${outlineOf(story)}&draft=${id}`;
      await open(path, killed);
      await killed.getByRole('treeitem', { name: 'Greet' }).waitFor();
      await killed.route(GRAPH, (route) => route.abort());
      await rename(killed, 'Greet', 'Welcome');
      await killed.getByText('Not saved: no connection').waitFor();
      await killed.close({ runBeforeUnload: false });
      await ask(`POST /api/v1/drafts/${id}/publish`, {});
      await open(path);
      await page.getByText('A copy of the changed').waitFor();
    },
  },
  {
    name: 'sample-gone',
    async open({ page, edit, world: { readme } }) {
      await edit(readme, {
        draft: readme.draft,
        view: 'outline',
        action: readme.guids['Build ticket'],
        sample: 'run:00000000-0000-7000-8000-000000000000',
      });
      await page.getByRole('complementary', { name: 'Selected action' }).waitFor();
      await page.getByRole('option', { name: 'A run that was deleted' }).waitFor({ state: 'attached' });
    },
  },
];
