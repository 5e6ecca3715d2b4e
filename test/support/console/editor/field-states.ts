import type { Page } from 'playwright-core';
import type { EditorState, Stage } from './stage.js';

const CURL = "curl https://api.example.com/items?page=2 -H 'Authorization: Bearer s3cr3t-s3cr3t'";
const PETS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Petstore', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }, { url: 'https://test.pets.example.com/v1' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        summary: 'List pets',
        description: 'Returns all pets that the shop has.',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', example: 5 } },
          { name: 'tag', in: 'query', required: true, schema: { type: 'string', example: 'cat' } },
        ],
        responses: { '200': { description: 'Pets' } },
      },
      post: { summary: 'Add a pet', responses: {} },
    },
    '/pets/{id}': { delete: { summary: 'Delete a pet', deprecated: true, responses: {} } },
  },
});

const inspector = (page: Page) => page.getByRole('complementary', { name: 'Selected action' });

/** Opens an action of the story with all fields. */
async function fieldsOf({ page, edit, world: { fields } }: Stage, name: string) {
  await edit(fields, { view: 'outline', action: fields.guids[name] });
  await inspector(page).getByRole('heading', { name, exact: true }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'hidden' });
}

/** What is higher than the window, by how much. */
const FIELDS: Record<string, number> = {
  Receive: 900,
  Shape: 1100,
  Explode: 300,
  Deduplicate: 300,
  Decide: 800,
  Ask: 2200,
  Mail: 700,
  'Call the triage': 300,
  'Write the report': 700,
  'Ask a model': 200,
};

async function importFrom({ page, edit, world: { triage } }: Stage, source: string) {
  await edit(triage, { draft: triage.draft, view: 'outline' });
  await page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }).click();
  await page.getByRole('option', { name: source }).click();
  await page.getByRole('dialog').waitFor();
}

async function listPets(stage: Stage) {
  await importFrom(stage, 'Import from OpenAPI');
  const { page } = stage;
  await page
    .getByLabel('Or a file')
    .setInputFiles({ name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from(PETS) });
  await page.getByRole('button', { name: 'List operations' }).click();
  await page.getByRole('option', { name: 'GET /pets' }).waitFor();
}

/** Opens the payload of README's ticket in a copy of it, with the sample of the first one. */
async function ticket(stage: Stage, place: Record<string, string> = {}) {
  const { page, edit, world } = stage;
  const { readme } = world;
  // The typed text is not saved: other states show the same draft.
  await page.route('**/api/v1/stories/*/graph', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  );
  await edit(readme, {
    draft: readme.draft,
    view: 'canvas',
    action: readme.guids['Build ticket'],
    ...place,
  });
  await inspector(page).getByText('[HIGH] Ransomware note found').first().waitFor();
  return inspector(page).locator('.cm-content[aria-label="payload, title"]');
}

/** The inspector with each kind of field, what helps to fill them in, and the texts. */
export const FIELD_STATES: readonly EditorState[] = [
  ...Object.entries(FIELDS).map(
    ([name, higher]): EditorState => ({
      name: `fields-${name.toLowerCase().replaceAll(' ', '-')}`,
      higher,
      open: (stage) => fieldsOf(stage, name),
    }),
  ),
  {
    name: 'completion',
    async open(stage) {
      const field = await ticket(stage);
      await field.click();
      await stage.page.keyboard.press('End');
      await stage.page.keyboard.type(' <<receive_alert.body.');
      await stage.page.locator('.cm-tooltip-autocomplete').waitFor();
    },
  },
  {
    name: 'template-fault',
    async open(stage) {
      const field = await ticket(stage);
      await field.fill('[<<UPCASE(receive_alert.body.severity>>] <<receive_alert.body.titel>>');
      await inspector(stage.page).locator('[role="status"] p.bad').waitFor();
    },
  },
  {
    name: 'input',
    async open(stage) {
      await ticket(stage);
      await inspector(stage.page).getByText('Input in the sample').click();
      await stage.page.getByRole('tree', { name: 'Input in the sample' }).waitFor();
    },
  },
  {
    name: 'rename',
    async open({ page, edit, world: { triage } }) {
      await edit(triage, { draft: triage.draft, view: 'outline', action: triage.guids['Receive alert'] });
      const field = page.getByRole('textbox', { name: 'Name', exact: true });
      await field.fill('Take in');
      await field.press('Enter');
      await page.getByRole('region', { name: 'References' }).waitFor();
    },
  },
  ...(['JSON', 'YAML'] as const).map(
    (format): EditorState => ({
      name: `options-${format.toLowerCase()}`,
      async open(stage) {
        await fieldsOf(stage, 'Shape');
        await inspector(stage.page).getByRole('button', { name: format, exact: true }).click();
        await stage.page.getByRole('textbox', { name: `Options as ${format}` }).waitFor();
      },
    }),
  ),
  {
    name: 'text',
    async open({ page, edit, world: { triage } }) {
      await edit(triage, { draft: triage.draft, view: 'text' });
      await page.getByRole('textbox', { name: 'Story as YAML' }).waitFor();
    },
  },
  {
    name: 'text-fault',
    async open({ page, edit, world: { triage } }) {
      await edit(triage, { draft: triage.draft, view: 'text' });
      await page.locator('.cm-line', { hasText: 'name: Receive alert' }).first().click();
      await page.keyboard.press('End');
      await page.keyboard.type('\n: [');
      await page.getByRole('alert').filter({ hasText: 'The story stays as it is.' }).waitFor();
    },
  },
  {
    name: 'curl',
    async open(stage) {
      await importFrom(stage, 'Paste a curl command');
      await stage.page.getByRole('textbox', { name: 'curl command' }).fill(CURL);
      await stage.page.getByRole('group', { name: 'Credential for headers.Authorization' }).waitFor();
    },
  },
  { name: 'openapi', open: (stage) => importFrom(stage, 'Import from OpenAPI') },
  { name: 'openapi-operations', open: listPets },
  {
    name: 'openapi-request',
    async open(stage) {
      await listPets(stage);
      await stage.page.getByRole('option', { name: 'GET /pets' }).click();
      await stage.page.getByRole('checkbox', { name: 'limit' }).waitFor();
    },
  },
  {
    name: 'settings',
    higher: 900,
    async open({ page, edit, world: { triage } }) {
      await edit(triage, { view: 'outline' });
      await page.getByRole('button', { name: 'Story settings' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
