import { eventually } from '../support/eventually.js';
import { draftWorld, entriesOf, resolved } from '../support/draft-world.js';
import { buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { storyOf } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const withStory = draftWorld(stores, api);

const kept = () =>
  stores.db.read((session) =>
    session.rows<{ action: string; reason: string }>(
      'SELECT action, reason FROM audit_logs WHERE reason IS NOT NULL',
    ),
  );
const many = (text: string) =>
  Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`part_${at}`, `${text} ${at}`]));
const schedule = (minute: number) => [{ cron: `${minute} 5 * * *`, timezone: 'UTC' }];

describe('drafts: a publication', () => {
  it('keeps what other drafts and people have published since the draft was made, and says so', async () => {
    const { ask, story, path, draft, mark, payloadOf, published, agentsOf, agent, change } =
      await withStory();
    const [one, two, three] = [await draft('One'), await draft('Two'), await draft('Three')];
    const before = await agentsOf(story.id);
    await mark(one, { by: 'one' });
    await mark(two, { to: 'two' });
    await change(three, 'Last', { name: 'Very last' });
    await ask(`PUT /api/v1/stories/${three}`, { description: 'Of three', tags: ['three'] });
    await ask(`PUT ${path}`, { tags: ['live'] });
    expect((await published(one)).merged).toMatchObject([{ kind: 'setting', path: 'tags' }]);
    const { merged } = await published(two);
    expect(merged).toContainEqual({
      kind: 'option',
      change: 'changed',
      action: 'Mark',
      guid: before[1].guid,
      path: 'options.payload.by',
      before: 'first',
      after: 'one',
    });
    const last = await published(three);
    expect(last.tags).toEqual(['three', 'live']);
    expect(last.description).toBe('Of three');
    expect(await payloadOf(story.id)).toMatchObject({ by: 'one', to: 'two' });
    expect((await agent(story.id, 'Very last')).id).toBe(before[2].id);
    const after = await agentsOf(story.id);
    expect(after.map(({ id, guid }) => [id, guid])).toEqual(before.map(({ id, guid }) => [id, guid]));
    expect(after[0].options).toEqual(before[0].options);
  });

  it('continues actions that were removed in the draft and came back, also those of an update', async () => {
    const { ask, story, path, draft, published, update, agentsOf } = await withStory();
    const one = await draft('One');
    const added = { type: 'Agents::EventTransformationAgent', name: 'Added', story_id: story.id };
    await ask('POST /api/v1/actions', { ...added, options: { mode: 'message_only', payload: {} } });
    const before = await agentsOf(story.id);
    expect((await update(one)).status).toBe(200);
    const graph = await ask(`GET ${path}/graph?draft_id=${one}`);
    const [entry] = graph.agents;
    await ask(`PUT ${path}/graph?draft_id=${one}`, { agents: [entry], links: [] });
    const again = graph.agents.map(({ id: _id, ...form }: Parsed) => form);
    const back = await ask(`PUT ${path}/graph?draft_id=${one}`, { ...graph, version: null, agents: again });
    expect(back.agents.map(({ guid }: Parsed) => guid)).toEqual(graph.agents.map(({ guid }: Parsed) => guid));
    await published(one);
    const after = await agentsOf(story.id);
    expect(after.map(({ id, guid }) => [id, guid])).toEqual(before.map(({ id, guid }) => [id, guid]));
  });

  it('is a 412 that names what both have changed, and takes for each the side that is chosen', async () => {
    const { story, draft, mark, payloadOf, publish, published, update } = await withStory();
    const [one, two] = [await draft('One'), await draft('Two')];
    await mark(one, { by: 'one', to: 'one' });
    await mark(two, { by: 'two', to: 'two' });
    expect((await published(one)).merged).toEqual([]);
    const refused = await publish(two);
    expect(refused.status).toBe(412);
    const [by, to] = entriesOf(refused.body);
    expect([by.details, to.details]).toEqual(['options.payload.by', 'options.payload.to']);
    for (const word of ['"Mark"', '"first"', '"one"', '"two"']) expect(by.message).toContain(word);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'one', to: 'one' });
    const half = { resolve: [{ entry: by.entry, take: 'draft' }] };
    expect(entriesOf((await publish(two, half)).body)).toHaveLength(1);
    expect((await update(two, half)).status).toBe(412);
    const both = { resolve: [...half.resolve, { entry: to.entry, take: 'live' }] };
    await mark(story.id, { by: 'later' });
    const stale = await publish(two, both);
    expect([stale.status, entriesOf(stale.body)[0].message]).toEqual([
      412,
      expect.stringContaining('"later"'),
    ]);
    await published(two, {
      resolve: [...both.resolve, { entry: entriesOf(stale.body)[0].entry, take: 'draft' }],
    });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'two', to: 'one' });
  });

  it('takes one side of all conflicts that no choice names, of the live story that was compared', async () => {
    const { ask, story, draft, mark, payloadOf, publish, published, update } = await withStory();
    const [one, two, three] = [await draft('One'), await draft('Two'), await draft('Three')];
    await mark(one, { by: 'one', ...many('one') });
    await mark(two, { by: 'two', ...many('two') });
    await mark(three, { by: 'three', ...many('three') });
    await published(one);
    const compared = await ask(`GET /api/v1/drafts/${two}/diff`);
    expect([compared.conflict_count, compared.conflicts.length]).toEqual([121, 121]);
    const later = await ask(`GET /api/v1/drafts/${two}/diff?skipped_conflicts=100`);
    expect([later.conflict_count, later.conflicts]).toEqual([121, compared.conflicts.slice(100)]);
    const refused = await publish(two);
    expect([refused.status, entriesOf(refused.body).length]).toEqual([412, 99]);
    const except = compared.conflicts.find(({ path }: Parsed) => path === 'options.payload.part_7');
    const resolve = [{ entry: except.entry, take: 'draft' }];
    const rest = { take: 'live', live_version: compared.live_version };
    // Nobody has seen what a later version has.
    const stale = { resolve, resolve_rest: { ...rest, live_version: rest.live_version - 1 } };
    expect((await publish(two, stale)).status).toBe(412);
    expect((await update(two, stale)).status).toBe(412);
    await published(two, { resolve, resolve_rest: rest });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'one', part_6: 'one 6', part_7: 'two 7' });

    const again = await ask(`GET /api/v1/drafts/${three}/diff`);
    const mine = { resolve_rest: { take: 'draft', live_version: again.live_version } };
    expect((await update(three, mine)).status).toBe(200);
    expect(await payloadOf(three)).toMatchObject({ by: 'three', part_7: 'three 7' });
  });

  it('overwrites with a reason, which the audit log keeps, and tells what went', async () => {
    const { story, draft, mark, payloadOf, publish, published, change } = await withStory();
    const [one, two] = [await draft(), await draft()];
    await mark(one, { by: 'one' });
    await change(one, 'Last', { name: 'Renamed' });
    await mark(two, { by: 'two' });
    await published(one);
    const refused = await publish(two, { overwrite: true });
    expect([refused.status, refused.body.errors[0].details]).toEqual([422, 'reason']);
    const done = await published(two, { overwrite: true, reason: 'One was a mistake' });
    expect(done.merged).toEqual([]);
    expect(done.overwritten).toEqual([
      expect.objectContaining({ path: 'options.payload.by', before: 'one', after: 'two' }),
      expect.objectContaining({ path: 'name', before: 'Renamed', after: 'Last' }),
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'two' });
    await eventually(async () => (await kept()).length > 0);
    expect(await kept()).toEqual([{ action: 'draft.publish', reason: 'One was a mistake' }]);
  });

  it('removes what one side removed, unless the other has changed or linked it: that is named', async () => {
    const { ask, story, draft, mark, remove, agentsOf, publish, published } = await withStory();
    const [one, two, three, four] = [await draft(), await draft(), await draft(), await draft()];
    await remove(one, 'Last');
    await mark(two, { by: 'two' });
    const [hook, , last] = await agentsOf(three);
    await ask(`PUT /api/v1/actions/${last.id}`, { source_ids: [hook.id] });
    await ask(`PUT /api/v1/actions/${(await agentsOf(four))[2].id}`, { description: 'Four' });
    await published(one);
    await published(two);
    expect((await agentsOf(story.id)).map(({ name }) => name)).toEqual(['Receive', 'Mark']);
    const refused = await publish(three);
    expect(entriesOf(refused.body)).toMatchObject([{ message: expect.stringContaining('link: ') }]);
    await published(three, resolved(refused.body, 'live'));
    expect(await agentsOf(story.id)).toHaveLength(2);
    const changed = await publish(four);
    expect(entriesOf(changed.body)).toMatchObject([{ message: expect.stringContaining('"Last"') }]);
    await published(four, resolved(changed.body, 'draft'));
    const { links } = await ask(`GET /api/v1/stories/${story.id}/export`);
    expect(links).toMatchObject([
      { source: 0, receiver: 1 },
      { source: 1, receiver: 2 },
    ]);
    expect((await agentsOf(story.id)).map(({ name }) => name)).toEqual(['Receive', 'Mark', 'Last']);
  });

  it('merges notes, schedules, settings and places, and names those that both have changed', async () => {
    const { ask, story, draft, change, publish, published, agentsOf } = await withStory();
    const [one, two, three] = [await draft(), await draft(), await draft()];
    const note = async (id: number, content: string) => {
      const { annotations } = await ask(`GET /api/v1/notes?story_id=${id}`);
      await ask(`PUT /api/v1/notes/${annotations[0].id}`, { content });
    };
    await change(one, 'Mark', { position: { x: 10, y: 10 }, schedule: schedule(1) });
    await ask(`PUT /api/v1/stories/${one}`, { keep_events_for: 86_400 });
    await change(two, 'Last', { position: { x: 20, y: 20 }, schedule: schedule(2) });
    await note(two, 'Of two');
    await change(three, 'Mark', { position: { x: 30, y: 30 }, schedule: schedule(3) });
    await ask(`PUT /api/v1/stories/${three}`, { keep_events_for: 259_200 });
    await note(three, 'Of three');
    await published(one);
    await published(two);
    const [, mark, last] = await agentsOf(story.id);
    expect([mark.position, last.position]).toEqual([
      { x: 10, y: 10 },
      { x: 20, y: 20 },
    ]);
    const { body } = await publish(three);
    expect(entriesOf(body).map(({ details }) => details)).toEqual(
      expect.arrayContaining(['position', 'schedule', 'keep_events_for', 'content']),
    );
    const done = await published(three, resolved(body, 'draft'));
    expect(done.keep_events_for).toBe(259_200);
    const rows = await stores.db.read((session) =>
      session.rows<{ cron: string }>('SELECT cron FROM schedules WHERE story_id = ? ORDER BY cron', [
        story.id,
      ]),
    );
    expect(rows.map(({ cron }) => cron)).toEqual(['2 5 * * *', '3 5 * * *']);
  });

  it('names a new text of the draft that refers to an action which was renamed in the story', async () => {
    const { story, draft, change, mark, agent, publish, published } = await withStory();
    const id = await draft();
    await change(story.id, 'Receive', { name: 'Get alert' });
    await mark(story.id, { n: '=get_alert.body.n' });
    await mark(id, { more: '=receive.body.more' });
    const refused = await publish(id);
    expect(entriesOf(refused.body)).toMatchObject([
      { details: 'options.payload.more', message: expect.stringContaining('"receive"') },
    ]);
    const { merged } = await published(id, resolved(refused.body, 'draft'));
    expect(merged.map(({ path }: Parsed) => path)).toEqual(['name', 'options.payload.n']);
    expect((await agent(story.id, 'Mark')).options.payload).toMatchObject({
      n: '=get_alert.body.n',
      more: '=receive.body.more',
    });
  });

  it('of a draft of before asks about each difference if the state of then is not known', async () => {
    const { story, draft, mark, publish, published, payloadOf } = await withStory();
    const [known, unknown] = [await draft(), await draft()];
    await stores.sql('DELETE FROM draft_bases');
    await mark(known, { by: 'known' });
    await mark(unknown, { to: 'unknown' });
    await mark(story.id, { more: 'live' });
    expect((await published(known)).merged).toMatchObject([{ path: 'options.payload.more' }]);
    await stores.sql('DELETE FROM story_versions WHERE story_id = ?', [story.id]);
    const refused = await publish(unknown);
    const places = entriesOf(refused.body).map(({ details }) => String(details));
    expect(places.toSorted((a, b) => a.localeCompare(b))).toEqual(
      ['by', 'more', 'to'].map((key) => `options.payload.${key}`),
    );
    const choices = entriesOf(refused.body).map(({ entry, details }) => ({
      entry,
      take: details.endsWith('.to') ? 'draft' : 'live',
    }));
    await published(unknown, { resolve: choices });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'known', to: 'unknown', more: 'live' });
  });

  it('is done again when the story changes while it is merged: nothing of either is lost', async () => {
    const { story, draft, mark, payloadOf, publish } = await withStory();
    const drafts = await Promise.all(Array.from({ length: 4 }, (_, index) => draft(`Draft ${index}`)));
    for (const [index, id] of drafts.entries()) await mark(id, { [`key_${index}`]: index });
    const responses = await Promise.all(drafts.map((id) => publish(id)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await payloadOf(story.id)).toMatchObject({ key_0: 0, key_1: 1, key_2: 2, key_3: 3 });
  });

  it('merges a large story in a thread', async () => {
    const { account, ask } = await withStory();
    const payload = { text: 'x'.repeat(200), by: 'first' };
    const actions = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `Step ${index}`,
        ['EventTransformation', { mode: 'message_only', payload }] as ['EventTransformation', object],
      ]),
    );
    const place = { new_name: 'Large', team_id: account.team.id };
    const { id } = await ask('POST /api/v1/stories/import', {
      ...place,
      data: storyOf(actions as never, []),
    });
    const copy = await ask(`POST /api/v1/stories/${id}/drafts`, { name: 'Try' });
    const [first] = (await ask(`GET /api/v1/stories/${id}/agents?per_page=1`)).agents;
    const options = { ...first.options, payload: { ...payload, by: 'live' } };
    await ask(`PUT /api/v1/actions/${first.id}`, { options });
    const { merged } = await ask(`POST /api/v1/drafts/${copy.id}/publish`);
    expect(merged).toMatchObject([{ path: 'options.payload.by', before: 'first', after: 'live' }]);
  });
});

describe('drafts: a comparison', () => {
  it('tells what a publication would do, and writes nothing', async () => {
    const { ask, path, story, draft, mark, payloadOf, agentsOf, change, remove, publish, published } =
      await withStory();
    const [id, other] = [await draft('Mine'), await draft('Other')];
    const [, , last] = await agentsOf(story.id);
    await mark(id, { by: 'draft', to: 'draft' });
    await remove(id, 'Last');
    await mark(other, { by: 'other' });
    await change(other, 'Receive', { name: 'Take in' });
    await published(other);
    await stores.db.read((session) =>
      session.run(
        `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state)
         VALUES (?, ?, ?, 1, 'email', 1, NOW(3), 'held')`,
        ['f'.repeat(32), story.id, last.id],
      ),
    );
    const before = await ask(`GET ${path}/graph`);
    const compared = await ask(`GET /api/v1/drafts/${id}/diff`);
    const [receive, marked] = await agentsOf(story.id);
    expect(
      compared.draft.map(({ kind, change: how, guid, path: at }: Parsed) => [kind, how, guid, at]),
    ).toEqual([
      ['option', 'changed', marked.guid, 'options.payload.by'],
      ['option', 'changed', marked.guid, 'options.payload.to'],
      ['action', 'removed', last.guid, null],
      ['link', 'removed', marked.guid, null],
    ]);
    expect(compared.live).toMatchObject([
      { guid: receive.guid, action: 'Take in', path: 'name', before: 'Receive', after: 'Take in' },
      { guid: marked.guid, path: 'options.payload.by', after: 'other' },
    ]);
    expect(compared.merged).toMatchObject([{ path: 'name' }]);
    const [conflict] = compared.conflicts;
    expect([compared.conflict_count, conflict.entry, conflict.guid]).toEqual([
      1,
      entriesOf((await publish(id)).body)[0].entry,
      marked.guid,
    ]);
    expect(conflict).toMatchObject({
      base: 'first',
      live: 'other',
      draft: 'draft',
      path: 'options.payload.by',
    });
    expect(compared.waiting).toEqual([{ id: last.id, name: 'Last', guid: last.guid, events: 1 }]);
    expect(compared.live_version).toBe(before.version);
    expect(compared.base_version).toBeLessThan(before.version);
    expect(compared.live_story_export.agents).toHaveLength(3);
    expect(compared.published_export.agents.map(({ name }: Parsed) => name)).toEqual(['Take in', 'Mark']);
    expect(await ask(`GET ${path}/graph`)).toEqual(before);
    expect(await payloadOf(id)).toMatchObject({ by: 'draft' });
    expect(await ask(`GET ${path}/drafts/${id}/diff`)).toEqual(compared);
  });

  it('is for those who may publish: not for viewers, nor for another tenant', async () => {
    const { account, raw, path, draft } = await withStory();
    const id = await draft();
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db);
    for (const place of [`/api/v1/drafts/${id}`, `${path}/drafts/${id}`]) {
      expect((await raw(`GET ${place}/diff`, undefined, viewer)).status).toBe(403);
      expect((await raw(`GET ${place}/diff`, undefined, stranger)).status).toBe(404);
    }
  });
});

describe('drafts: an update', () => {
  it('gives the draft what the story has changed, moves its base, and keeps its ids and addresses', async () => {
    const { ask, path, story, draft, mark, payloadOf, agentsOf, update, published, remove } =
      await withStory();
    const id = await draft();
    const before = await agentsOf(id);
    const { base_version: base } = await ask(`GET /api/v1/drafts/${id}`);
    await mark(id, { by: 'draft' });
    await mark(story.id, { to: 'live' });
    await remove(story.id, 'Last');
    const place = {
      story_id: story.id,
      type: 'Agents::WebhookAgent',
      name: 'Second',
      position: { x: 1, y: 1 },
    };
    const added = await ask('POST /api/v1/actions', {
      ...place,
      options: { path: `second-${id}`, secret: 's' },
    });
    const { version } = await ask(`GET ${path}/graph`);
    const response = await update(id);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id, base_version: version });
    expect(version).toBeGreaterThan(base);
    expect(response.body.merged).toHaveLength(4);
    expect(await payloadOf(id)).toMatchObject({ by: 'draft', to: 'live' });
    const after = await agentsOf(id);
    expect(after.map(({ name }) => name)).toEqual(['Receive', 'Mark', 'Second']);
    expect(after.slice(0, 2).map(({ id: each, guid }) => [each, guid])).toEqual(
      before.slice(0, 2).map(({ id: each, guid }) => [each, guid]),
    );
    expect(after[0].options).toEqual(before[0].options);
    expect(after[2].options.path).not.toBe(added.options.path);
    const again = (await update(id)).body;
    expect([again.merged, again.updated_at]).toEqual([[], response.body.updated_at]);
    await mark(id, { by: 'draft again' });
    expect((await published(id)).merged).toEqual([]);
    const live = await agentsOf(story.id);
    expect(live.map(({ name }) => name)).toEqual(['Receive', 'Mark', 'Second']);
    expect(live[2]).toMatchObject({ id: added.id, guid: added.guid, options: added.options });
  });

  it('names conflicts as a publication does, and solves them', async () => {
    const { story, draft, mark, payloadOf, update, published } = await withStory();
    const id = await draft();
    await mark(id, { by: 'draft', to: 'draft' });
    await mark(story.id, { by: 'live', to: 'live' });
    const refused = await update(id);
    expect(refused.status).toBe(412);
    const [by, to] = entriesOf(refused.body);
    const resolve = [
      { entry: by.entry, take: 'live' },
      { entry: to.entry, take: 'draft' },
    ];
    expect((await update(id, { resolve })).status).toBe(200);
    expect(await payloadOf(id)).toMatchObject({ by: 'live', to: 'draft' });
    await published(id);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'live', to: 'draft' });
  });

  it('is not forgotten by a draft that goes back to a version of before it', async () => {
    const { ask, story, draft, mark, payloadOf, update, published } = await withStory();
    const id = await draft();
    const named = await ask(`POST /api/v1/stories/${id}/versions`, { name: 'Before' });
    await mark(story.id, { to: 'live' });
    await update(id);
    await ask(`POST /api/v1/stories/${id}/versions/${named.id}/restore`);
    await mark(id, { by: 'draft' });
    expect((await published(id)).merged).toMatchObject([{ path: 'options.payload.to', after: 'live' }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'draft', to: 'live' });
  });
});
