import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { storyOf } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = 'POST /api/v1/stories/rename_preview';

/** A stored story, with its graph as an editor holds it. */
async function storedStory(schema: object = {}) {
  const account = await buildAccount(stores.db);
  const data = {
    ...storyOf(
      {
        Ask: ['Webhook', { path: `in-${account.team.id}`, secret: 'a-secret-of-webhooks' }],
        Use: [
          'EventTransformation',
          { mode: 'message_only', payload: { a: '<<ask.body>>', b: '{{ .ask.body }}' } },
        ],
      },
      ['Ask > Use'],
    ),
    ...schema,
    diagram_notes: [{ content: 'See `ask.body`' }],
  };
  const { body: story } = await api.call(account.key, 'POST /api/v1/stories/import', {
    new_name: 'Stored',
    data,
    team_id: account.team.id,
  });
  const { body: graph } = await api.call(account.key, `GET /api/v1/stories/${story.id}/graph`);
  const { agents, links, notes } = graph;
  return { ...account, story, graph, document: { story_id: story.id, agents, links, notes } };
}

describe('the preview of a rename', () => {
  it('has all that changes, and stores nothing', async () => {
    const { key, story, graph, document } = await storedStory();
    const { guid } = graph.agents[0];
    const { status, body } = await api.call(key, PATH, { ...document, guid, name: 'Ask again' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      slug: { before: 'ask', after: 'ask_again' },
      count: 3,
      agents: [
        { index: 0, guid, name: 'Ask again' },
        { index: 1, name: 'Use', options: { payload: { a: '<<ask_again.body>>', b: '{{ .ask.body }}' } } },
      ],
      notes: [{ index: 0, content: 'See `ask_again.body`' }],
      shared: [],
      unsure: [],
    });
    expect((await api.call(key, `GET /api/v1/stories/${story.id}/graph`)).body).toEqual(graph);
  });

  it('is what the graph takes', async () => {
    const { key, story, graph, document } = await storedStory();
    const { body } = await api.call(key, PATH, { ...document, index: 0, name: 'New' });
    const agents = [...graph.agents];
    for (const { index, ...changed } of body.agents) agents[index] = { ...agents[index], ...changed };
    const put = await api.call(key, `PUT /api/v1/stories/${story.id}/graph`, {
      ...graph,
      agents,
      notes: graph.notes,
    });
    expect(put.status).toBe(200);
    expect(put.body.agents.map(({ name }: { name: string }) => name)).toEqual(['New', 'Use']);
  });

  it('reads templates in the language of the story', async () => {
    const { key, document } = await storedStory({ schema_version: 4, standard_lib_version: null });
    const { body } = await api.call(key, PATH, { ...document, index: 0, name: 'New' });
    expect(body.agents[1].options.payload).toEqual({ a: '<<ask.body>>', b: '{{ .new.body }}' });
  });

  it('keeps the digits of numbers', async () => {
    const { key, document } = await storedStory();
    const text = JSON.stringify({ ...document, index: 0, name: 'New' });
    const response = await fetch(`${api.fabula().url}/api/v1/stories/rename_preview`, {
      method: 'POST',
      headers: { 'x-user-token': key, 'content-type': 'application/json' },
      body: text.replace('"mode":', '"2": 12345678901234567890.5, "1": 1, "mode":'),
    });
    expect(await response.text()).toContain('"options":{"2":12345678901234567890.5,"1":1,"mode":');
  });

  it.each([
    [{ name: '' }, ['name']],
    [{ name: '  ' }, ['name']],
    [{ name: 'a'.repeat(256) }, ['name']],
    [{ name: '1st' }, ['name']],
    [{ index: 2 }, ['index']],
    [{ index: undefined, guid: 'unknown' }, ['guid']],
    [{ index: undefined }, [undefined]],
    [{ links: [{ source: 0, receiver: 2 }] }, ['links[0].receiver']],
    [{ agents: [] }, ['index', 'links[0].source', 'links[0].receiver']],
    [{ agents: 'x' }, ['agents']],
  ])('is refused for %j', async (change, details) => {
    const { key, document } = await storedStory();
    const answer = await api.call(key, PATH, { ...document, index: 0, name: 'New', ...change });
    expect(answer.status).toBe(422);
    expect(places(answer)).toEqual(details);
  });

  it('is for editors of the story', async () => {
    const { document, team } = await storedStory();
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    expect((await api.call(viewer.key, PATH, { ...document, index: 0, name: 'New' })).status).toBe(403);
    const other = await buildAccount(stores.db);
    expect((await api.call(other.key, PATH, { ...document, index: 0, name: 'New' })).status).toBe(404);
  });

  it('counts all places, and shows the first thousand', async () => {
    const { key, document } = await storedStory({ schema_version: 4, standard_lib_version: null });
    const text = '{{ .ask.a }}'.repeat(4_900);
    const agents = [
      document.agents[0],
      { ...document.agents[1], options: { mode: 'message_only', payload: Array(10).fill(text) } },
    ];
    const { status, body } = await api.call(key, PATH, { ...document, agents, index: 0, name: 'New' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 49_002 });
    expect(body.places).toHaveLength(1_000);
  });
});

const transform = (name: string, text: string) => ({
  type: 'Agents::EventTransformationAgent',
  name,
  options: { mode: 'message_only', payload: { text } },
});

describe('the preview of several renames', () => {
  const SEVERAL = 'POST /api/v1/stories/renames_preview';

  it('changes the references between the parts of a fragment to all of them', async () => {
    const { key, story } = await storedStory();
    const agents = [
      transform('Ask', 'first'),
      transform('Use', '<<ask.text>> of <<other.text>>'),
      transform('Last', '<<use.text>> <<ask.text & "use">>'),
    ];
    const links = [
      { source: 0, receiver: 1 },
      { source: 1, receiver: 2 },
    ];
    const renames = [
      { index: 0, name: 'Ask 2' },
      { index: 1, name: 'Use 2' },
    ];
    const { status, body } = await api.call(key, SEVERAL, {
      story_id: story.id,
      agents,
      links,
      notes: [{ content: 'See `ask.text`, then `use.text`' }],
      renames,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      count: 7,
      agents: [
        { index: 0, name: 'Ask 2', options: agents[0]!.options },
        { index: 1, name: 'Use 2', options: { payload: { text: '<<ask_2.text>> of <<other.text>>' } } },
        { index: 2, name: 'Last', options: { payload: { text: '<<use_2.text>> <<ask_2.text & "use">>' } } },
      ],
      notes: [{ index: 0, content: 'See `ask_2.text`, then `use_2.text`' }],
    });
    const wrong = await api.call(key, SEVERAL, {
      story_id: story.id,
      agents,
      links: [{ source: 0, receiver: 9 }],
      renames: [{ index: 3, name: 'x' }],
    });
    expect([wrong.status, wrong.body.errors.map(({ details }: { details: string }) => details)]).toEqual([
      422,
      ['renames[0].index', 'links[0].receiver'],
    ]);
  });
});
