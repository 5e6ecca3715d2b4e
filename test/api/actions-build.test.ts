import { type Account, buildAccount } from '../support/builders.js';
import { type Parsed, places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, guidOf, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

interface Built {
  account: Account;
  key: string;
  story: number;
}

async function emptyStory(overrides: Parameters<typeof buildAccount>[1] = {}): Promise<Built> {
  const account = await buildAccount(stores.db, overrides);
  const body = { new_name: 'Built', team_id: account.team.id, data: smallExport({ agents: [], links: [] }) };
  const { body: story } = await api.call(account.key, 'POST /api/v1/stories/import', body);
  return { account, key: account.key, story: story.id };
}

const add = ({ key, story }: Built, body: object) =>
  api.call(key, 'POST /api/v1/actions', {
    type: 'Agents::EventTransformationAgent',
    name: 'Step',
    options: { mode: 'message_only', payload: {} },
    story_id: story,
    ...body,
  });
const made = async (built: Built, body: object = {}): Promise<Parsed> => {
  const response = await add(built, body);
  if (response.status !== 201) throw new Error(JSON.stringify(response.body));
  return response.body;
};
const get = async ({ key }: Built, { id }: { id: number }): Promise<Parsed> =>
  (await api.call(key, `GET /api/v1/actions/${id}`)).body;
const exported = async ({ key, story }: Built): Promise<Parsed> =>
  (await api.call(key, `GET /api/v1/stories/${story}/export`)).body;

describe('a new action', () => {
  it('is given whole, and stands in the export as in one that was imported', async () => {
    const built = await emptyStory();
    const first = await made(built, { name: 'First' });
    const action = await made(built, {
      name: ' Second ',
      description: 'What it does',
      disabled: true,
      keep_events_for: 3600,
      schedule: [{ cron: '0 6 * * *', timezone: 'Europe/Dublin' }],
      position: { x: 30, y: -15 },
      source_ids: [first.id],
      monitor_failures: true,
      monitor_no_events_emitted: 60,
    });
    expect(action).toMatchObject({
      name: 'Second',
      description: 'What it does',
      disabled: true,
      keep_events_for: 3600,
      schedule: [{ cron: '0 6 * * *', timezone: 'Europe/Dublin' }],
      position: { x: 30, y: -15 },
      sources: [first.id],
      links_to_sources: [{ source_id: first.id, type: 'DEFAULT' }],
      monitor_all_events: false,
      monitor_failures: true,
      monitor_no_events_emitted: 60,
      user_id: built.account.user.id,
      story_id: built.story,
    });
    expect(await get(built, action)).toEqual(action);
    const { agents, links, diagram_layout: layout } = await exported(built);
    expect(agents[1]).toEqual({
      type: 'Agents::EventTransformationAgent',
      name: 'Second',
      disabled: true,
      description: 'What it does',
      guid: action.guid,
      options: { mode: 'message_only', payload: {} },
      reporting: { time_saved_value: 0, time_saved_unit: 'minutes' },
      monitoring: { monitor_all_events: false, monitor_failures: true, monitor_no_events_emitted: 60 },
      width: null,
      schedule: [{ cron: '0 6 * * *', timezone: 'Europe/Dublin' }],
      keep_events_for: 3600,
    });
    expect(links).toEqual([{ source: 0, receiver: 1 }]);
    expect(JSON.parse(layout)[action.guid]).toEqual([30, -15]);
  });

  it('of the type webhook gets a path and a secret, or keeps those that are given', async () => {
    const built = await emptyStory();
    const webhook = await made(built, { type: 'Agents::WebhookAgent', name: 'Door', options: {} });
    expect(webhook.options).toEqual({ path: webhook.guid, secret: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const own = { path: 'own-path', secret: 'own secret' };
    expect((await made(built, { type: 'Agents::WebhookAgent', options: own })).options).toEqual(own);
    const response = await add(built, { type: 'Agents::WebhookAgent', options: own });
    expect([response.status, places(response)]).toEqual([409, ['options.path']]);
    const url = `${webhook.options.path}/${webhook.options.secret}`;
    expect((await api.fabula().fire(url, { a: 1 })).status).toBe(201);
    expect(await get(built, webhook)).toMatchObject({
      blended_events_count: 1,
      last_event_at: expect.any(String),
      last_receive_at: expect.any(String),
    });
  });

  it('of a type that does not run here is stored', async () => {
    const built = await emptyStory();
    expect(await made(built, { type: 'Agents::LLMAgent', options: { prompt: 'x' } })).toMatchObject({
      type: 'Agents::LLMAgent',
    });
  });

  it.each([
    [{ name: undefined }, ['name']],
    [{ type: 'Trigger' }, ['type']],
    [{ type: 'Agents::TriggerAgent', options: { rules: 5 } }, ['options.rules']],
    [{ type: 'Agents::WebhookAgent', options: { path: 'a/b' } }, ['options.path']],
    [{ schedule: 'sometimes' }, ['schedule']],
    [{ position: { x: 1 } }, ['position.y']],
    [{ source_ids: [999_999_999] }, ['source_ids[0]']],
    [{ links_to_receivers: [{ receiver_id: 999_999_999 }] }, ['links_to_receivers[0].receiver_id']],
    [{ links_to_sources: [{ source_id: 1, type: 'SOMETIMES' }] }, ['links_to_sources[0].type']],
    [{ source_ids: [1], links_to_sources: [] }, ['links_to_sources']],
    [{ group_id: 5 }, ['group_id']],
    [{ colour: 'red' }, ['colour']],
    [{ colour: 'red', options: { mode: 5 } }, ['colour', 'options.mode']],
  ])('is refused with %j', async (body, wrong) => {
    const built = await emptyStory();
    const response = await add(built, body);
    expect([response.status, places(response)]).toEqual([422, wrong]);
    expect((await exported(built)).agents).toEqual([]);
  });

  it('is refused in a story that is locked', async () => {
    const built = await emptyStory();
    const action = await made(built);
    await stores.sql('UPDATE stories SET locked = TRUE WHERE id = ?', [built.story]);
    expect((await add(built, {})).status).toBe(409);
    const path = `/api/v1/actions/${action.id}`;
    expect((await api.call(built.key, `PUT ${path}`, { name: 'x' })).status).toBe(409);
    expect((await api.call(built.key, `DELETE ${path}`)).status).toBe(409);
  });

  it('has no links to a story of another tenant, whose actions stay unknown', async () => {
    const built = await emptyStory();
    const other = await emptyStory();
    const theirs = await made(other);
    const response = await add(built, { source_ids: [theirs.id] });
    expect(response.body.errors).toEqual([
      {
        message: `"source_ids[0]" is ${theirs.id}, which is not an action of this story`,
        details: 'source_ids[0]',
      },
    ]);
    expect((await api.call(other.key, 'POST /api/v1/actions', { story_id: built.story })).status).toBe(404);
    expect((await add({ ...built, key: other.key }, {})).status).toBe(404);
  });
});

describe('the links of an action', () => {
  it('are exactly those that are given; those that stay keep their types', async () => {
    const built = await emptyStory();
    const [a, b, c] = [await made(built), await made(built), await made(built)];
    const d = await made(built, {
      links_to_sources: [
        { source_id: a.id, type: 'no_match' },
        { source_id: b.id, type: 'FAILURE' },
      ],
    });
    const put = async (body: object) => (await api.call(built.key, `PUT /api/v1/agents/${d.id}`, body)).body;
    expect((await exported(built)).links).toEqual([
      { source: 0, receiver: 3, link_type: 'secondary' },
      { source: 1, receiver: 3, link_type: 'failure' },
    ]);
    expect((await put({ source_ids: [a.id, c.id] })).links_to_sources).toEqual([
      { source_id: a.id, type: 'NO_MATCH' },
      { source_id: c.id, type: 'DEFAULT' },
    ]);
    expect((await put({ links_to_sources: [{ source_id: a.id }] })).links_to_sources).toEqual([
      { source_id: a.id, type: 'DEFAULT' },
    ]);
    expect((await put({ name: 'other' })).sources).toEqual([a.id]);
    expect((await put({ receiver_ids: [a.id, d.id] })).receivers).toEqual([a.id, d.id]);
    expect((await put({ source_ids: null, receiver_ids: null })).sources).toEqual([a.id, d.id]);
    expect(await put({ source_ids: [], receiver_ids: [] })).toMatchObject({ sources: [], receivers: [] });
    expect((await exported(built)).links).toEqual([]);
  });

  it('never lead into a webhook', async () => {
    const built = await emptyStory();
    const webhook = await made(built, { type: 'Agents::WebhookAgent', options: {} });
    const response = await add(built, { receiver_ids: [webhook.id] });
    expect([response.status, places(response)]).toEqual([422, ['receiver_ids[0]']]);
    const step = await made(built);
    const path = `PUT /api/v1/actions/${webhook.id}`;
    const linked = await api.call(built.key, path, { links_to_sources: [{ source_id: step.id }] });
    expect([linked.status, places(linked)]).toEqual([422, ['links_to_sources[0].source_id']]);
  });
});

describe('an update', () => {
  it('takes back what was given, and refuses another story and another type', async () => {
    const built = await emptyStory();
    const action = await made(built, { position: { x: 0, y: 0 } });
    const path = `PUT /api/v1/actions/${action.id}`;
    const { updated_at: _at, ...same } = (await api.call(built.key, path, { ...action, name: 'Renamed' }))
      .body;
    expect({ ...action, name: 'Renamed' }).toMatchObject(same);
    const response = await api.call(built.key, path, {
      story_id: built.story + 1,
      type: 'Agents::EmailAgent',
    });
    expect([response.status, places(response)]).toEqual([422, ['story_id', 'type']]);
  });

  it('moves an action and leaves the digits of the others', async () => {
    const account = await buildAccount(stores.db);
    const layout = `{"${guidOf('1')}":[105.0,30.0],"7":[1.0,2.0],"${guidOf('2')}":[0, 75]}`;
    const data = smallExport({ diagram_layout: layout });
    const { body: story } = await api.call(account.key, 'POST /api/v1/stories/import', {
      new_name: 'S',
      data,
      team_id: account.team.id,
    });
    const built = { account, key: account.key, story: story.id };
    const { agents } = (await api.call(account.key, `GET /api/v1/agents?story_id=${story.id}`)).body;
    expect(agents[0].position).toEqual({ x: 105, y: 30 });
    const put = async (position: object | null) =>
      (await api.call(account.key, `PUT /api/v1/agents/${agents[1].id}`, { position })).body.position;
    const before = (await exported(built)).diagram_layout;
    expect(await put({ x: 0, y: 75 })).toEqual({ x: 0, y: 75 });
    expect((await exported(built)).diagram_layout).toBe(before);
    expect(await put({ x: 7.5, y: 1 })).toEqual({ x: 7.5, y: 1 });
    expect((await exported(built)).diagram_layout).toBe(
      `{"${agents[0].guid}":[105.0,30.0],"7":[1.0,2.0],"${agents[1].guid}":[7.5,1]}`,
    );
    expect(await put(null)).toBeNull();
  });
});

describe('a deleted action', () => {
  it('goes with its links, its schedule, its place and its part as entry or exit', async () => {
    const account = await buildAccount(stores.db);
    const { body: story } = await api.call(account.key, 'POST /api/v1/stories/import', {
      new_name: 'S',
      data: smallExport(),
      team_id: account.team.id,
    });
    const built = { account, key: account.key, story: story.id };
    const list = async () =>
      (await api.call(account.key, `GET /api/v1/stories/${story.id}/agents`)).body.agents;
    const [webhook, middle] = await list();
    await api.call(account.key, `PUT /api/v1/actions/${middle.id}`, { schedule: 'every_1d' });
    await stores.sql("INSERT INTO agent_memory (agent_id, name, value) VALUES (?, 'throttle', '{\"n\":1}')", [
      middle.id,
    ]);
    expect((await get(built, middle)).action_memory_contents).toEqual({ throttle: { n: 1 } });
    for (const { id } of [webhook, middle]) {
      expect((await api.call(account.key, `DELETE /api/v1/actions/${id}`)).status).toBe(204);
      expect((await api.call(account.key, `DELETE /api/v1/actions/${id}`)).status).toBe(404);
    }
    const [last] = await list();
    expect(await exported(built)).toMatchObject({
      agents: [{ guid: last.guid }],
      links: [],
      entry_agent_guid: null,
      exit_agent_guids: [last.guid],
      diagram_layout: '{"gone":[1,2]}',
    });
    for (const table of ['schedules', 'agent_memory', 'links']) {
      const [row] = await stores.db.read((session) =>
        session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`),
      );
      expect([table, row?.n]).toEqual([table, 0]);
    }
  });
});

describe('the list of all actions', () => {
  it('has those of every visible story, in order, by story, team and type', async () => {
    const built = await emptyStory({ owner: true });
    const stranger = await emptyStory();
    await made(stranger);
    const [a, b] = [
      await made(built),
      await made(built, { type: 'Agents::TriggerAgent', options: { rules: [] } }),
    ];
    const list = async (query: string) => {
      const { body } = await api.call(built.key, `GET /api/v1/actions?${query}`);
      return body.agents.map(({ id }: { id: number }) => id);
    };
    expect(await list('')).toEqual([a.id, b.id]);
    expect(
      await list(`story_id=${built.story}&story_mode=LIVE&draft_id=&include_live_activity=False`),
    ).toEqual([a.id, b.id]);
    expect(await list('action_type=Agents::TriggerAgent')).toEqual([b.id]);
    expect(await list(`team_id=${built.account.team.id}&per_page=1&page=2`)).toEqual([b.id]);
    for (const query of [`story_id=${stranger.story}`, `team_id=${stranger.account.team.id}`]) {
      expect((await api.call(built.key, `GET /api/v1/agents?${query}`)).status).toBe(404);
    }
    const { body } = await api.call(built.key, 'GET /api/v1/agents?include_live_activity=true');
    const live = await api.call(built.key, `GET /api/v1/actions/${a.id}?include_live_activity=true`);
    expect(body.agents[0]).toEqual(live.body);
    expect(body.meta.count).toBe(2);
  });

  it('hides secrets of webhooks from a VIEWER, story by story', async () => {
    const built = await emptyStory();
    const secret = 'a long secret';
    await made(built, { type: 'Agents::WebhookAgent', options: { path: 'hidden', secret } });
    await made(built, { name: 'Step', options: { mode: 'message_only', payload: { secret } } });
    const { key } = await buildAccount(stores.db, { team: built.account.team, role: 'VIEWER' });
    const { body } = await api.call(key, 'GET /api/v1/actions');
    expect(body.agents).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect((await add({ ...built, key }, {})).status).toBe(403);
    expect((await api.call(key, `DELETE /api/v1/actions/${body.agents[0].id}`)).status).toBe(403);
  });
});

it('webhooks of an import are listed for connectors: id, path and secret', async () => {
  const account = await buildAccount(stores.db);
  const agents = [agent('Agents::WebhookAgent', '1', { path: 'kibana', secret: 'x' })];
  await api.call(account.key, 'POST /api/v1/stories/import', {
    new_name: 'S',
    data: smallExport({ agents, links: [] }),
  });
  const { body } = await api.call(account.key, 'GET /api/v1/agents?per_page=500');
  expect(body).toMatchObject({
    agents: [{ type: 'Agents::WebhookAgent', options: { path: 'kibana', secret: 'x' } }],
    meta: { pages: 1 },
  });
});
