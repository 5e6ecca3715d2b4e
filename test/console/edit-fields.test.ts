import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const STORY = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'Hi' } }],
  },
  ['Receive > Greet'],
  { name: 'Greeting' },
);
const PETS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Petstore', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: {
    '/pets': {
      get: {
        summary: 'List pets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', example: 5 } }],
        responses: { '200': { description: 'Pets' } },
      },
    },
    '/shops': { get: { summary: 'List shops', responses: {} } },
  },
});

interface Action {
  name: string;
  options: Record<string, unknown>;
  schedule: unknown;
}

describeInBrowser('fields and imports of the editor', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    page = await signIn();
    storyId = (await fabula.importStory(STORY)).id;
    await open(page, `/stories/${storyId}/edit?view=outline`);
    await page.getByRole('treeitem', { name: 'Greet' }).click();
  });

  const actions = async () =>
    ((await call(fabula, `GET /api/v1/stories/${storyId}/graph`)).body as { agents: Action[] }).agents;
  const saved = (name: string, fits: (action: Action) => boolean = () => true) =>
    eventually(async () => (await actions()).find((each) => each.name === name && fits(each)));
  const addFrom = async (name: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('option', { name }).click();
  };

  test('a curl command becomes an action, and its key a credential', async () => {
    await addFrom('Paste a curl command');
    await page
      .getByRole('textbox', { name: 'curl command' })
      .fill("curl https://api.example.com/items?page=2 -H 'Authorization: Bearer s3cr3t-s3cr3t'");
    await page.getByRole('group', { name: 'Credential for headers.Authorization' }).waitFor();
    await page.getByRole('button', { name: 'Add action' }).click();
    const { options } = await saved('GET items');
    expect(options).toEqual({
      url: 'https://api.example.com/items',
      method: 'get',
      query_params: { page: '2' },
      headers: { Authorization: 'Bearer <<CREDENTIAL.example_com_token>>' },
    });
    const { body } = await call(fabula, 'GET /api/v1/user_credentials');
    expect((body as { user_credentials: unknown[] }).user_credentials).toContainEqual(
      expect.objectContaining({ name: 'example_com_token', allowed_hosts: ['api.example.com'] }),
    );
  });

  test('an operation of an OpenAPI file becomes an action', async () => {
    await addFrom('Import from OpenAPI');
    await page
      .getByLabel('Or a file')
      .setInputFiles({ name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from(PETS) });
    await page.getByRole('button', { name: 'List operations' }).click();
    await page.getByRole('combobox', { name: 'Operations' }).fill('pets');
    await page.getByRole('option', { name: 'GET /pets' }).click();
    await page.getByRole('checkbox', { name: 'limit' }).check();
    await page.getByRole('button', { name: 'Add action' }).click();
    const { options } = await saved('List pets');
    expect(options).toMatchObject({
      url: 'https://pets.example.com/v1/pets',
      method: 'get',
      query_params: { limit: '5' },
    });
  });

  test('a schedule is built, and a webhook gets a new secret', async () => {
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Dublin');
    await page.getByRole('combobox', { name: 'Repeats' }).selectOption('Every week');
    await page.getByRole('checkbox', { name: 'Wednesday' }).check();
    await page.getByRole('list', { name: 'Next starts' }).getByRole('listitem').nth(4).waitFor();
    await saved('Greet', ({ schedule }) =>
      JSON.stringify(schedule ?? null).includes('{"cron":"0 9 * * 1,3","timezone":"Europe/Dublin"}'),
    );

    const before = (await saved('Receive')).options['secret'];
    await page.getByRole('treeitem', { name: 'Receive' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    const { options } = await saved('Receive', (action) => action.options['secret'] !== before);
    expect(options['secret']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a value that is shortened below its field is shown whole', async () => {
    const story = await fabula.importStory(
      storyOf(
        {
          Receive: ['Webhook', {}],
          Collect: [
            'EventTransformation',
            { mode: 'message_only', payload: { lines: '=receive.body.lines' } },
          ],
        },
        ['Receive > Collect'],
      ),
    );
    const lines = Array.from({ length: 80 }, (_, at) => at);
    await fabula.fire(story.webhooks['Receive'] ?? '', { lines });
    await fabula.settled();
    await open(page, `/stories/${story.id}/edit?view=outline`);
    await page.getByRole('treeitem', { name: 'Collect' }).click();
    await page.getByText('list, 80 items').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    const whole = page.getByRole('textbox', { name: 'Whole value of payload, lines' });
    expect(JSON.parse(await whole.inputValue())).toEqual(lines);
  });

  test('a story begins with the webhook of a pasted call', async () => {
    await open(page, '/stories');
    await page.getByRole('button', { name: 'New story' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('From a call');
    await page
      .getByRole('textbox', { name: /^Paste a curl call/ })
      .fill('curl https://hooks.example.com/a -d \'{"alert":"disk full"}\'');
    await page.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { name: 'From a call' }).waitFor();
    expect(new URL(page.url()).searchParams.get('sample')).toBe('saved:Pasted call');
    storyId = Number(/stories\/(\d+)/.exec(page.url())?.[1]);
    expect((await saved('Receive call')).options['verbs']).toBe('post');
  });
});
