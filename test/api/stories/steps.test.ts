import type { Actor } from '../../../src/api/face.js';
import { createStepUpdater, type StepUpdaterDeps } from '../../../src/stories/steps/updates/step-updater.js';
import type { Session } from '../../../src/platform/mysql/session.js';
import { buildAccount, type Account } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { storyOf } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const lookUp = (more: object = {}) => ({
  type: 'Agents::HTTPRequestAgent',
  name: 'Look up',
  guid: 'a'.repeat(32),
  options: { url: 'https://assets.example.com/{{ .receive.body.host }}', method: 'get', ...more },
  position: { x: 100, y: 100 },
});
const pick = (more: object = {}) => ({
  type: 'Agents::EventTransformationAgent',
  name: 'Pick owner',
  guid: 'b'.repeat(32),
  options: { mode: 'message_only', payload: { owner: '=look_up.body.owner', ...more } },
  position: { x: 100, y: 250 },
});
const content = (agents: object[] = [lookUp(), pick()]) => ({
  agents,
  links: agents.length > 1 ? [{ source: 0, receiver: 1 }] : [],
  notes: [{ guid: 'e'.repeat(32), content: 'How it works', position: { x: 0, y: 0 } }],
});

async function world() {
  const account = await buildAccount(stores.db);
  const raw = (request: string, body?: unknown, by: Account = account) => api.call(by.key, request, body);
  const ask = async (request: string, body?: unknown, by: Account = account): Promise<Parsed> => {
    const response = await raw(request, body, by);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const step = await ask('POST /api/v1/steps', {
    name: 'Look up a host',
    team_id: account.team.id,
    content: content(),
  });
  const path = `/api/v1/steps/${step.id}`;
  let made = 0;
  /** A story with a webhook, into which the step was inserted as an editor does it. */
  const using = async (more: { use?: string; rename?: Record<string, string> } = {}) => {
    const data = storyOf(
      {
        Receive: [
          'Webhook',
          { path: `steps-${account.team.id}-${++made}`, secret: 'open-secret', verbs: 'post' },
        ],
      },
      [],
    );
    const story = await ask('POST /api/v1/stories/import', {
      new_name: `Story ${made}`,
      team_id: account.team.id,
      data,
    });
    const graphPath = `/api/v1/stories/${story.id}/graph`;
    const { content: kept } = await ask(`GET ${path}/versions/${(await ask(`GET ${path}`)).version}`);
    const graph = await ask(`GET ${graphPath}`);
    const agents = kept.agents.map(({ guid: _guid, ...agent }: Parsed) => ({
      ...agent,
      name: more.rename?.[agent.name] ?? agent.name,
      fabula_step: { ...agent.fabula_step, ...(more.use && { use: more.use }) },
    }));
    const links = kept.links.map(({ source, receiver }: Parsed) => ({
      source: source + 1,
      receiver: receiver + 1,
    }));
    await ask(`PUT ${graphPath}`, {
      agents: [...graph.agents, ...agents],
      links: [{ source: 0, receiver: 1 }, ...links],
      notes: graph.notes,
    });
    return story;
  };
  const agentOf = async (storyId: number, name: string): Promise<Parsed> =>
    (await ask(`GET /api/v1/stories/${storyId}/graph`)).agents.find((agent: Parsed) => agent.name === name);
  const newVersion = (agents: object[], reason = '') =>
    ask(`POST ${path}/versions`, { reason, content: content(agents) });
  const updated = async (storyId: number, body: object = {}, resolve: object[] = []): Promise<Parsed> => {
    const response = await ask(`POST ${path}/updates`, { stories: [{ id: storyId, resolve }], ...body });
    return response.updates[0];
  };
  return { account, raw, ask, step, path, using, agentOf, newVersion, updated };
}

/** Returns the actions of a version with the marks that they have in stories, for the next version. */
const next = async (
  { ask, path, step }: Awaited<ReturnType<typeof world>>,
  change: (agent: Parsed) => Parsed,
) => {
  const { content: kept } = await ask(`GET ${path}/versions/${step.version}`);
  return kept.agents.map(change);
};

/** Returns a copy of an action that belongs to a second use. */
const again = (agent: Parsed, name: string, more: object = {}) => {
  const { id: _id, guid: _guid, ...form } = agent;
  return { ...form, ...more, name, fabula_step: { ...form.fabula_step, use: 'second' } };
};

describe('stories as software: steps', () => {
  it('keep a part of a story without its secrets, ids and addresses, by version', async () => {
    const { ask, step, path, newVersion, account } = await world();
    expect(step).toMatchObject({ version: 1, actions: 2, stories: 0, team_id: account.team.id });
    const hook = {
      type: 'Agents::WebhookAgent',
      name: 'Call me',
      options: { path: 'called-here', secret: 'a-secret-of-mine', verbs: 'post' },
    };
    const telling = lookUp({ payload: { text: 'https://x.example/webhook/called-here/a-secret-of-mine' } });
    const second = await newVersion([hook, telling], 'With a webhook');
    expect(second).toMatchObject({ version: 2, actions: 2 });
    const { content: kept, reason, user } = await ask(`GET ${path}/versions/2`);
    expect([reason, user.id]).toEqual(['With a webhook', account.user.id]);
    expect(kept.agents[0].options).toEqual({ verbs: 'post' });
    expect(JSON.stringify(kept)).not.toContain('a-secret-of-mine');
    expect(kept.agents[1].fabula_step).toEqual({ guid: step.guid, version: 2, action: 'a'.repeat(32) });
    const { step_versions: versions } = await ask(`GET ${path}/versions`);
    expect(versions.map(({ number }: Parsed) => number)).toEqual([2, 1]);
    expect((await ask('GET /api/v1/steps?search=look')).steps).toHaveLength(1);
    expect((await ask('GET /api/v1/steps?search=other')).steps).toHaveLength(0);
    expect((await ask(`GET /api/v1/steps?guids=${'0'.repeat(32)}`)).steps).toHaveLength(0);
  });

  it('are found in the stories that use them, also after an export and import, and in what these have changed', async () => {
    const w = await world();
    const { ask, path, using, agentOf, newVersion, account } = w;
    const [one, two] = [await using({ use: 'u1' }), await using()];
    const exported = await ask(`GET /api/v1/stories/${one.id}/export`);
    await ask('POST /api/v1/stories/import', { new_name: 'Copy', team_id: account.team.id, data: exported });
    const uses = async () => (await ask(`GET ${path}/uses`)).step_uses;
    expect(
      (await uses()).map(({ story_name: name, version, behind, changed }: Parsed) => [
        name,
        version,
        behind,
        changed,
      ]),
    ).toEqual([
      ['Copy', 1, false, false],
      ['Story 1', 1, false, false],
      ['Story 2', 1, false, false],
    ]);
    expect(await ask(`GET ${path}`)).toMatchObject({ stories: 3, stories_behind: 0 });
    const agent = await agentOf(two.id, 'Look up');
    await ask(`PUT /api/v1/actions/${agent.id}`, { options: { ...agent.options, method: 'post' } });
    await newVersion(await next(w, (each) => each));
    const [, , changed] = await uses();
    expect(changed).toMatchObject({ story_id: two.id, version: 1, behind: true, changed: true });
    expect(changed.actions.map(({ name, action }: Parsed) => [name, action])).toEqual([
      ['Look up', 'a'.repeat(32)],
      ['Pick owner', 'b'.repeat(32)],
    ]);
    expect(await ask(`GET ${path}`)).toMatchObject({ stories: 3, stories_behind: 3 });
  });

  it('bring a story up to date: its names, places, addresses, links and own changes stay', async () => {
    const w = await world();
    const { ask, using, agentOf, newVersion, updated } = w;
    const story = await using();
    const before = await agentOf(story.id, 'Look up');
    await ask(`POST /api/v1/stories/${story.id}/versions`, { name: 'Before' });
    const graphPath = `/api/v1/stories/${story.id}/graph`;
    const graph = await ask(`GET ${graphPath}`);
    // The story calls the action by a name of its own, changes one option, and goes on behind the step.
    const [receive, , pickOwn] = graph.agents;
    await ask(`PUT ${graphPath}`, {
      agents: [
        receive,
        { ...before, name: 'Ask assets', options: { ...before.options, headers: { 'X-Team': 'blue' } } },
        { ...pickOwn, options: { ...pickOwn.options, payload: { owner: '=ask_assets.body.owner' } } },
        { type: 'Agents::TriggerAgent', name: 'Goes on', options: { rules: [] } },
      ],
      links: [...graph.links, { source: 2, receiver: 3 }],
      notes: graph.notes,
    });
    const changed = await next(w, (each) =>
      each.name === 'Look up'
        ? { ...each, options: { ...each.options, retry_on_status: ['429'] } }
        : {
            ...each,
            options: { ...each.options, payload: { ...each.options.payload, site: '=look_up.body.site' } },
          },
    );
    await newVersion([
      ...changed,
      {
        ...pick(),
        name: 'Goes on',
        guid: 'c'.repeat(32),
        options: { mode: 'message_only', payload: { all: '=pick_owner' } },
      },
    ]);
    const [dry] = (await ask(`POST ${w.path}/updates/preview`, { stories: [{ id: story.id }] })).updates;
    expect(dry).toMatchObject({ status: 'ready', into_draft: false, conflict_count: 0 });
    expect(dry.differences.map(({ kind, action, path }: Parsed) => [kind, action, path])).toEqual([
      ['option', 'Ask assets', 'options.retry_on_status'],
      ['option', 'Pick owner', 'options.payload.site'],
      ['action', 'Goes on 2', null],
    ]);
    expect(dry.local.map(({ path }: Parsed) => path)).toEqual(expect.arrayContaining(['options.headers']));
    expect((await agentOf(story.id, 'Ask assets')).options.retry_on_status).toBeUndefined();
    expect(await updated(story.id)).toMatchObject({ status: 'updated', warnings: [] });
    const after = await agentOf(story.id, 'Ask assets');
    expect(after).toMatchObject({
      id: before.id,
      guid: before.guid,
      position: before.position,
      options: { headers: { 'X-Team': 'blue' }, retry_on_status: ['429'] },
      fabula_step: { version: 2 },
    });
    expect((await agentOf(story.id, 'Pick owner')).options.payload).toEqual({
      owner: '=ask_assets.body.owner',
      site: '=ask_assets.body.site',
    });
    expect(await agentOf(story.id, 'Goes on 2')).toMatchObject({
      fabula_step: { version: 2, action: 'c'.repeat(32) },
    });
    const { links } = await ask(`GET ${graphPath}`);
    expect(links).toContainEqual(expect.objectContaining({ source: 2, receiver: 3 }));
    expect(await updated(story.id)).toMatchObject({ status: 'current', differences: [] });
    const [version] = (await ask(`GET /api/v1/stories/${story.id}/versions`)).story_versions;
    expect(version).toMatchObject({ source: 'step', description: 'Step “Look up a host”, version 2' });
  });

  it('name what the step and the story have both changed, and change nothing before a side is chosen', async () => {
    const w = await world();
    const { ask, using, agentOf, newVersion, updated } = w;
    const [story, other] = [await using(), await using()];
    const agent = await agentOf(story.id, 'Look up');
    await ask(`PUT /api/v1/actions/${agent.id}`, { options: { ...agent.options, method: 'put' } });
    await newVersion(
      await next(w, (each) =>
        each.name === 'Look up'
          ? { ...each, options: { ...each.options, method: 'post', timeout: 5 } }
          : each,
      ),
    );
    const refused = await ask(`POST ${w.path}/updates`, { stories: [{ id: story.id }, { id: other.id }] });
    expect(refused.updates.map(({ status }: Parsed) => status)).toEqual(['conflicts', 'updated']);
    const [{ conflicts }] = refused.updates;
    expect(conflicts).toMatchObject([
      { kind: 'option', action: 'Look up', path: 'options.method', base: 'get', story: 'put', step: 'post' },
    ]);
    expect((await agentOf(story.id, 'Look up')).options).toMatchObject({ method: 'put' });
    expect((await agentOf(other.id, 'Look up')).options).toMatchObject({ method: 'post', timeout: 5 });
    const resolve = [{ entry: conflicts[0].entry, take: 'story' }];
    expect(await updated(story.id, {}, resolve)).toMatchObject({ status: 'updated' });
    expect((await agentOf(story.id, 'Look up')).options).toMatchObject({ method: 'put', timeout: 5 });
  });

  it('take away what a version no longer has, and leave away what the story has removed', async () => {
    const w = await world();
    const { ask, using, agentOf, newVersion, updated } = w;
    const [story, without] = [await using(), await using()];
    const removed = await agentOf(without.id, 'Pick owner');
    await ask(`DELETE /api/v1/actions/${removed.id}`);
    await newVersion(await next(w, (each) => ({ ...each, description: 'Two' })));
    expect(await updated(without.id)).toMatchObject({ status: 'conflicts', conflict_count: 1 });
    const [{ entry }] = (await updated(without.id)).conflicts;
    await updated(without.id, {}, [{ entry, take: 'story' }]);
    expect(await agentOf(without.id, 'Pick owner')).toBeUndefined();
    expect(await agentOf(without.id, 'Look up')).toMatchObject({ description: 'Two' });
    await updated(story.id);
    const { content: second } = await ask(`GET ${w.path}/versions/2`);
    await newVersion([second.agents[0]]);
    expect(await updated(story.id)).toMatchObject({ status: 'updated' });
    expect(await agentOf(story.id, 'Pick owner')).toBeUndefined();
    expect(await updated(story.id, { version: 1 })).toMatchObject({ status: 'updated' });
    expect(await agentOf(story.id, 'Pick owner')).toMatchObject({ fabula_step: { version: 1 } });
  });

  it('put changes into a draft of a story under change control, and refuse a locked one', async () => {
    const w = await world();
    const { ask, using, agentOf, newVersion, updated } = w;
    const [story, locked] = [await using(), await using()];
    await ask(`PUT /api/v1/stories/${story.id}`, { change_control_enabled: true });
    await ask(`PUT /api/v1/stories/${locked.id}`, { locked: true });
    await newVersion(await next(w, (each) => ({ ...each, description: 'Two' })));
    expect(await updated(locked.id)).toMatchObject({
      status: 'refused',
      problem: expect.stringContaining('locked'),
    });
    const done = await updated(story.id);
    expect(done).toMatchObject({ status: 'updated', into_draft: true, draft_id: expect.any(Number) });
    expect((await agentOf(story.id, 'Look up')).description).toBeUndefined();
    expect(await agentOf(done.draft_id, 'Look up')).toMatchObject({
      description: 'Two',
      fabula_step: { version: 2 },
    });
    const { draft } = await ask(`GET /api/v1/drafts/${done.draft_id}/diff`);
    expect(draft.filter(({ path }: Parsed) => path === 'description')).toHaveLength(2);
    expect(draft.every(({ change }: Parsed) => change !== 'removed')).toBe(true);
  });

  it('keep two uses in one story apart', async () => {
    const w = await world();
    const { ask, using, agentOf, newVersion, updated } = w;
    const story = await using({ use: 'first' });
    const graphPath = `/api/v1/stories/${story.id}/graph`;
    const graph = await ask(`GET ${graphPath}`);
    const [, one, two] = graph.agents;
    const picked = { options: { mode: 'message_only', payload: { owner: '=look_up_2.body.owner' } } };
    await ask(`PUT ${graphPath}`, {
      agents: [...graph.agents, again(one, 'Look up 2'), again(two, 'Pick owner 2', picked)],
      links: [...graph.links, { source: 0, receiver: 3 }, { source: 3, receiver: 4 }],
      notes: [],
    });
    await newVersion(
      await next(w, (each) =>
        each.name === 'Pick owner'
          ? {
              ...each,
              options: {
                mode: 'message_only',
                payload: { owner: '=look_up.body.owner', n: '=look_up.status' },
              },
            }
          : each,
      ),
    );
    expect(await updated(story.id)).toMatchObject({ status: 'updated', conflict_count: 0 });
    expect((await agentOf(story.id, 'Pick owner')).options.payload.n).toBe('=look_up.status');
    expect((await agentOf(story.id, 'Pick owner 2')).options.payload.n).toBe('=look_up_2.status');
  });

  it('refuse what they cannot keep, and a version that somebody else was faster with', async () => {
    const { raw, path, account } = await world();
    const none = await raw('POST /api/v1/steps', {
      name: 'A',
      team_id: account.team.id,
      content: content([]),
    });
    expect([none.status, none.body.errors[0].details]).toEqual([422, 'content.agents']);
    const wrong = await raw('POST /api/v1/steps', {
      name: 'A',
      team_id: account.team.id,
      content: content([lookUp({ method: 7 })]),
    });
    expect([wrong.status, wrong.body.errors[0].details]).toEqual([422, 'content.agents[0].options.method']);
    const stale = await fetch(`${api.fabula().url}${path}/versions`, {
      method: 'POST',
      headers: { 'x-user-token': account.key, 'content-type': 'application/json', 'if-match': '"7"' },
      body: JSON.stringify({ content: content() }),
    });
    expect([stale.status, stale.headers.get('etag')]).toEqual([412, '"1"']);
    const unknown = await raw(`POST ${path}/updates`, { stories: [{ id: 999_999 }] });
    expect(unknown.status).toBe(404);
    expect((await raw(`DELETE ${path}`)).status).toBe(204);
    expect((await raw(`GET ${path}`)).status).toBe(404);
  });

  it('bring the notes of stories up to date, and leave those of the story', async () => {
    const w = await world();
    const { ask, path, using, newVersion, updated } = w;
    const story = await using({ use: 'u1' });
    const graphPath = `/api/v1/stories/${story.id}/graph`;
    const [note] = (await ask(`GET ${path}/versions/1`)).content.notes;
    expect(note).toMatchObject({ content: 'How it works', fabula_step: { guid: w.step.guid } });
    const { agents, links } = await ask(`GET ${graphPath}`);
    const inserted = { ...note, guid: 'c'.repeat(32), fabula_step: { ...note.fabula_step, use: 'u1' } };
    const own = { content: 'Ours', position: { x: 5, y: 5 }, guid: 'd'.repeat(32) };
    await ask(`PUT ${graphPath}`, { agents, links, notes: [inserted, own] });
    const kept = await next(w, (each) => each);
    await ask(`POST ${path}/versions`, {
      content: {
        agents: kept,
        links: [{ source: 0, receiver: 1 }],
        notes: [{ ...note, content: 'How it works now' }],
      },
    });
    const done = await updated(story.id);
    expect(done).toMatchObject({ status: 'updated', differences: [{ kind: 'note' }] });
    const { notes } = await ask(`GET ${graphPath}`);
    expect(notes.map(({ content: text }: Parsed) => text)).toEqual(['How it works now', 'Ours']);
    expect((await ask(`GET ${path}/versions/2`)).content.notes[0].guid).toBe(note.guid);
    await newVersion(await next(w, (each) => each));
  });

  it('have a language, and leave stories in the other one as they are', async () => {
    const { ask, step, path, using, updated, newVersion, account, ...w } = await world();
    expect(step.language).toBe('formula');
    const liquid = await ask('POST /api/v1/steps', {
      name: 'In Liquid',
      team_id: account.team.id,
      language: 'liquid',
      content: content(),
    });
    expect((await ask(`GET /api/v1/steps/${liquid.id}`)).language).toBe('liquid');
    const story = await using();
    const exported = await ask(`GET /api/v1/stories/${story.id}/export`);
    const { standard_lib_version: _version, ...form } = exported;
    const other = await ask('POST /api/v1/stories/import', {
      new_name: 'Old',
      team_id: account.team.id,
      data: { ...form, schema_version: 3 },
    });
    await newVersion(
      await next({ ask, step, path, using, updated, newVersion, account, ...w }, (each) => each),
    );
    expect(await updated(other.id)).toMatchObject({
      status: 'refused',
      problem: 'The step has templates in formulas, the story in Liquid',
    });
    expect(await updated(story.id)).toMatchObject({ status: 'updated' });
  });

  it('of a team are seen by its members alone, and those of the tenant by all', async () => {
    const { account, path, raw, ask } = await world();
    const stranger = await buildAccount(stores.db, { tenantId: account.tenantId });
    expect((await raw(`GET ${path}`, undefined, stranger)).status).toBe(404);
    expect((await raw(`GET ${path}/uses`, undefined, stranger)).status).toBe(404);
    expect((await raw(`POST ${path}/versions`, { content: content() }, stranger)).status).toBe(404);
    expect((await ask('GET /api/v1/steps', undefined, stranger)).steps).toEqual([]);
  });

  it('bring the other stories up to date where one is deleted meanwhile', async () => {
    const { account, ask, path, step, raw, using, updated: _updated, newVersion, ...w } = await world();
    const [first, gone, last] = [await using(), await using(), await using()];
    await newVersion(
      await next(
        { ask, path, step, raw, using, newVersion, account, updated: _updated, ...w },
        (each) => each,
      ),
    );
    let reads = 0;
    const updater = createStepUpdater({
      database: {
        transaction: stores.db.transaction.bind(stores.db),
        read: async (work: (session: Session) => Promise<unknown>) => {
          const result = await stores.db.read(work);
          reads += 1;
          if (reads === 1) await raw(`DELETE /api/v1/stories/${gone.id}`);
          return result;
        },
      },
    } as unknown as StepUpdaterDeps);
    const actor = {
      tenantId: account.tenantId,
      roles: new Map([[account.team.id, 'EDITOR']]),
    } as unknown as Actor;
    const stories = [first, gone, last].map(({ id }) => ({ id, choices: [] }));
    const results = await updater.update(actor, step.id, { stories, intoDrafts: false, isDry: true });
    expect(results.map(({ storyName, status, problem }) => [storyName, status, problem])).toEqual([
      [first.name, 'ready', null],
      [gone.name, 'refused', 'Story not found'],
      [last.name, 'ready', null],
    ]);
  });

  it('leave what stories have of them once they are deleted', async () => {
    const { ask, path, raw, using, agentOf } = await world();
    const story = await using();
    expect((await ask(`GET ${path}`)).stories).toBe(1);
    await raw(`DELETE ${path}`);
    expect(await agentOf(story.id, 'Look up')).toMatchObject({ fabula_step: { version: 1 } });
    expect((await raw(`POST ${path}/updates`, { stories: [{ id: story.id }] })).status).toBe(404);
  });
});
