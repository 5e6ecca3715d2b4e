import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../../src/platform/json.js';
import { storyOf } from '../../stories.js';
import type { EditedStory } from './editor-world.js';
import type { EditorState, Stage } from './stage.js';

const TEXT = Array.from({ length: 14 }, (_, line) => `Line ${line + 1} of the text`).join('\n');
const STORY = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'first', note: TEXT } }],
    Report: ['EventTransformation', { mode: 'message_only', payload: { done: true } }],
  },
  ['Receive > Greet', 'Greet > Report'],
  { name: 'Greeting' },
);

interface Graph {
  agents: { name: string; options: { payload: JsonObject } }[];
  links: unknown[];
}

async function change({ ask }: Stage, id: number, work: (graph: Graph) => void) {
  const graph = (await ask(`GET /api/v1/stories/${id}/graph`)) as unknown as Graph;
  work(graph);
  await ask(`PUT /api/v1/stories/${id}/graph`, graph);
}

const draftOf = async ({ ask }: Stage, { id }: EditedStory, name: string) =>
  ((await ask(`POST /api/v1/stories/${id}/drafts`, { name })) as { id: number }).id;

/** Makes a draft that has changed what another one, which was published, has changed too. */
async function twoDrafts(stage: Stage): Promise<{ story: EditedStory; draft: number }> {
  const story = await stage.imported(STORY);
  const draft = await draftOf(stage, story, 'Draft of Ada Lovelace');
  const other = await draftOf(stage, story, 'Draft of Ana Flores');
  await change(stage, other, ({ agents: [receive, greet] }) => {
    receive!.name = 'Take in';
    greet!.options.payload['text'] = 'other';
    greet!.options.payload['colour'] = 'green';
  });
  await stage.ask(`POST /api/v1/drafts/${other}/publish`, {});
  await change(stage, draft, (graph) => {
    const { payload } = graph.agents[1]!.options;
    payload['text'] = 'mine';
    payload['colour'] = 'blue';
    payload['note'] = TEXT.replace('Line 3 of', 'Third line of');
    graph.agents.pop();
    graph.links.pop();
  });
  return { story, draft };
}

const ready = (page: Page) => page.getByRole('heading', { name: 'This draft changes' }).waitFor();

async function compared(stage: Stage) {
  const { story, draft } = await twoDrafts(stage);
  await stage.open(`/stories/${story.id}/edit/publish?draft=${draft}`);
  await ready(stage.page);
  return { story, draft };
}

async function versions(stage: Stage) {
  const { story } = await twoDrafts(stage);
  await stage.open(`/stories/${story.id}/edit/versions`);
  await stage.page.getByRole('button', { name: 'Compare Version 1' }).click();
  await stage.page.getByRole('region', { name: 'Changes since Version 1' }).waitFor();
}

/** Drafts beside their story, publication and versions. */
export const PUBLISH_STATES: readonly EditorState[] = [
  {
    name: 'choose-draft',
    async open({ page, open, world: { triage } }) {
      await open(`/stories/${triage.id}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('list', { name: 'Drafts' }).waitFor();
    },
  },
  {
    name: 'publish',
    async open(stage) {
      await compared(stage);
    },
  },
  {
    name: 'publish-only-changes',
    async open(stage) {
      await compared(stage);
      await stage.page.getByRole('button', { name: 'Only changes' }).click();
      await stage.page.getByRole('button', { name: 'Show 1 unchanged action' }).waitFor();
    },
  },
  {
    name: 'publish-long',
    higher: 1300,
    async open(stage) {
      await compared(stage);
      await stage.page.getByRole('button', { name: 'Take all of the draft' }).click();
      await stage.page.getByText('All 2 use the draft.').waitFor();
    },
  },
  {
    name: 'publish-up-to-date',
    async open(stage) {
      const { page } = stage;
      await compared(stage);
      await page.getByRole('button', { name: 'Take all of the draft' }).click();
      await page.getByRole('button', { name: 'Bring my draft up to date' }).click();
      await page.getByText('The draft is up to date: it took').waitFor();
      await page.getByRole('button', { name: 'Greet' }).first().click();
    },
  },
  {
    name: 'published',
    async open(stage) {
      const { page } = stage;
      await compared(stage);
      await page.getByRole('button', { name: 'Take all of the draft' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('heading', { name: 'Published: Greeting' }).waitFor();
    },
  },
  {
    name: 'publish-overwrite',
    async open(stage) {
      await compared(stage);
      await stage.page.getByRole('button', { name: 'Overwrite…' }).click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'publish-approval',
    async open(stage) {
      const { page, ask } = stage;
      const { story } = await compared(stage);
      await ask(`PUT /api/v1/stories/${story.id}`, { change_control_enabled: true });
      await page.reload();
      await page.getByRole('button', { name: 'Take all of the draft' }).click();
      await page.getByRole('button', { name: 'Request approval' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill('Greet in blue');
    },
  },
  { name: 'versions', open: versions },
  {
    name: 'versions-restore',
    async open(stage) {
      await versions(stage);
      await stage.page.getByRole('button', { name: 'Restore Version 1' }).click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'versions-name',
    async open(stage) {
      await versions(stage);
      await stage.page.getByRole('button', { name: 'Name Version 1' }).click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
];
