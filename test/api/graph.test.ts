import { buildAccount } from '../support/builders.js';
import { type Parsed, places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, guidOf, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const STORY = smallExport({
  diagram_layout: `{"${guidOf('1')}":[105.0,30.0],"${guidOf('2')}":[0,75],"gone":[1,2]}`,
  diagram_notes: [
    { content: 'First', position: [-15, 540], guid: 'note one' },
    { content: 'Second', position: [1, 2], width: 315, colour: 'blue' },
  ],
  links: [
    { source: 0, receiver: 1 },
    { source: 1, receiver: 2, link_type: 'failure', colour: 'red' },
    { source: 2, receiver: 1, link_type: 'secondary' },
  ],
});

async function withStory(overrides: Parameters<typeof buildAccount>[1] = {}, data: object = STORY) {
  const account = await buildAccount(stores.db, overrides);
  const body = { new_name: 'S', team_id: account.team.id, data };
  const { id } = (await api.call(account.key, 'POST /api/v1/stories/import', body)).body;
  const path = `/api/v1/stories/${id}/graph`;
  return {
    account,
    id,
    path,
    get: async (): Promise<Parsed> => (await api.call(account.key, `GET ${path}`)).body,
    put: (graph: object, headers: Record<string, string> = {}) => put(account.key, path, graph, headers),
    exported: async (): Promise<Parsed> => {
      const { exported_at: _at, ...rest } = (await api.call(account.key, `GET /api/v1/stories/${id}/export`))
        .body;
      return rest;
    },
  };
}

async function put(key: string, path: string, graph: object, headers: Record<string, string>) {
  const response = await fetch(api.fabula().url + path, {
    method: 'PUT',
    headers: { 'x-user-token': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(graph),
  });
  return { status: response.status, body: (await response.json()) as Parsed, headers: response.headers };
}

describe('the graph of a story', () => {
  it('is given with ids and places, and changes nothing when it is put back', async () => {
    const { get, put: replace, exported, id } = await withStory();
    const graph = await get();
    expect(graph).toMatchObject({
      story_id: id,
      version: 1,
      agents: [
        { id: expect.any(Number), name: 'Webhook 1', position: { x: 105, y: 30 } },
        { id: expect.any(Number), name: 'EventTransformation 2', position: { x: 0, y: 75 } },
        { id: expect.any(Number), name: 'Trigger 3', position: null },
      ],
      links: STORY.links,
      notes: [
        { id: expect.any(Number), content: 'First', position: { x: -15, y: 540 } },
        { id: expect.any(Number), content: 'Second', width: 315, colour: 'blue' },
      ],
    });
    const before = await exported();
    const response = await replace(graph);
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"2"']);
    expect(response.body).toEqual({ ...graph, version: 2 });
    expect(await exported()).toEqual(before);
    expect(Object.keys(await exported())).toEqual(Object.keys(before));
  });

  it('goes back without a list of notes if the story has none', async () => {
    const { diagram_notes: _notes, ...data } = smallExport();
    const { get, put: replace, exported } = await withStory({}, data);
    const before = await exported();
    expect((await replace(await get())).status).toBe(200);
    expect(Object.keys(before)).not.toContain('diagram_notes');
    expect(await exported()).toEqual(before);
  });

  it('is replaced: what continues keeps its id, the rest is new or gone', async () => {
    const { get, put: replace, exported } = await withStory();
    const graph = await get();
    const [webhook, middle, last] = graph.agents;
    const [, second] = graph.notes;
    const { status, body } = await replace({
      agents: [
        { type: 'Agents::EmailAgent', name: 'Mail', options: {}, guid: 'mine', position: { x: 1.5, y: -2 } },
        { ...last, name: 'Renamed', position: { x: 3, y: 4 } },
        { ...webhook, id: undefined },
      ],
      links: [
        { source: 2, receiver: 1 },
        { source: 1, receiver: 0, link_type: 'secondary' },
      ],
      notes: [
        { ...second, content: 'Other', position: { x: 9, y: 9 } },
        { content: 'New', position: [5, 6] },
      ],
    });
    expect(status).toBe(200);
    expect(body.agents.map((each: Parsed) => [each.name, each.position])).toEqual([
      ['Mail', { x: 1.5, y: -2 }],
      ['Renamed', { x: 3, y: 4 }],
      ['Webhook 1', { x: 105, y: 30 }],
    ]);
    expect(body.agents.slice(1).map(({ id }: Parsed) => id)).toEqual([last.id, webhook.id]);
    expect(body.agents[0].guid).toMatch(/^[0-9a-f]{32}$/);
    expect(body.notes).toEqual([
      { ...second, content: 'Other', position: { x: 9, y: 9 } },
      { id: expect.any(Number), content: 'New', position: { x: 5, y: 6 } },
    ]);
    const whole = await exported();
    expect(JSON.parse(whole.diagram_layout)).toEqual({
      [webhook.guid]: [105, 30],
      gone: [1, 2],
      [body.agents[0].guid]: [1.5, -2],
      [last.guid]: [3, 4],
    });
    expect(whole).toMatchObject({ entry_agent_guid: webhook.guid, exit_agent_guids: [last.guid] });
    expect(JSON.stringify(whole)).not.toContain(middle.guid);
    expect(whole.name).toBe('S');
  });

  it('gives an action that comes back its guid, and another one where somebody has it', async () => {
    const { get, put: replace } = await withStory();
    const other = await (await withStory()).get();
    const { agents, links: _links, ...graph } = await get();
    const [first, second, last] = agents;
    await replace({ ...graph, agents: [first, second], links: [] });
    const { id: _id, ...again } = last;
    const { version } = await get();
    const back = await replace({
      version,
      links: [],
      agents: [first, second, again, { ...again, name: 'Same', guid: other.agents[2].guid }],
    });
    expect(back.status).toBe(200);
    expect(back.body.agents[2].guid).toBe(last.guid);
    expect(back.body.agents[3].guid).toMatch(/^[0-9a-f]{32}$/);
    expect(back.body.agents[3].guid).not.toBe(other.agents[2].guid);
  });

  it('leaves notes and places as they are where the request has none', async () => {
    const { get, put: replace } = await withStory();
    const graph = await get();
    const agents = graph.agents.map(({ position: _position, ...rest }: Parsed) => rest);
    const { body } = await replace({ agents, links: [] });
    expect(body).toEqual({ ...graph, links: [], version: 2 });
  });

  it('changes the address of a webhook, unless it is in use', async () => {
    const { get, put: replace, account } = await withStory();
    const data = smallExport({ agents: [agent('Agents::WebhookAgent', '1', { path: 'taken' })], links: [] });
    const body = { new_name: 'T', team_id: account.team.id, data };
    await api.call(account.key, 'POST /api/v1/stories/import', body);
    const graph = await get();
    const [webhook] = graph.agents;
    const withPath = (path: string) => ({ agents: [{ ...webhook, options: { path } }], links: [] });
    const refused = await replace(withPath('taken'));
    expect([refused.status, places(refused)]).toEqual([409, ['agents[0].options.path']]);
    const twice = { type: 'Agents::WebhookAgent', name: 'B', options: { path: 'small' } };
    const double = await replace({ agents: [webhook, twice], links: [] });
    expect([double.status, places(double)]).toEqual([409, ['agents[1].options.path']]);
    expect(await get()).toEqual(graph);
    const moved = await replace(withPath('free-path'));
    expect(moved.body.agents[0]).toMatchObject({
      id: webhook.id,
      options: { path: 'free-path', secret: 'open sesame' },
    });
  });

  it('names all problems of a request at once', async () => {
    const { put: replace, get } = await withStory();
    const step = { type: 'Agents::TriggerAgent', name: 'A', options: { rules: 5 }, guid: 'a' };
    const response = await replace({
      agents: [
        step,
        { ...step, options: {} },
        { type: 'Trigger', name: 'B', options: {}, position: { x: 1 } },
      ],
      links: [{ source: 0, receiver: 7 }],
      notes: [{ content: 5 }],
      colour: 'red',
    });
    expect(response.status).toBe(422);
    expect(places(response)).toEqual([
      'agents[2].type',
      'agents[2].position.y',
      'notes[0].content',
      'colour',
      'agents[0].options.rules',
      'agents[1].guid',
      'links[0].receiver',
    ]);
    const [first] = (await get()).agents;
    const strange = await replace({
      agents: [{ ...first, id: 999_999_999, guid: 'x' }, first, { ...first, guid: 'other' }],
      links: [],
    });
    expect([strange.status, places(strange)]).toEqual([422, ['agents[0].id', 'agents[2].id']]);
  });

  it('is refused with 412 if the story was changed since, with what differs', async () => {
    const { get, put: replace, account } = await withStory();
    const graph = await get();
    const [, middle] = graph.agents;
    await api.call(account.key, `PUT /api/v1/actions/${middle.id}`, {
      options: { mode: 'message_only', payload: { a: 'theirs' } },
    });
    const mine = {
      ...graph,
      agents: graph.agents.map((each: Parsed) => (each.id === middle.id ? { ...each, name: 'Mine' } : each)),
      links: graph.links.slice(1),
    };
    const response = await replace(mine, { 'If-Match': '"1"' });
    expect([response.status, response.headers.get('etag')]).toEqual([412, '"2"']);
    expect(response.body.errors).toEqual([
      {
        message:
          'The current version of the story is 2, which does not match "If-Match"; these parts differ from the request',
        details: 'If-Match',
      },
      {
        message: '"Mine", name: the story has "EventTransformation 2", the request "Mine"',
        details: 'name',
      },
      {
        message: '"Mine", options.payload.a: the story has "theirs", the request "{{ .w.body }}"',
        details: 'options.payload.a',
      },
      {
        message:
          'link: the request does not have {"source":"Webhook 1","receiver":"EventTransformation 2","link_type":null}',
      },
    ]);
    expect((await get()).agents[1].name).toBe('EventTransformation 2');
    for (const tag of ['"1", "2"', '*']) {
      expect((await replace(graph, { 'If-Match': tag })).status).toBe(200);
    }
    const { version: _version, ...anyVersion } = mine;
    expect((await replace(anyVersion)).status).toBe(200);
  });

  it('is not replaced in a locked story, by a VIEWER or by strangers', async () => {
    const { get, put: replace, account, id, path } = await withStory();
    const graph = await get();
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db);
    expect((await put(viewer.key, path, graph, {})).status).toBe(403);
    expect((await put(stranger.key, path, graph, {})).status).toBe(404);
    const { body } = await api.call(viewer.key, `GET ${path}`);
    expect(body.agents[0].options.secret).toBe('[hidden]');
    await stores.sql('UPDATE stories SET locked = TRUE WHERE id = ?', [id]);
    expect((await replace(graph)).status).toBe(409);
  });

  it('starts and stops schedules, within the quota of the tenant', async () => {
    const { get, put: replace, account } = await withStory();
    const graph = await get();
    const scheduled = {
      ...graph,
      agents: graph.agents.map((each: Parsed, index: number) =>
        index === 1 ? { ...each, schedule: ['every_1d', 'midnight', 'noon'] } : each,
      ),
    };
    const count = async () => {
      const rows = await stores.db.read((session) =>
        session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM schedules'),
      );
      return rows[0]?.n;
    };
    await stores.sql('INSERT INTO tenant_quotas (tenant_id, schedules) VALUES (?, 1)', [account.tenantId]);
    expect((await replace(scheduled)).status).toBe(429);
    await stores.sql('DELETE FROM tenant_quotas', []);
    expect((await replace(scheduled)).status).toBe(200);
    expect(await count()).toBe(2);
    expect((await replace(graph, { 'If-Match': '*' })).status).toBe(200);
    expect(await count()).toBe(0);
  });
});
