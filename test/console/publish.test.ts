import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const NOTE = Array.from({ length: 14 }, (_, line) => `Line ${line + 1} of the text`).join('\n');
const STORY = storyOf(
  {
    Receive: ['Webhook', {}],
    Greet: ['EventTransformation', { mode: 'message_only', payload: { text: 'first', note: NOTE } }],
    Report: ['EventTransformation', { mode: 'message_only', payload: { done: true } }],
  },
  ['Receive > Greet', 'Greet > Report'],
  { name: 'Greeting' },
);

interface Graph {
  agents: { name: string; options: { payload: Record<string, unknown> } }[];
  links: { source: number; receiver: number }[];
}

const textOf = ({ agents }: Graph) => agents[1]?.options.payload['text'];

describeInBrowser('a draft in the console', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  const ask = async <Body>(request: string, body?: object): Promise<Body> => {
    const response = await call(fabula, request, body === undefined ? {} : { body: body as never });
    if (response.status >= 300) throw new Error(`${request}: ${response.status}`);
    return response.body as Body;
  };
  const graphOf = (id: number) => ask<Graph>(`GET /api/v1/stories/${id}/graph`);
  const draft = async (name: string) =>
    (await ask<{ id: number }>(`POST /api/v1/stories/${storyId}/drafts`, { name })).id;
  const change = async (id: number, work: (graph: Graph) => void) => {
    const graph = await graphOf(id);
    work(graph);
    await ask(`PUT /api/v1/stories/${id}/graph`, graph);
  };

  const write = (id: number, word: string) =>
    change(id, ({ agents: [, greet, report] }) => {
      greet!.options.payload = { text: word, note: word };
      report!.options.payload = { done: word };
    });

  beforeEach(async () => {
    page = await signIn({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(15_000);
    storyId = (await fabula.importStory(STORY)).id;
  });

  test('is compared, brought up to date with a choice, published; an older version is restored', async () => {
    const [mine, other] = [await draft('Mine'), await draft('Other')];
    await change(other, ({ agents: [receive, greet] }) => {
      receive!.name = 'Take in';
      greet!.options.payload['text'] = 'other';
    });
    await ask(`POST /api/v1/drafts/${other}/publish`, {});
    await change(mine, (graph) => {
      const payload = graph.agents[1]!.options.payload;
      payload['text'] = 'mine';
      payload['note'] = NOTE.replace('Line 3 of', 'Third line of');
      graph.agents.pop();
      graph.links.pop();
    });

    await open(page, `/stories/${storyId}/edit?draft=${mine}`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const conflict = page.getByRole('group', { name: 'Greet payload.text' });
    for (const value of ['first', 'other', 'mine'])
      await conflict.getByText(value, { exact: true }).waitFor();
    const changes = page.getByRole('region', { name: 'This draft changes' });
    await changes.getByText('Action removed').waitFor();
    await changes.getByRole('textbox', { name: 'payload.note, compared by line' }).waitFor();
    await page
      .getByRole('region', { name: 'Published since then' })
      .getByText('Renamed', { exact: true })
      .waitFor();
    const ghost = page.locator('.react-flow__node').filter({ hasText: 'Report' });
    await ghost.getByText('removed').waitFor();
    await changes.getByRole('button', { name: 'Report' }).click();
    await ghost.locator('.chosen').waitFor();
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    expect(await publish.isDisabled()).toBe(true);
    expect(await faultsInThemes(page, 'publish')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    await conflict.getByRole('radio', { name: 'Draft' }).check();
    await page.getByRole('button', { name: 'Bring my draft up to date' }).click();
    await page.getByText('The draft is up to date: it took 1 change.').waitFor();
    expect((await graphOf(mine)).agents.map(({ name }) => name)).toEqual(['Take in', 'Greet']);
    await publish.click();
    await page.getByRole('heading', { name: 'Published: Greeting' }).waitFor();
    const published = await graphOf(storyId);
    expect([published.agents.map(({ name }) => name), textOf(published)]).toEqual([
      ['Take in', 'Greet'],
      'mine',
    ]);

    await open(page, `/stories/${storyId}/edit`);
    await page.locator('header').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Compare Version 1' }).click();
    await page.getByRole('region', { name: 'Changes since Version 1' }).getByText('Action removed').waitFor();
    expect(await faultsInThemes(page, 'versions')).toEqual([]);
    await page.getByRole('button', { name: 'Name Version 1' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('As imported');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Restore As imported' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version restored', { exact: true }).waitFor();
    expect((await graphOf(storyId)).agents.map(({ name }) => name)).toEqual(['Receive', 'Greet', 'Report']);
  });

  test('waits for approval under change control, and is overwritten with a reason', async () => {
    const [mine, other] = [await draft('Mine'), await draft('Other')];
    await change(other, ({ agents }) => {
      agents[1]!.options.payload['text'] = 'other';
    });
    await change(mine, ({ agents }) => {
      agents[0]!.name = 'Take in';
    });
    await ask(`POST /api/v1/drafts/${other}/publish`, {});
    await open(page, `/stories/${storyId}/edit/publish?draft=${mine}`);
    await page.getByRole('button', { name: 'Overwrite…' }).waitFor();
    await ask(`PUT /api/v1/stories/${storyId}`, { change_control_enabled: true });
    await page.reload();
    await page.getByRole('button', { name: 'Request approval' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Another name');
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    await page.getByText('Another name: is waiting for the approval of another user').waitFor();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);

    await ask(`PUT /api/v1/stories/${storyId}`, { change_control_enabled: false });
    await page.reload();
    await page.getByRole('button', { name: 'Overwrite…' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('It was a mistake');
    await page.getByRole('button', { name: 'Overwrite', exact: true }).click();
    await page.getByRole('region', { name: 'Overwritten' }).getByText('payload.text').waitFor();
    expect(textOf(await graphOf(storyId))).toBe('first');
  });

  test('takes one side of all conflicts but one; a live version is compared with the draft', async () => {
    const [mine, other] = [await draft('Mine'), await draft('Other')];
    await write(other, 'other');
    await ask(`POST /api/v1/drafts/${other}/publish`, {});
    await write(mine, 'mine');
    await open(page, `/stories/${storyId}/edit/publish?draft=${mine}`);
    await page.getByRole('button', { name: 'Take all of the live story' }).click();
    await page
      .getByRole('group', { name: 'Report payload.done' })
      .getByRole('radio', { name: 'Draft' })
      .check();
    await page.getByText('All use the live story except 1 choice below.').waitFor();
    expect(await faultsInThemes(page, 'sets')).toEqual([]);

    await open(page, `/stories/${storyId}/edit/versions?draft=${mine}`);
    const versions = page.getByRole('region', { name: 'Versions of the live story' });
    await versions.getByRole('button', { name: 'Compare Version 1' }).click();
    const changes = page.getByRole('region', { name: 'Changes since Version 1' });
    await changes.getByText('mine', { exact: true }).first().waitFor();
    const compared = changes.getByRole('combobox', { name: 'Compared with' });
    expect(await compared.locator('option:checked').innerText()).toMatch(/Draft: .*Mine/);
    await compared.selectOption('Now: the live story');
    await changes.getByText('other', { exact: true }).first().waitFor();

    await page.goBack();
    await page.getByRole('button', { name: 'Take all of the live story' }).click();
    await page
      .getByRole('group', { name: 'Report payload.done' })
      .getByRole('radio', { name: 'Draft' })
      .check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'Published: Greeting' }).waitFor();
    const { agents } = await graphOf(storyId);
    expect([agents[1]?.options.payload['text'], agents[2]?.options.payload['done']]).toEqual([
      'other',
      'mine',
    ]);
  });
});
