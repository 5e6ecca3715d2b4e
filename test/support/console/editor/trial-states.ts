import type { Page } from 'playwright-core';
import type { EditorState, Stage } from './stage.js';

const panel = (page: Page) => page.getByRole('region', { name: 'Trial', exact: true });

type View = 'canvas' | 'outline';
type Graph = { agents: { name: string; options: { payload: Record<string, unknown> } }[] };

/** Opens a draft of README's story in which a text has changed, and tries it on the run. */
async function tried({ page, ask, edit, world: { readme } }: Stage, view: View) {
  const name = 'Draft with a shorter title';
  const { id: draft } = (await ask(`POST /api/v1/stories/${readme.id}/drafts`, { name })) as { id: number };
  const graph = (await ask(`GET /api/v1/stories/${draft}/graph`)) as unknown as Graph;
  const ticket = graph.agents.find((action) => action.name === 'Build ticket');
  if (ticket === undefined) throw new Error('the story has no ticket');
  ticket.options.payload['title'] = '<<receive_alert.body.title>>';
  await ask(`PUT /api/v1/stories/${draft}/graph`, graph);
  await edit({ ...readme, draft }, { draft, view });
  await run(page);
  await panel(page).getByRole('status').getByText('difference').waitFor();
}

/** Tries the draft of the triage, which asks a server, on its newest run. */
async function triedTriage({ page, edit, world: { triage } }: Stage, view: View) {
  const action = triage.guids['Look up the host'];
  await edit(triage, { draft: triage.draft, view, action: view === 'outline' ? action : undefined });
  await run(page);
}

async function run(page: Page) {
  await page.getByText('Newest run').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await panel(page).getByRole('button', { name: 'Run trial' }).click();
  await panel(page)
    .getByRole('tab', { name: /^Events/ })
    .waitFor();
}

const onTrial =
  (view: View, then: (page: Page) => Promise<unknown> = () => Promise.resolve(), open = tried) =>
  async (stage: Stage) => {
    await open(stage, view);
    await then(stage.page);
  };

const tab = (page: Page, name: RegExp) => panel(page).getByRole('tab', { name }).click();

async function ruled(page: Page) {
  await panel(page).getByRole('button', { name: 'Add a rule' }).click();
  await panel(page).getByRole('textbox', { name: 'URL, * for any text' }).fill('http://*/hosts/*');
  await panel(page).getByRole('textbox', { name: 'Body' }).fill('{"owner": "Nobody"}');
  await panel(page).getByRole('button', { name: 'Run trial' }).click();
  await tab(page, /^Requests/);
  await panel(page).getByText('200 from a rule').waitFor();
}

/** Trials of a draft. */
export const TRIAL_STATES: readonly EditorState[] = [
  {
    name: 'trial-new',
    async open({ page, edit, world: { readme } }) {
      await edit(readme, { draft: readme.draft, view: 'canvas' });
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await panel(page).getByText('No trial yet.').waitFor();
    },
  },
  { name: 'trial', open: onTrial('canvas') },
  { name: 'trial-outline', open: onTrial('outline') },
  { name: 'trial-rule', open: onTrial('canvas', ruled, triedTriage) },
  { name: 'trial-log', open: onTrial('canvas', (page) => tab(page, /^Log/)) },
  {
    name: 'trial-payload',
    open: onTrial('outline', async (page) => {
      await panel(page).getByRole('button', { name: 'Write a payload' }).click();
      const payload = panel(page).getByRole('textbox', { name: 'Event of Receive alert' });
      await payload.fill('{"body": {"severity": "high", "name": "db-1", "n": 70}');
      await panel(page).getByRole('alert').waitFor();
      await payload.fill('{"body": {"severity": "high", "name": "db-1", "n": 70}}');
      await panel(page).getByRole('button', { name: 'Run trial' }).click();
      await panel(page).getByRole('status').getByText('completed').waitFor();
    }),
  },
  {
    name: 'trial-send',
    open: onTrial(
      'canvas',
      async (page) => {
        await panel(page).getByRole('button', { name: 'Write a payload' }).click();
        await panel(page).getByRole('textbox', { name: 'Event of Receive alert' }).waitFor();
        await panel(page).getByRole('button', { name: 'Run trial' }).click();
        await tab(page, /^Requests/);
        await panel(page).getByRole('button', { name: 'Really send' }).click();
        await page.getByRole('dialog').waitFor();
      },
      triedTriage,
    ),
  },
  {
    name: 'trial-real',
    open: onTrial('canvas', async (page) => {
      await panel(page).getByRole('button', { name: 'Send a real event' }).click();
      await page.getByRole('dialog').getByText('/webhook/').waitFor();
    }),
  },
];
