import { createClient, type FabulaError } from '../../clients/typescript/client.js';
import { type Account, buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { SERVED_ROUTES } from '../support/served-routes.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});

/** It compares the version of a step (api/stories/steps). */
const OF_STEPS = 'POST /api/v1/steps/:id/versions';
const WRITES = SERVED_ROUTES.filter(({ method }) => method !== 'get')
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  .filter((name) => name !== OF_STEPS);

async function send(request: string, headers: Record<string, string>, body?: object): Promise<Parsed> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(api.fabula().url + path, {
    method,
    headers: { 'x-user-token': account.key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A story with a note and a test, at version 2. */
async function storyOfTest() {
  const data = smallExport({ fabula_tests: [{ name: 'T', expect: {} }] });
  const imported = { new_name: 'S', team_id: account.team.id, data };
  const { id } = (await api.call(account.key, 'POST /api/v1/stories/import', imported)).body;
  const note = (await api.call(account.key, 'POST /api/v1/notes', { story_id: id, content: 'N' })).body;
  const graph = (await api.call(account.key, `GET /api/v1/stories/${id}/graph`)).body;
  return { id, graph, note: note.annotation?.id ?? note.id, action: graph.agents[0].id };
}

type Story = Awaited<ReturnType<typeof storyOfTest>>;

/** A request of each operation that compares the version of its story. */
const requestsOf = ({ id, graph, note, action }: Story): [string, object?][] => [
  [`PUT /api/v1/stories/${id}`, { name: 'Mine' }],
  [`PATCH /api/v1/stories/${id}`, { name: 'Mine' }],
  [`POST /api/v1/stories/${id}/disable`, { disabled: true }],
  [`PUT /api/v1/stories/${id}/graph`, { agents: graph.agents, links: graph.links, notes: graph.notes }],
  [`PUT /api/v1/stories/${id}/export`, { data: smallExport() }],
  [`PUT /api/v1/stories/${id}/tests`, { test: { name: 'U', expect: {} } }],
  [`DELETE /api/v1/stories/${id}/tests?name=T`],
  [`PUT /api/v1/actions/${action}`, { name: 'Mine' }],
  [`PATCH /api/v1/actions/${action}`, { name: 'Mine' }],
  [`PUT /api/v1/agents/${action}`, { name: 'Mine' }],
  [`PATCH /api/v1/agents/${action}`, { name: 'Mine' }],
  [`PUT /api/v1/notes/${note}`, { content: 'Mine' }],
  [`PATCH /api/v1/notes/${note}`, { content: 'Mine' }],
  [`PUT /api/v1/annotations/${note}`, { content: 'Mine' }],
  [`PATCH /api/v1/annotations/${note}`, { content: 'Mine' }],
  [`DELETE /api/v1/notes/${note}`],
  [`DELETE /api/v1/annotations/${note}`],
  [`DELETE /api/v1/actions/${action}`],
  [`DELETE /api/v1/agents/${action}`],
  [`DELETE /api/v1/stories/${id}`],
];

const pathOf = (request: string) => request.replaceAll(/\/\d+/g, '/:id').replace(/\?.*/, '');
/** The operations that compare the version; all others refuse the header. */
const HONOURS = requestsOf({ id: 1, graph: {}, note: 1, action: 1 }).map(([request]) => pathOf(request));
const versionOf = async (id: number) =>
  (await api.call(account.key, `GET /api/v1/stories/${id}/graph`)).body.version;

describe('a write under the condition If-Match', () => {
  it.each(WRITES.map((name) => [name, HONOURS.includes(name)] as const))(
    'A10 clients: %s compares the version, or refuses the header in words',
    async (name, honours) => {
      if (honours) {
        const requests = requestsOf(await storyOfTest());
        const [request, body] = requests.find(([each]) => pathOf(each) === name)!;
        const response = await send(request, { 'if-match': '"0"' }, body);
        expect([response.status, response.etag]).toEqual([412, '"2"']);
        expect(response.body.errors[0]).toMatchObject({
          message: expect.stringContaining(
            'The current version of the story is 2, which does not match "If-Match"',
          ),
          details: 'If-Match',
        });
        return;
      }
      const path = name
        .replaceAll(/:\w*guid/g, '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57')
        .replaceAll(/:\w+/g, '1');
      const response = await send(path, { 'if-match': '"1"' }, {});
      const message = `"If-Match" is not supported by ${name}: there is no version to compare. Remove it and try again; nothing was changed`;
      expect([response.status, response.body.errors]).toEqual([412, [{ message, details: 'If-Match' }]]);
    },
  );

  it('A10 clients: is done with the present version, a list that has it, or any', async () => {
    expect(WRITES).toEqual(expect.arrayContaining(HONOURS));
    for (const tag of ['"2"', '"1", "2"', '*']) {
      for (const [request, body] of requestsOf(await storyOfTest()).slice(0, 1)) {
        expect((await send(request, { 'if-match': tag }, body)).status).toBe(200);
      }
    }
    for (const name of HONOURS) {
      const story = await storyOfTest();
      const [request, body] = requestsOf(story).find(([each]) => pathOf(each) === name)!;
      const response = await send(request, { 'if-match': '"2"' }, body);
      const isDelete = request.startsWith('DELETE');
      expect([name, response.status, response.etag]).toEqual([
        name,
        isDelete ? 204 : 200,
        isDelete ? null : '"3"',
      ]);
      if (!isDelete) expect(await versionOf(story.id)).toBe(3);
    }
  });

  it('A10 clients: goes on with the version of each response, and changes nothing under an earlier one', async () => {
    const { id } = await storyOfTest();
    const path = `PUT /api/v1/stories/${id}`;
    const first = await send(path, { 'if-match': '"2"' }, { name: 'One' });
    const second = await send(path, { 'if-match': first.etag }, { name: 'Two' });
    expect([second.status, second.body.name, second.etag]).toEqual([200, 'Two', '"4"']);
    for (const tag of ['"2"', first.etag, 'W/"4"', '4', '']) {
      const stale = await send(path, { 'if-match': tag }, { name: 'Three' });
      expect([tag, stale.status, stale.etag]).toEqual([tag, 412, '"4"']);
    }
    expect((await api.call(account.key, `GET /api/v1/stories/${id}`)).body.name).toBe('Two');
  });

  it('A10 clients: one of two that were made at once is refused', async () => {
    const { id, action } = await storyOfTest();
    const responses = await Promise.all([
      send(`PUT /api/v1/stories/${id}`, { 'if-match': '"2"' }, { name: 'A' }),
      send(`PUT /api/v1/actions/${action}`, { 'if-match': '"2"' }, { name: 'B' }),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  it('A10 clients: names a thing that is not there, and takes a star where there is no version', async () => {
    expect((await send('PUT /api/v1/stories/999999', { 'if-match': '*' }, { name: 'x' })).status).toBe(404);
    const made = await send(
      'POST /api/v1/folders',
      { 'if-match': ' * ' },
      { name: 'F', team_id: account.team.id },
    );
    expect(made.status).toBe(201);
    const renamed = await send(`PUT /api/v1/folders/${made.body.id}`, { 'if-match': '*' }, { name: 'G' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'G']);
  });

  it('A10 clients: is asked for a key first', async () => {
    const response = await fetch(`${api.fabula().url}/api/v1/folders/1`, {
      method: 'PUT',
      headers: { 'if-match': '"1"' },
    });
    expect(response.status).toBe(401);
  });
});

describe('another condition of a write', () => {
  it.each(['If-None-Match', 'If-Unmodified-Since'])(
    'A10 clients: %s is refused everywhere, in words',
    async (name) => {
      const { id } = await storyOfTest();
      const value = name === 'If-None-Match' ? '*' : 'Sun, 29 Nov 2026 08:00:00 GMT';
      const story = await send(`PUT /api/v1/stories/${id}`, { [name]: value }, { name: 'x' });
      expect([story.status, story.body.errors]).toEqual([
        412,
        [
          {
            message: `"${name}" is not supported by PUT /api/v1/stories/:id: only "If-Match" is supported here. Remove it and try again; nothing was changed`,
            details: name,
          },
        ],
      ]);
      const folder = await send('POST /api/v1/folders', { [name]: value, 'if-match': '"1"' }, { name: 'F' });
      expect([folder.status, folder.body.errors.map(({ details }: Parsed) => details)]).toEqual([
        412,
        ['If-Match', name],
      ]);
      expect(await versionOf(id)).toBe(2);
    },
  );

  it('A10 clients: reads have their own', async () => {
    const { id } = await storyOfTest();
    const asked = await send(`GET /api/v1/stories/${id}/graph`, {
      'if-match': '"1"',
      'if-none-match': '"1"',
    });
    expect([asked.status, asked.etag]).toEqual([200, '"2"']);
  });
});

describe('the version in the body of a graph', () => {
  it('A10 clients: is compared as If-Match is, for who cannot send a header', async () => {
    const { id, graph } = await storyOfTest();
    const fabula = createClient({ url: api.fabula().url, key: account.key });
    const read = await fabula.stories.graph.get({ id });
    await fabula.actions.update({ id: graph.agents[0].id, name: 'Theirs' });
    const mine = { agents: read.agents, links: read.links, notes: read.notes } as never as Parsed;
    const refused = await fabula.stories.graph.replace({ id, ...mine, version: read.version }).then(
      () => undefined,
      (error: unknown) => error as FabulaError,
    );
    expect(refused?.status).toBe(412);
    expect(refused?.problems[0]).toEqual({
      message:
        'The current version of the story is 3, which does not match "version"; these parts differ from the request',
      details: 'version',
    });
    expect(refused?.problems[1]?.message).toContain('Theirs');
    expect((await fabula.stories.graph.replace({ id, ...mine, version: 3 })).version).toBe(4);
    expect((await fabula.stories.graph.replace({ id, ...mine })).version).toBe(5);
    expect((await fabula.stories.graph.replace({ id, ...mine, version: null })).version).toBe(6);
  });

  it('A10 clients: stands back behind the header', async () => {
    const { id, graph } = await storyOfTest();
    const path = `PUT /api/v1/stories/${id}/graph`;
    expect((await send(path, {}, graph)).status).toBe(200);
    expect((await send(path, {}, graph)).status).toBe(412);
    expect((await send(path, { 'if-match': '"3"' }, graph)).status).toBe(200);
    expect((await send(path, { 'if-match': '*' }, graph)).status).toBe(200);
    expect((await send(path, { 'if-match': '"2"' }, { ...graph, version: 5 })).status).toBe(412);
    expect(await versionOf(id)).toBe(5);
  });

  it('A10 clients: must be one', async () => {
    const { id, graph } = await storyOfTest();
    for (const version of ['x', -1, 1.5, {}]) {
      const { status, body } = await send(`PUT /api/v1/stories/${id}/graph`, {}, { ...graph, version });
      expect([status, body.errors?.[0].details]).toEqual([422, 'version']);
    }
  });
});
