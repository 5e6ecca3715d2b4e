import type { Page } from 'playwright-core';
import type { EditorState, Stage } from './stage.js';

const card = (page: Page) => page.getByRole('region', { name: 'First steps' });

async function begin({ page, asNewcomer }: Stage) {
  await asNewcomer();
  await card(page).getByText('Create a story of your own').waitFor();
}

async function askName(stage: Stage) {
  await begin(stage);
  await card(stage.page).getByRole('button', { name: 'New story' }).click();
  await stage.page.getByRole('dialog').waitFor();
}

async function make(stage: Stage) {
  await askName(stage);
  await stage.page.getByRole('button', { name: 'Create and edit' }).click();
  await card(stage.page).getByText('Step 2 of 4').waitFor();
}

async function answer(stage: Stage) {
  const { page } = stage;
  await make(stage);
  await page.getByRole('button', { name: 'Answer with a transformation' }).click();
  await page.getByText('Received Ada').first().waitFor();
  await card(page).getByText('Step 3 of 4').waitFor();
}

async function callIt(stage: Stage) {
  const { page } = stage;
  await answer(stage);
  await card(page).getByRole('button', { name: 'Open the webhook' }).click();
  await page.getByRole('button', { name: 'Send test call' }).click();
  await page.getByRole('form', { name: 'Test call' }).getByText('"message": "Received Ada"').waitFor();
  await card(page).getByText('All first steps are done.').waitFor();
}

/** From an empty home to a story that answers. */
export const FIRST_STEP_STATES: readonly EditorState[] = [
  { name: 'first-steps-home', open: begin },
  { name: 'first-steps-new', open: askName },
  { name: 'first-steps-webhook', higher: 700, open: make },
  { name: 'first-steps-answer', open: answer },
  { name: 'first-steps-done', open: callIt },
  {
    name: 'first-steps-end',
    async open(stage) {
      const { page, open } = stage;
      await callIt(stage);
      await open('/');
      await page.getByRole('region', { name: 'Your story answers calls' }).waitFor();
    },
  },
];
