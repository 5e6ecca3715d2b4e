import type { Page } from 'playwright-core';

/** A state of the editor that has no address of its own, and how it is opened. */
export interface EditorState {
  name: string;
  /** The address after that of the story. */
  path: string;
  ready: (page: Page) => Promise<unknown>;
}

const CURL = "curl https://api.example.com/items?page=2 -H 'Authorization: Bearer s3cr3t-s3cr3t'";
const PETS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Petstore', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: { '/pets': { get: { summary: 'List pets', responses: { '200': { description: 'Pets' } } } } },
});

const box = (page: Page, name: string) => page.locator('.react-flow__node').filter({ hasText: name });

async function chosen(page: Page, name: string) {
  await box(page, name).click();
  await page.getByRole('complementary', { name: 'Chosen action' }).waitFor();
  await box(page, name).focus();
}

async function renamed(page: Page) {
  await page.getByRole('treeitem', { name: 'Receive alert' }).first().click();
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('Take in');
  await field.press('Enter');
  await page.getByRole('region', { name: 'References' }).waitFor();
}

async function imported(page: Page, from: string) {
  await page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }).click();
  await page.getByRole('option', { name: from }).click();
  await page.getByRole('dialog').waitFor();
}

/** Dialogs and views of the editor, of the story for the triage of alerts. None of them changes it. */
export const EDITOR_STATES: readonly EditorState[] = [
  {
    name: 'editor-link',
    path: '/edit',
    ready: async (page) => {
      await chosen(page, 'Is it high?');
      await page.keyboard.press('l');
      await page.getByRole('dialog', { name: 'Link Is it high? to' }).waitFor();
    },
  },
  {
    name: 'editor-links',
    path: '/edit',
    ready: async (page) => {
      await chosen(page, 'Is it high?');
      await page.keyboard.press('Shift+L');
      await page.getByRole('dialog', { name: 'Links of Is it high?' }).waitFor();
    },
  },
  {
    name: 'editor-keys',
    path: '/edit',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Keys of the canvas (?)' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'editor-note',
    path: '/edit',
    ready: async (page) => {
      await box(page, 'High alerts are looked up.').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Text of the note, in Markdown' }).waitFor();
    },
  },
  { name: 'editor-rename', path: '/edit?view=outline', ready: renamed },
  {
    name: 'editor-json',
    path: '/edit?view=outline',
    ready: async (page) => {
      await page.getByRole('treeitem', { name: 'Look up the host' }).first().click();
      await page.getByRole('button', { name: 'JSON', exact: true }).click();
      await page.getByRole('textbox', { name: 'Options as JSON' }).waitFor();
    },
  },
  {
    name: 'editor-settings',
    path: '/edit?view=outline',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Story settings' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'editor-curl',
    path: '/edit?view=outline',
    ready: async (page) => {
      await imported(page, 'Paste a curl command');
      await page.getByRole('textbox', { name: 'curl command' }).fill(CURL);
      await page.getByRole('group', { name: 'Credential for headers.Authorization' }).waitFor();
    },
  },
  {
    name: 'editor-openapi',
    path: '/edit?view=outline',
    ready: async (page) => {
      await imported(page, 'Import from OpenAPI');
      await page
        .getByLabel('Or a file')
        .setInputFiles({ name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from(PETS) });
      await page.getByRole('button', { name: 'List operations' }).click();
      await page.getByRole('option', { name: 'GET /pets' }).waitFor();
    },
  },
];
