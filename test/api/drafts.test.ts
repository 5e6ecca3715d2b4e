import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { storyOf } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, {});

/** Every story has a path of its own: the process knows that of the test before for some seconds. */
let made = 0;
const chain = (payload: string, extra: object = {}) => ({
  ...storyOf(
    {
      Receive: ['Webhook', { path: `alerts-${++made}`, secret: 'open', verbs: 'post' }],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { n: '=receive.body.n', by: payload } }],
    },
    ['Receive > Mark'],
  ),
  ...extra,
});

async function withStory(data: object = chain('live')) {
  const account = await buildAccount(stores.db);
  const ask = async (request: string, body?: unknown) => {
    const response = await api.call(account.key, request, body);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const story = await ask('POST /api/v1/stories/import', {
    new_name: 'Triage',
    team_id: account.team.id,
    data,
  });
  const path = `/api/v1/stories/${story.id}`;
  const agentsOf = async (id: number): Promise<Parsed[]> =>
    (await ask(`GET /api/v1/stories/${id}/agents`)).agents;
  const draft = async (name = 'Try') => ask(`POST ${path}/drafts`, { name });
  /** The address of the story's webhook. */
  const addressOf = async (id: number) => {
    const { options } = (await agentsOf(id)).find(({ type }) => type === 'Agents::WebhookAgent');
    return `${options.path}/${options.secret}`;
  };
  const mark = async (id: number, payload: string) => {
    const { id: agentId, options } = (await agentsOf(id)).find(({ name }) => name === 'Mark');
    await ask(`PUT /api/v1/actions/${agentId}`, {
      options: { ...options, payload: { ...options.payload, by: payload } },
    });
  };
  return { account, key: account.key, ask, story, path, agentsOf, draft, addressOf, mark };
}

const timeless = ({ exported_at: _at, ...rest }: Parsed) => rest;
const outputs = (storyId: number) =>
  stores.db.read((session) =>
    session.rows<{ agentId: number; payload: string }>(
      `SELECT e.agent_id AS agentId, e.payload FROM events e JOIN agents a ON a.id = e.agent_id
       WHERE e.story_id = ? AND a.name = 'Mark' ORDER BY e.id`,
      [storyId],
    ),
  );

const markedBy = async (storyId: number) =>
  (await outputs(storyId)).map(({ payload }) => JSON.parse(payload).by);

describe('a draft', () => {
  it('is a copy with guids and webhook addresses of its own, which no list of stories has', async () => {
    const { ask, path, story, draft, agentsOf, addressOf, account } = await withStory();
    const made = await draft();
    expect(made).toMatchObject({ name: 'Try', story_id: story.id, mode: 'TEST', user_id: account.user.id });
    expect((await ask(`GET ${path}/drafts`)).drafts).toEqual([made]);
    expect(await ask(`GET /api/v1/drafts/${made.id}`)).toEqual(made);
    expect((await ask('GET /api/v1/stories')).map(({ id }: Parsed) => id)).toEqual([story.id]);
    expect((await ask('GET /api/v1/stories?search=Triage&per_page=5')).length ?? 1).toBe(1);
    const [live, copy] = [await agentsOf(story.id), await agentsOf(made.id)];
    expect(copy.map(({ name }) => name)).toEqual(live.map(({ name }) => name));
    const guids = new Set([...live, ...copy].map(({ guid }) => guid));
    expect(guids.size).toBe(live.length * 2);
    expect(await addressOf(made.id)).not.toBe(await addressOf(story.id));
  });

  it('runs beside the live story: each has its own events', async () => {
    const { story, draft, addressOf, mark, ask } = await withStory();
    const made = await draft();
    await mark(made.id, 'draft');
    const fabula = api.fabula();
    const [live, test] = [await addressOf(story.id), await addressOf(made.id)];
    await eventually(async () => (await fabula.fire(test, { n: 0 })).status === 201);
    for (let n = 1; n <= 5; n += 1) await Promise.all([fabula.fire(live, { n }), fabula.fire(test, { n })]);
    await fabula.settled();
    expect(await markedBy(story.id)).toEqual(Array(5).fill('live'));
    expect(await markedBy(made.id)).toEqual(Array(6).fill('draft'));
    const [one] = (await ask(`GET /api/v1/events?story_id=${story.id}`)).events;
    expect(one).toMatchObject({ story_mode: 'LIVE', draft_id: null });
    const [tried] = (await ask(`GET /api/v1/events?story_id=${made.id}`)).events;
    expect(tried).toMatchObject({ story_mode: 'TEST', draft_id: made.id });
  });

  it('has no schedules, however its actions are changed', async () => {
    const data = chain('live') as Parsed;
    data.agents[1].schedule = [{ cron: '0 5 * * *', timezone: 'UTC' }];
    const { ask, draft, story, agentsOf } = await withStory(data);
    const made = await draft();
    const scheduled = (id: number) =>
      stores.db.read((session) => session.rows('SELECT id FROM schedules WHERE story_id = ?', [id]));
    expect([(await scheduled(story.id)).length, (await scheduled(made.id)).length]).toEqual([1, 0]);
    const { id } = (await agentsOf(made.id)).at(-1);
    await ask(`PUT /api/v1/actions/${id}`, { schedule: [{ cron: '0 6 * * *', timezone: 'UTC' }] });
    expect(await scheduled(made.id)).toEqual([]);
    await ask(`POST /api/v1/drafts/${made.id}/publish`);
    const rows = await stores.db.read((session) =>
      session.rows<{ cron: string }>('SELECT cron FROM schedules WHERE story_id = ?', [story.id]),
    );
    expect(rows.map(({ cron }) => cron)).toEqual(['0 6 * * *']);
  });

  it('is no story that a name means: not to an import, nor to an action that calls a story', async () => {
    const { ask, draft, story, account } = await withStory();
    const made = await draft('Triage');
    const replaced = await ask('POST /api/v1/stories/import', {
      new_name: 'Triage',
      team_id: account.team.id,
      mode: 'versionReplace',
      data: chain('replaced'),
    });
    expect(replaced.id).toBe(story.id);
    const { findStoryNamesOfTeam } = await import('../../src/stories/graph/story-graph-store.js');
    const names = await stores.db.read((session) => findStoryNamesOfTeam(session, account.team.id));
    expect(names.map(({ id }) => id)).toEqual([story.id]);
    expect(made.id).not.toBe(story.id);
  });

  it('is renamed and deleted, with its actions and what waits in it', async () => {
    const { ask, path, key, draft, agentsOf, story } = await withStory();
    const [made, other] = [await draft(), await draft('Other')];
    expect((await ask(`PUT /api/v1/drafts/${made.id}`, { name: 'Renamed' })).name).toBe('Renamed');
    await ask(`DELETE /api/v1/drafts/${made.id}`);
    expect((await api.call(key, `GET /api/v1/drafts/${made.id}`)).status).toBe(404);
    expect((await api.call(key, `DELETE /api/v1/stories/${other.id}/drafts/${other.id}`)).status).toBe(404);
    await ask(`DELETE ${path}/drafts/${other.id}`);
    expect((await ask(`GET ${path}/drafts`)).meta.count).toBe(0);
    expect(await agentsOf(story.id)).toHaveLength(2);
    const [left] = await stores.db.read((session) =>
      session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM agents'),
    );
    expect(left!.n).toBe(2);
    expect((await api.call(key, `GET /api/v1/drafts/${story.id}`)).status).toBe(404);
  });

  it('goes with its story, and follows it to another team', async () => {
    const { ask, path, draft } = await withStory();
    await draft();
    await ask(`DELETE ${path}`);
    for (const table of ['stories', 'agents', 'story_versions']) {
      const [row] = await stores.db.read((session) =>
        session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`),
      );
      expect([table, row!.n]).toEqual([table, 0]);
    }
  });

  it('has no drafts, and a story has twenty at most', async () => {
    const { key, path, draft } = await withStory();
    const made = await draft();
    expect((await api.call(key, `POST /api/v1/stories/${made.id}/drafts`, { name: 'x' })).status).toBe(422);
    for (let count = 1; count < 20; count += 1) await draft();
    expect((await api.call(key, `POST ${path}/drafts`, { name: 'x' })).status).toBe(409);
    expect((await api.call(key, `POST ${path}/drafts`, {})).status).toBe(422);
  });

  it('writes test records', async () => {
    const field = { name: 'Name', result_type: 'TEXT', fixed_values: [] };
    const data = storyOf(
      {
        Receive: ['Webhook', { path: 'records', secret: 's', verbs: 'post' }],
        Keep: [
          'Record',
          { mode: 'create', record_result_mode: '', record_type_id: '', record_writers: '' },
          {
            record_writers: [
              { formula: '<<receive.body.name>>', include_in_update: false, record_field: field },
            ],
            record_type: { id: 1, name: 'Hosts', editable: false, record_fields: [field] },
          },
        ],
      },
      ['Receive > Keep'],
    );
    const { draft, addressOf, story, ask, account } = await withStory(data);
    const made = await draft();
    const fabula = api.fabula();
    const [live, test] = [await addressOf(story.id), await addressOf(made.id)];
    await fabula.fire(live, { name: 'live' });
    await eventually(async () => (await fabula.fire(test, { name: 'test' })).status === 201);
    await fabula.settled();
    const { record_types: types } = await ask(`GET /api/v1/record_types?team_id=${account.team.id}`);
    const written = async (testMode: boolean) => {
      const query = `record_type_id=${types[0].id}&test_mode=${testMode}`;
      return JSON.stringify((await ask(`GET /api/v1/records?${query}`)).record_results);
    };
    expect(await written(false)).toContain('"live"');
    expect(await written(false)).not.toContain('"test"');
    expect(await written(true)).toContain('"test"');
  });
});

describe('draft_id', () => {
  it('means the draft in requests of its story', async () => {
    const { ask, path, key, story, draft } = await withStory();
    const made = await draft();
    const live = await ask(`GET ${path}`);
    const copy = await ask(`GET ${path}?draft_id=${made.id}&story_mode=TEST`);
    expect([live.mode, live.published, copy.mode, copy.published]).toEqual(['LIVE', true, 'TEST', false]);
    expect([copy.id, copy.name]).toEqual([made.id, live.name]);
    await ask(`PUT ${path}`, { description: 'Of the draft', draft_id: made.id });
    expect((await ask(`GET ${path}`)).description).toBe('');
    expect((await ask(`GET ${path}/export?draft_id=${made.id}`)).description).toBe('Of the draft');
    const named = await ask(`POST ${path}/versions`, { name: 'A', draft_id: made.id });
    expect(named.story_version.story_id).toBe(made.id);
    const graph = await ask(`GET ${path}/graph?draft_id=${made.id}`);
    expect(graph.story_id).toBe(made.id);
    const body = { agents: graph.agents.slice(0, 1), links: [], notes: [] };
    expect((await ask(`PUT ${path}/graph?draft_id=${made.id}`, body)).agents).toHaveLength(1);
    expect((await ask(`GET ${path}/agents`)).agents).toHaveLength(2);
    const { body: other } = await api.call(key, `GET ${path}?draft_id=${story.id + 1_000}`);
    expect(other.errors[0].message).toBe('Draft not found');
    const second = await withStory();
    for (const request of [`GET ${path}?draft_id=${(await second.draft()).id}`, `GET ${second.path}/graph`])
      expect((await api.call(key, request)).status).toBe(404);
  });

  it('means the draft, or the copy in it, in requests of actions and notes', async () => {
    const { ask, key, story, draft, agentsOf } = await withStory();
    const made = await draft();
    const place = { story_id: story.id, draft_id: made.id };
    const added = await ask('POST /api/v1/actions', {
      ...place,
      type: 'Agents::TriggerAgent',
      name: 'Added',
      options: { rules: [] },
      position: { x: 0, y: 0 },
    });
    expect([added.story_id, added.story_mode]).toEqual([made.id, 'TEST']);
    const [hook, mark] = await agentsOf(story.id);
    const changed = await ask(`PUT /api/v1/actions/${mark.id}`, { ...place, name: 'Only there' });
    expect([changed.story_id, changed.name]).toEqual([made.id, 'Only there']);
    expect((await ask(`GET /api/v1/actions/${mark.id}`)).name).toBe('Mark');
    expect((await ask(`GET /api/v1/actions/${mark.id}?draft_id=${made.id}`)).id).toBe(changed.id);
    await ask(`DELETE /api/v1/actions/${hook.id}?draft_id=${made.id}`);
    expect((await api.call(key, `GET /api/v1/actions/${hook.id}?draft_id=${made.id}`)).status).toBe(404);
    expect((await ask(`GET /api/v1/actions/${hook.id}`)).id).toBe(hook.id);
    const names = async (query: string) =>
      (await ask(`GET /api/v1/actions?${query}`)).agents.map(({ name }: Parsed) => name);
    expect(await names('')).toEqual(['Receive', 'Mark']);
    expect((await ask(`GET /api/v1/drafts/${made.id}/agents`)).meta.count).toBe(2);
    expect((await api.call(key, `GET /api/v1/drafts/${story.id}/agents`)).status).toBe(404);
    expect(await names(`draft_id=${made.id}`)).toEqual(['Only there', 'Added']);
    expect(await names(`story_id=${story.id}&draft_id=${made.id}`)).toEqual(['Only there', 'Added']);
    const note = await ask('POST /api/v1/notes', { ...place, content: 'A note' });
    expect(note).toMatchObject({ story_mode: 'TEST', draft_id: made.id, draft_name: 'Try' });
    expect((await ask('GET /api/v1/notes')).annotations).toEqual([]);
    expect((await ask(`GET /api/v1/notes?draft_id=${made.id}`)).annotations).toEqual([note]);
  });

  it('is answered by an import with draft_name, which changes no live story', async () => {
    const { ask, key, path, story, mark, account, agentsOf } = await withStory();
    const before = await agentsOf(story.id);
    const exported = await ask(`GET ${path}/export`);
    exported.agents[1].options.payload.by = 'imported';
    const place = { team_id: account.team.id, draft_name: 'From a file' };
    const response = await ask('POST /api/v1/stories/import', { ...place, data: exported });
    expect(response).toMatchObject({ id: story.id, mode: 'LIVE' });
    expect(await ask(`GET /api/v1/drafts/${response.draft_id}`)).toMatchObject({ name: 'From a file' });
    expect(await agentsOf(story.id)).toEqual(before);
    await mark(response.draft_id, 'imported and changed');
    await ask(`POST /api/v1/drafts/${response.draft_id}/publish`);
    const after = await agentsOf(story.id);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[1].options.payload.by).toBe('imported and changed');
    const astray = { ...place, new_name: 'Nobody has this name', data: exported };
    const refused = await api.call(key, 'POST /api/v1/stories/import', astray);
    expect([refused.status, refused.body.errors[0].details]).toEqual([422, 'draft_name']);
  });
});

describe('a published draft', () => {
  it('is the live story: actions keep ids, guids and addresses, new ones come, the draft goes', async () => {
    const { ask, path, key, story, draft, agentsOf, mark } = await withStory();
    const before = await agentsOf(story.id);
    const made = await draft();
    await mark(made.id, 'published');
    await ask(`PUT /api/v1/stories/${made.id}`, { description: 'From the draft', disabled: true });
    const published = await ask(`POST /api/v1/drafts/${made.id}/publish`);
    expect(published).toMatchObject({ id: story.id, name: 'Triage', description: 'From the draft' });
    expect(published.disabled).toBe(false);
    const after = await agentsOf(story.id);
    expect(after.map(({ id, guid }) => [id, guid])).toEqual(before.map(({ id, guid }) => [id, guid]));
    expect(after[0].options).toEqual(before[0].options);
    expect(after[1].options.payload.by).toBe('published');
    expect((await api.call(key, `GET /api/v1/stories/${made.id}`)).status).toBe(404);
    const { story_versions: versions } = await ask(`GET ${path}/versions`);
    expect(versions[0]).toMatchObject({ source: 'draft', description: 'The draft “Try”' });
  });

  it('changes nothing when nothing was changed', async () => {
    const { ask, path, draft } = await withStory();
    const exported = await ask(`GET ${path}/export`);
    const made = await draft();
    await ask(`POST /api/v1/drafts/${made.id}/publish`);
    expect(JSON.stringify(timeless(await ask(`GET ${path}/export`)))).toBe(
      JSON.stringify(timeless(exported)),
    );
    expect((await ask(`GET ${path}/versions`)).meta.count).toBe(1);
  });

  it('is refused for a locked story and under change control, and the draft stays', async () => {
    const { key, ask, draft, story } = await withStory();
    const made = await draft();
    for (const column of ['locked', 'change_control_enabled']) {
      await stores.sql(`UPDATE stories SET ${column} = TRUE WHERE id = ?`, [story.id]);
      expect((await api.call(key, `POST /api/v1/drafts/${made.id}/publish`)).status).toBe(409);
      await stores.sql(`UPDATE stories SET ${column} = FALSE WHERE id = ?`, [story.id]);
    }
    expect((await ask(`GET /api/v1/drafts/${made.id}`)).id).toBe(made.id);
  });

  it('loses no event of a webhook that is called meanwhile', async () => {
    const { ask, story, draft, addressOf, mark } = await withStory();
    const address = await addressOf(story.id);
    const fabula = api.fabula();
    let sent = 0;
    const stopping = new AbortController();
    const flood = Array.from({ length: 4 }, async () => {
      while (!stopping.signal.aborted) {
        const { status } = await fabula.fire(address, { n: sent });
        if (status === 201) sent += 1;
        else expect(status).toBe(201);
      }
    });
    for (let round = 1; round <= 3; round += 1) {
      const made = await draft();
      await mark(made.id, `round ${round}`);
      await ask(`POST /api/v1/drafts/${made.id}/publish`);
      const already = sent;
      await eventually(() => sent > already + 20);
    }
    stopping.abort();
    await Promise.all(flood);
    await fabula.settled(60_000);
    const arrived = await outputs(story.id);
    expect(arrived).toHaveLength(sent);
    expect(JSON.parse(arrived.at(-1)!.payload).by).toBe('round 3');
    expect(await fabula.deadLetters()).toEqual([]);
  });
});
