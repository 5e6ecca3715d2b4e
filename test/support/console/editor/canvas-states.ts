import type { Page } from 'playwright-core';
import type { EditorState, Stage } from './stage.js';
import type { EditedStory } from './editor-world.js';

const box = (page: Page, name: string) => page.locator('.react-flow__node').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog').waitFor();

/** Opens the canvas of a story, with the focus on one of its actions. */
async function at({ page, edit }: Stage, story: EditedStory, name: string) {
  await edit(story, { draft: story.draft, view: 'canvas' });
  await box(page, name).waitFor();
  await box(page, name).focus();
}

const onTriage = (name: string, then: (page: Page) => Promise<unknown>) => async (stage: Stage) => {
  await at(stage, stage.world.triage, name);
  await then(stage.page);
};

const outline = ({ edit, world: { triage } }: Stage, place: Record<string, string> = {}) =>
  edit(triage, { draft: triage.draft, view: 'outline', ...place });

/** The canvas and the outline, and what is done with them. */
export const CANVAS_STATES: readonly EditorState[] = [
  {
    name: 'empty',
    async open({ page, edit, world }) {
      await edit(world.empty, { view: 'canvas' });
      await page.getByText('No actions yet.').waitFor();
    },
  },
  {
    name: 'empty-outline',
    async open({ page, edit, world }) {
      await edit(world.empty, { view: 'outline' });
      await page.getByText('No actions yet.').waitFor();
    },
  },
  { name: 'readme', open: (stage) => at(stage, stage.world.readme, 'Receive alert') },
  { name: 'canvas', open: onTriage('Receive alert', (page) => box(page, 'Ask a model').waitFor()) },
  {
    name: 'large',
    async open({ page, edit, world }) {
      await edit(world.large, { view: 'canvas' });
      await page.locator('.react-flow__node').first().waitFor();
    },
  },
  {
    name: 'large-outline',
    async open({ page, edit, world }) {
      await edit(world.large, { view: 'outline' });
      await page
        .getByRole('treeitem', { name: /^Step 7\b/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'outline',
    async open(stage) {
      await outline(stage, { action: stage.world.triage.guids['Look up the host'] ?? '' });
      await stage.page.getByRole('complementary', { name: 'Selected action' }).waitFor();
    },
  },
  {
    name: 'add',
    open: onTriage('Build the summary', async (page) => {
      await page.keyboard.press('a');
      await page.getByRole('combobox', { name: 'Actions to add' }).fill('h');
      await page.getByText('behind Build the summary').waitFor();
    }),
  },
  {
    name: 'add-outline',
    async open(stage) {
      await outline(stage);
      await stage.page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }).click();
      await stage.page.getByRole('combobox', { name: 'Actions to add' }).waitFor();
    },
  },
  {
    name: 'menu',
    open: onTriage('Is it high?', async (page) => {
      await box(page, 'Is it high?').click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Delete/ }).waitFor();
    }),
  },
  {
    name: 'selection',
    open: onTriage('Is it high?', async (page) => {
      await page.keyboard.press('Control+a');
      await page.getByText(/\d+ selected/).waitFor();
      await page.getByRole('button', { name: 'More for the selection' }).click();
      await page.getByRole('menuitem').first().waitFor();
    }),
  },
  {
    name: 'link',
    open: onTriage('Is it high?', async (page) => {
      await page.keyboard.press('l');
      await dialog(page);
    }),
  },
  {
    name: 'links',
    open: onTriage('Is it high?', async (page) => {
      await page.keyboard.press('Shift+L');
      await dialog(page);
    }),
  },
  {
    name: 'find',
    open: onTriage('Is it high?', async (page) => {
      await page.keyboard.press('/');
      await dialog(page);
    }),
  },
  {
    name: 'keys',
    open: onTriage('Is it high?', async (page) => {
      await page.getByRole('button', { name: 'Keys of the canvas (?)' }).click();
      await dialog(page);
    }),
  },
  {
    name: 'note',
    open: onTriage('Receive alert', async (page) => {
      await box(page, 'High alerts are looked up.').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Text of the note, in Markdown' }).waitFor();
    }),
  },
  {
    name: 'locked',
    async open({ page, edit, world: { locked } }) {
      await edit(locked, { view: 'canvas', action: locked.guids['Renew'] });
      await page.getByText('Read-only').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'locked-outline',
    async open({ page, edit, world: { locked } }) {
      await edit(locked, { view: 'outline' });
      await page.getByRole('treeitem', { name: 'Renew' }).waitFor();
    },
  },
  ...(['canvas', 'outline'] as const).map(
    (view): EditorState => ({
      name: `presence-${view}`,
      async open({ page, edit, asAna, world: { triage } }) {
        const hers = await asAna(`/stories/${triage.id}/edit?draft=${triage.draft}&view=outline`);
        await hers.getByRole('treeitem', { name: 'Look up the host' }).first().click();
        await edit(triage, { draft: triage.draft, view });
        const here =
          view === 'canvas'
            ? page.getByTitle('Chosen by Ana Flores')
            : page.getByText('chosen by Ana Flores');
        await here.first().waitFor({ state: 'attached' });
      },
    }),
  ),
];
