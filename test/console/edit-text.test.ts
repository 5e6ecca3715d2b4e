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
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'Hi you', id: '0123' } }],
  },
  ['Receive > Greet'],
  { name: 'Greeting' },
);

interface Graph {
  agents: { name: string; guid: string; options: Record<string, unknown> }[];
}

/** The text of the line may take two lines on the screen; its end is `",`. */
async function toLastQuote(on: Page) {
  for (const key of ['End', 'End', 'ArrowLeft', 'ArrowLeft']) await on.keyboard.press(key);
}

const options = (on: Page) => on.getByRole('textbox', { name: 'Options as JSON' });

describeInBrowser('a story as text', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  beforeEach(async () => {
    page = await signIn();
    storyId = (await fabula.importStory(STORY)).id;
    await open(page, `/stories/${storyId}/edit?view=text`);
  });

  const graph = async () => (await call(fabula, `GET /api/v1/stories/${storyId}/graph`)).body as Graph;
  const greeting = (text: string) =>
    eventually(async () =>
      (await graph()).agents.find(({ options }) => JSON.stringify(options['payload'])?.includes(text)),
    );
  const edit = (on: Page) => open(on, `/stories/${storyId}/edit?view=outline`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  test('is changed in YAML and JSON, and undone; what cannot be read changes nothing', async () => {
    const before = await graph();
    const fault = page.getByRole('alert').filter({ hasText: 'The story stays as it is.' });
    await field('Story as YAML').waitFor();
    await page.locator('.cm-line', { hasText: 'text: Hi you' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' there');
    await page.getByRole('button', { name: 'Undo: Edit Greet as text' }).waitFor();
    await greeting('Hi you there');
    // The indentation comes by itself.
    await page.keyboard.type('\n: [');
    await fault.filter({ hasText: /^Line \d+: .* The story stays as it is\.$/ }).waitFor();
    await page.getByRole('button', { name: 'Outline' }).click();
    await page.getByRole('treeitem', { name: 'Greet' }).click();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByRole('button', { name: 'Whole story' }).click();
    await fault.waitFor();
    await page.getByRole('button', { name: 'Discard text' }).click();
    await fault.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Greet', exact: true }).click();
    await page.getByRole('group', { name: 'Format' }).getByRole('button', { name: 'JSON' }).click();
    await field('Greet as JSON').waitFor();
    await page.locator('.cm-line', { hasText: '"text": "Hi you there"' }).first().click();
    await page.keyboard.press('Home');
    await page.keyboard.type('"colour": 12345678901234567890,');
    await greeting('colour');
    const response = await call(fabula, `GET /api/v1/stories/${storyId}/graph`);
    expect(JSON.stringify(response.body)).toContain('"id":"0123"');
    const after = await graph();
    expect(after.agents[0]).toEqual(before.agents[0]);
    expect(after.agents.map(({ guid }) => guid)).toEqual(before.agents.map(({ guid }) => guid));
    // Tab leaves the text.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await field('Greet as JSON').evaluate((element) => element.matches(':focus'))).toBe(false);
    await page.getByRole('button', { name: 'Undo: Edit Greet as text' }).click();
    await page.getByRole('button', { name: 'Undo: Edit Greet as text' }).click();
    await page.locator('.cm-line', { hasText: '"text": "Hi you"' }).first().waitFor();
    await eventually(async () => JSON.stringify((await graph()).agents) === JSON.stringify(before.agents));
  });

  test('that cannot be read is lost neither by another choice nor with its tab', async () => {
    await edit(page);
    await page.getByRole('treeitem', { name: 'Greet' }).click();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await options(page).waitFor();
    await page.locator('.cm-line', { hasText: '"text": "Hi you"' }).click();
    await toLastQuote(page);
    await page.keyboard.type(' there", "and": ');
    await page.getByRole('alert').filter({ hasText: 'The story stays as it is.' }).waitFor();
    await page.getByRole('treeitem', { name: 'Receive' }).click();
    const notice = page.getByText('The text of Greet cannot be read as JSON. It is not in the story.');
    await notice.waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await options(page).getByText('there", "and":').waitFor();
    await notice.waitFor({ state: 'detached' });
    await page.close({ runBeforeUnload: false });

    const next = await page.context().newPage();
    await edit(next);
    await next.getByText('This browser has 1 unfinished text that').waitFor();
    await next.getByRole('button', { name: 'Restore' }).click();
    await next.getByRole('button', { name: 'Show', exact: true }).click();
    await options(next).getByText('there", "and":').click();
    await toLastQuote(next);
    await next.keyboard.type('"x');
    await greeting('"and":"x');
    expect((await graph()).agents[1]?.options).toMatchObject({ payload: { text: 'Hi you there' } });
  });
});
