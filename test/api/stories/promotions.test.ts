import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { callingStory, promotionWorld } from '../../support/promotion-world.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';
import { storyOf } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, {});
let tickets: HttpTarget;

beforeAll(async () => {
  tickets = await startHttpTarget({ rules: { '/tickets': { body: {} } } });
});
afterAll(() => tickets.close());

const keysSent = () => tickets.requests.map(({ headers }) => headers['authorization']);

const plain = (payload: Record<string, string>) =>
  storyOf({ Mark: ['EventTransformation', { mode: 'message_only', payload }] }, []);

/** Two tenants with a credential each, and a story in the source. */
async function world() {
  const made = await promotionWorld(stores, api);
  await made.secretIn(made.source, 'Ticket system (test)', 'key-of-test');
  await made.secretIn(made.target, 'Ticket system', 'key-of-live');
  const story = await made.storyIn(made.source, 'Triage', callingStory(`${tickets.url}/tickets`));
  return { ...made, story };
}

/** Holds a row of a table until `release`. */
async function hold(table: 'teams' | 'stories', id: number) {
  let holding: Promise<unknown> = Promise.resolve();
  const release = await new Promise<() => void>((held, failed) => {
    holding = stores.db.transaction(async (session) => {
      await session.rows(`SELECT id FROM ${table} WHERE id = ? FOR UPDATE`, [id]);
      await new Promise<void>((resolve) => held(resolve));
    });
    holding.catch(failed);
  });
  return {
    async release() {
      release();
      await holding;
    },
  };
}

/** Returns the connection whose claim of a row of this table waits for a lock. */
async function waitingFor(table: 'teams' | 'stories'): Promise<number> {
  let found: number | undefined;
  await eventually(async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ id: number }>(
        'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE ?',
        [`UPDATE ${table} SET claims%`],
      ),
    );
    found = rows[0]?.id;
    return found !== undefined;
  });
  return found!;
}

const pick = ({ name, state, missing, refusals }: Parsed) => ({ name, state, missing, refusals });

describe('stories as software: a promotion', () => {
  it('bundles a story with the ones that it calls and the names that they need, and without secrets', async () => {
    const { source, story, storyIn, bundle, action } = await world();
    const called = await storyIn(source, 'Look up', plain({ by: '=RESOURCE.hosts' }));
    const caller = await storyIn(source, 'Caller', {
      ...storyOf({ Call: ['SendToStory', { story: '=STORY.look_up' }] }, []),
    });
    const made = await bundle([caller, story]);
    expect(made.stories.map(({ name, team }: Parsed) => [name, team])).toEqual([
      ['Caller', source.team.name],
      ['Triage', source.team.name],
      ['Look up', source.team.name],
    ]);
    const { path: address, secret } = (await action(source, story, 'Receive')).options;
    expect(made.needs).toEqual({
      teams: [source.team.name],
      credentials: ['ticket_system_test'],
      resources: ['hosts'],
      record_types: [],
      stories: [],
      webhook_paths: [address],
    });
    expect(JSON.stringify(made)).not.toContain(secret);
    const alone = await bundle([caller], { include_called: false });
    expect(alone.stories).toHaveLength(1);
    expect(alone.needs.stories).toEqual(['look_up']);
    expect(called).toBeGreaterThan(0);
  });

  it('tells before what it would do, and then does it: a promoted story runs with the credential of its tenant', async () => {
    const { target, story, check, promote, namesIn, action, ask } = await world();
    const before = await check([story]);
    expect(before.ok).toBe(true);
    expect(before.stories.map(pick)).toEqual([{ name: 'Triage', state: 'new', missing: [], refusals: [] }]);
    // The source has the path on the same server.
    expect(before.stories[0].webhooks).toEqual([
      { action: 'Receive', path: null, url: null, is_kept: false },
    ]);
    expect(await namesIn(target)).toEqual([]);

    const done = await promote([story], { name: 'Release 1' });
    const [{ story_id: live, webhooks }] = done.stories;
    expect(done.stories[0]).toMatchObject({ state: 'new', version_before: null, name: 'Triage' });
    const { path: address, secret } = (await action(target, live, 'Receive')).options;
    expect(webhooks).toEqual([
      { action: 'Receive', path: address, url: expect.stringMatching(`/webhook/${address}$`) },
    ]);
    const versions = (await ask(target, `GET /api/v1/stories/${live}/versions`)).story_versions;
    expect(versions).toMatchObject([
      { id: done.stories[0].version_after, name: 'Release 1', source: 'promotion' },
    ]);

    await eventually(async () => (await api.fabula().fire(`${address}/${secret}`, {})).status === 201);
    await eventually(() => keysSent().includes('key-of-live'));
    expect(keysSent()).not.toContain('key-of-test');
    const owner = await buildAccount(stores.db, { tenantId: target.tenantId, owner: true });
    const audited = (await ask(owner, 'GET /api/v1/audit_logs')).audit_logs;
    expect(audited.filter(({ operation_name: name }: Parsed) => name === 'promotion.create')).toMatchObject([
      { operation_name: 'promotion.create', user_id: target.user.id },
    ]);
  });

  it('changes a story that came before: webhook URLs and ids stay, and its version has the name of the promotion', async () => {
    const { source, target, story, check, promote, mark, payloadOf, actionsOf, ask } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    const before = await actionsOf(target, live);
    await mark(source, story, { by: 'next' });
    const [checked] = (await check([story])).stories;
    expect(checked).toMatchObject({ state: 'changed', story_id: live, count: 1, conflicts: [] });
    expect(checked.story_diff).toMatchObject([
      { action: 'Mark', path: 'options.payload.by', before: 'test', after: 'next' },
    ]);
    expect(checked.webhooks).toMatchObject([
      { action: 'Receive', path: before[0].options.path, is_kept: true },
    ]);
    await promote([story], { name: 'Release 2' });
    const after = await actionsOf(target, live);
    expect(after.map(({ id, guid }) => [id, guid])).toEqual(before.map(({ id, guid }) => [id, guid]));
    expect(after[0].options).toEqual(before[0].options);
    expect(await payloadOf(target, live)).toMatchObject({ by: 'next' });
    expect((await check([story])).stories[0]).toMatchObject({ state: 'unchanged', count: 0 });
    const [newest] = (await ask(target, `GET /api/v1/stories/${live}/versions`)).story_versions;
    expect(newest).toMatchObject({ name: 'Release 2', source: 'promotion' });
  });

  it('keeps what was changed in the target elsewhere, promotion after promotion', async () => {
    const { source, target, story, check, promote, mark, payloadOf } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    await mark(target, live, { to: 'live only' });
    await mark(source, story, { by: 'second' });
    expect((await check([story])).stories[0].kept).toMatchObject([
      { path: 'options.payload.to', after: 'live only' },
    ]);
    await promote([story]);
    expect(await payloadOf(target, live)).toEqual({ by: 'second', to: 'live only' });
    await mark(source, story, { by: 'third' });
    await promote([story]);
    expect(await payloadOf(target, live)).toEqual({ by: 'third', to: 'live only' });
  });

  it('refuses what both have changed, unless it overwrites with a reason', async () => {
    const { source, target, story, check, tried, promote, mark, payloadOf } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    await mark(target, live, { by: 'live', to: 'live only' });
    await mark(source, story, { by: 'second' });
    const [checked] = (await check([story])).stories;
    expect(checked.conflicts).toMatchObject([
      { action: 'Mark', path: 'options.payload.by', base: 'test', live: 'live', incoming: 'second' },
    ]);
    const refused = await tried([story]);
    expect(refused.status).toBe(412);
    expect(refused.body.errors[0].message).toMatch(/"Triage".*"Mark".*options\.payload\.by/);
    expect((await tried([story], { overwrite: true })).status).toBe(422);
    const done = await promote([story], { overwrite: true, reason: 'The source is right' });
    expect(done.reason).toBe('The source is right');
    expect(await payloadOf(target, live)).toEqual({ by: 'second', to: 'all' });
  });

  it('names everything that is missing, and then writes none of five stories', async () => {
    const { source, target, story, storyIn, check, tried, namesIn, ask } = await world();
    const ids = [story];
    for (let n = 1; n <= 3; n += 1) ids.push(await storyIn(source, `Plain ${n}`, plain({ by: 'x' })));
    ids.push(
      await storyIn(source, 'Lost', {
        ...storyOf(
          {
            Ask: [
              'EventTransformation',
              { mode: 'message_only', payload: { a: '=CREDENTIAL.nowhere', b: '=RESOURCE.hosts' } },
            ],
            Call: ['SendToStory', { story: '=STORY.gone' }],
          },
          [],
        ),
      }),
    );
    const lost = (await check(ids)).stories[4];
    expect(lost.missing).toEqual([
      { kind: 'credential', name: 'nowhere' },
      { kind: 'resource', name: 'hosts' },
      { kind: 'story', name: 'gone' },
    ]);
    const refused = await tried(ids);
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ message }: Parsed) => message)).toEqual([
      `"Lost": the team "${target.team.name}" has no credential "nowhere"`,
      `"Lost": the team "${target.team.name}" has no resource "hosts"`,
      `"Lost": the team "${target.team.name}" has no story "gone"`,
    ]);
    expect(await namesIn(target)).toEqual([]);
    expect((await ask(target, 'GET /api/v1/promotions')).promotions).toEqual([]);
    expect((await tried([story], { mapping: {} })).body.errors[0].message).toMatch(/has no team/);
  });

  it('refuses a locked story and one under change control, with all the others', async () => {
    const { source, target, story, storyIn, promote, tried, mark, ask, payloadOf } = await world();
    const other = await storyIn(source, 'Other', plain({ by: 'test', to: 'all' }));
    const [first, second] = (await promote([story, other])).stories;
    for (const id of [story, other]) await mark(source, id, { by: 'next' });
    for (const setting of [{ locked: true }, { locked: false, change_control_enabled: true }]) {
      await ask(target, `PUT /api/v1/stories/${second.story_id}`, setting);
      expect((await tried([story, other])).status).toBe(409);
      expect(await payloadOf(target, first.story_id)).toMatchObject({ by: 'test' });
    }
  });

  it('lets no editor loosen what failing tests do', async () => {
    const { target, story, promote, ask, call, bundle, mark, source, mapping } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    const path = `/api/v1/stories/${live}`;
    for (const policy of ['warn', 'block']) {
      await ask(source, `PUT /api/v1/stories/${story}`, { tests_on_publish: policy });
      await promote([story]);
    }
    expect((await ask(target, `GET ${path}`)).tests_on_publish).toBe('block');
    await ask(source, `PUT /api/v1/stories/${story}`, { tests_on_publish: 'warn' });
    await mark(source, story, { by: 'next' });
    const editor = await buildAccount(stores.db, { team: target.team });
    const body = { bundle: await bundle([story]), mapping };
    expect((await call(editor, 'POST /api/v1/promotions', body)).status).toBe(201);
    expect((await ask(target, `GET ${path}`)).tests_on_publish).toBe('block');
  });

  it('creates record types, and maps webhook paths, resources and names in every form of a template', async () => {
    const { source, target, storyIn, check, promote, ask, actionsOf, mapping } = await world();
    const id = await storyIn(source, 'Forms', {
      ...storyOf(
        {
          Receive: ['Webhook', { path: 'forms-of-test', secret: 'secret-of-forms', verbs: 'post' }],
          Keep: ['Record', {}, { record_type: { name: 'Alerts', record_fields: [] }, record_writers: [] }],
          Mark: [
            'EventTransformation',
            {
              mode: 'message_only',
              payload: {
                a: '=RESOURCE["Hosts (test)"]',
                b: 'x <<RESOURCE.hosts_test>> y',
                c: '=CREDENTIAL.ticket_system_test',
              },
            },
          ],
        },
        [],
      ),
    });
    await ask(target, 'POST /api/v1/global_resources', {
      name: 'Hosts',
      value: ['a'],
      team_id: target.team.id,
    });
    const asked = {
      mapping: {
        ...mapping,
        resources: { 'Hosts (test)': 'Hosts' },
        webhook_paths: { 'forms-of-test': 'forms-of-live' },
      },
    };
    const [checked] = (await check([id], asked)).stories;
    expect(checked).toMatchObject({ missing: [], refusals: [], new_record_types: ['Alerts'] });
    expect(checked.webhooks).toMatchObject([{ path: 'forms-of-live', is_kept: false }]);
    const [{ story_id: live }] = (await promote([id], asked)).stories;
    const actions = await actionsOf(target, live);
    expect(actions.find(({ name }) => name === 'Mark').options.payload).toEqual({
      a: '=RESOURCE["hosts"]',
      b: 'x <<RESOURCE.hosts>> y',
      c: '=CREDENTIAL.ticket_system',
    });
    expect(actions.find(({ name }) => name === 'Receive').options.path).toBe('forms-of-live');
    const types = (await ask(target, 'GET /api/v1/record_types')).record_types;
    expect(types.map(({ name }: Parsed) => name)).toEqual(['Alerts']);
  });

  it('follows a story that was renamed in the source', async () => {
    const { source, target, story, check, promote, ask, namesIn } = await world();
    await promote([story]);
    await ask(source, `PUT /api/v1/stories/${story}`, { name: 'Triage of alerts' });
    expect((await check([story])).stories[0].story_diff).toMatchObject([
      { path: 'name', after: 'Triage of alerts' },
    ]);
    const { id } = await promote([story]);
    expect(await namesIn(target)).toEqual(['Triage of alerts']);
    await ask(target, `POST /api/v1/promotions/${id}/revert`, {});
    expect(await namesIn(target)).toEqual(['Triage']);
  });
});

describe('stories as software: a promotion taken back', () => {
  it('gives all stories their versions before, and deletes or disables those that it made', async () => {
    const { source, target, story, storyIn, promote, mark, payloadOf, namesIn, ask, action } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    await mark(target, live, { to: 'live only' });
    await mark(source, story, { by: 'second' });
    const fresh = await storyIn(source, 'Fresh', plain({ by: 'test', to: 'all' }));
    const used = await storyIn(source, 'Used', callingStory(`${tickets.url}/tickets`));
    const second = await promote([story, fresh, used]);
    const usedId = second.stories[2].story_id;
    const { path: address, secret } = (await action(target, usedId, 'Receive')).options;
    await eventually(async () => (await api.fabula().fire(`${address}/${secret}`, {})).status === 201);
    const reverted = await ask(target, `POST /api/v1/promotions/${second.id}/revert`, {});
    expect(reverted.reverted_by).toBe(target.user.id);
    expect(await payloadOf(target, live)).toEqual({ by: 'test', to: 'live only' });
    expect(await namesIn(target)).toEqual(['Triage', 'Used']);
    expect((await ask(target, `GET /api/v1/stories/${usedId}`)).disabled).toBe(true);
    // What was taken back can come again: it is compared with the promotion before.
    await promote([story]);
    expect(await payloadOf(target, live)).toEqual({ by: 'second', to: 'live only' });
    expect((await ask(target, `GET /api/v1/promotions/${second.id}`)).reverted_at).not.toBeNull();
  });

  it('is refused with a list if stories were changed since, unless it overwrites with a reason', async () => {
    const { source, target, story, storyIn, promote, mark, payloadOf, call } = await world();
    const other = await storyIn(source, 'Other', plain({ by: 'test', to: 'all' }));
    await promote([story, other]);
    for (const id of [story, other]) await mark(source, id, { by: 'second' });
    const { id, stories } = await promote([story, other]);
    await mark(target, stories[0].story_id, { by: 'by hand' });
    const refused = await call(target, `POST /api/v1/promotions/${id}/revert`, {});
    expect(refused.status).toBe(409);
    expect(refused.body.errors.map(({ message }: Parsed) => message)).toEqual(['"Triage" was changed since']);
    expect(await payloadOf(target, stories[1].story_id)).toMatchObject({ by: 'second' });
    const forced = { overwrite: true, reason: 'It broke' };
    expect((await call(target, `POST /api/v1/promotions/${id}/revert`, forced)).status).toBe(200);
    expect(await payloadOf(target, stories[0].story_id)).toMatchObject({ by: 'test' });
    expect((await call(target, `POST /api/v1/promotions/${id}/revert`, forced)).status).toBe(409);
  });

  it('is refused while a later promotion of its stories stands', async () => {
    const { source, target, story, promote, mark, call, ask, payloadOf } = await world();
    await promote([story]);
    await mark(source, story, { by: 'second' });
    const second = await promote([story]);
    const third = await promote([story]);
    const refused = await call(target, `POST /api/v1/promotions/${second.id}/revert`, {});
    expect(refused.body.errors[0].message).toMatch(/later promotion/);
    await ask(target, `POST /api/v1/promotions/${third.id}/revert`, {});
    await ask(target, `POST /api/v1/promotions/${second.id}/revert`, {});
    expect(await payloadOf(target, third.stories[0].story_id)).toMatchObject({ by: 'test' });
  });
});

/** Two stories that a promotion has changed, a revert of it that waits for the lock of the first, and what releases it. */
async function waitingRevert(body: object = {}) {
  const made = await world();
  const { source, target, story, storyIn, promote, mark, call } = made;
  const other = await storyIn(source, 'Other', plain({ by: 'test', to: 'all' }));
  await promote([story, other]);
  for (const id of [story, other]) await mark(source, id, { by: 'second' });
  const { id, stories } = await promote([story, other]);
  const lives: number[] = stories.map(({ story_id: live }: Parsed) => live);
  const first = await hold('stories', Math.min(...lives));
  const reverting = call(target, `POST /api/v1/promotions/${id}/revert`, body);
  await waitingFor('stories');
  return { ...made, first, reverting, stories, lives };
}

describe('stories as software: a promotion taken back among other changes', () => {
  it('is refused if a story was changed while it waited, and changes none of the others', async () => {
    const { target, mark, payloadOf, first, reverting, lives } = await waitingRevert();
    await mark(target, Math.max(...lives), { by: 'in between' });
    await first.release();
    const refused = await reverting;
    expect(refused.status).toBe(409);
    expect(refused.body.errors).toMatchObject([{ message: '"Other" was changed since' }]);
    expect(await payloadOf(target, Math.min(...lives))).toMatchObject({ by: 'second' });
    expect(await payloadOf(target, Math.max(...lives))).toMatchObject({ by: 'in between' });
  });

  it('has read the states to go back to before it locks a story', async () => {
    const { target, payloadOf, first, reverting, stories, lives } = await waitingRevert();
    const before = stories.map(({ version_before: id }: Parsed) => id);
    await stores.db.read((session) =>
      session.run('DELETE FROM story_version_parts WHERE version_id IN (?)', [before]),
    );
    await first.release();
    expect((await reverting).status).toBe(200);
    for (const id of lives) expect(await payloadOf(target, id)).toMatchObject({ by: 'test' });
  });
});

describe('stories as software: who may promote', () => {
  it('readers may not, and nobody sees the promotions of other tenants and teams', async () => {
    const { source, target, story, bundle, promote, mapping, call } = await world();
    const reader = await buildAccount(stores.db, { team: target.team, role: 'VIEWER' });
    const neighbour = await buildAccount(stores.db, { tenantId: target.tenantId });
    const given = { bundle: await bundle([story]), mapping };
    for (const request of ['POST /api/v1/promotions', 'POST /api/v1/promotions/check'])
      expect((await call(reader, request, given)).status).toBe(403);
    const { id } = await promote([story]);
    expect((await call(reader, `POST /api/v1/promotions/${id}/revert`, {})).status).toBe(403);
    expect((await call(reader, `GET /api/v1/promotions/${id}`)).status).toBe(200);
    for (const other of [source, neighbour]) {
      expect((await call(other, `GET /api/v1/promotions/${id}`)).status).toBe(404);
      expect((await call(other, `POST /api/v1/promotions/${id}/revert`, {})).status).toBe(404);
      expect((await call(other, 'GET /api/v1/promotions')).body.promotions).toEqual([]);
    }
    expect((await call(target, 'POST /api/v1/promotions/bundle', { story_ids: [story] })).status).toBe(404);
  });

  it('a team of two that one may not change stops the whole promotion', async () => {
    const { source, target, story, storyIn, bundle, mapping, call, ask } = await world();
    const owner = await buildAccount(stores.db, { tenantId: source.tenantId, owner: true });
    const theirs = await storyIn(owner, 'Theirs', plain({ by: 'x' }));
    const closed = await buildAccount(stores.db, { tenantId: target.tenantId, owner: true });
    await stores.db.read((session) =>
      session.run("INSERT INTO memberships (team_id, user_id, role) VALUES (?, ?, 'VIEWER')", [
        closed.team.id,
        target.user.id,
      ]),
    );
    const both = await ask(owner, 'POST /api/v1/promotions/bundle', { story_ids: [theirs, story] });
    const teams = { ...mapping.teams, [owner.team.name]: closed.team.name };
    const refused = await call(target, 'POST /api/v1/promotions', {
      bundle: both,
      mapping: { ...mapping, teams },
    });
    expect(refused.status).toBe(403);
    expect(refused.body.errors[0].message).toContain(closed.team.name);
    expect(await bundle([story])).toBeDefined();
  });
});

describe('stories as software: a promotion among other changes', () => {
  it('is compared again with what was changed after its comparison', async () => {
    const { source, target, story, promote, mark, payloadOf } = await world();
    const [{ story_id: live }] = (await promote([story])).stories;
    await mark(source, story, { by: 'second' });
    const team = await hold('teams', target.team.id);
    const promoting = promote([story]);
    await waitingFor('teams');
    await mark(target, live, { to: 'in between' });
    await team.release();
    await promoting;
    expect(await payloadOf(target, live)).toEqual({ by: 'second', to: 'in between' });
  });

  it('killed in the middle has changed nothing', async () => {
    const { source, target, story, storyIn, promote, bundle, mapping, mark, payloadOf, ask } = await world();
    const other = await storyIn(source, 'Other', plain({ by: 'test', to: 'all' }));
    const lives = (await promote([story, other])).stories.map(({ story_id: id }: Parsed) => id);
    for (const id of [story, other]) await mark(source, id, { by: 'second' });
    const team = await hold('teams', target.team.id);
    // The helper of tests would repeat it.
    const promoting = fetch(`${api.fabula().url}/api/v1/promotions`, {
      method: 'POST',
      headers: { 'x-user-token': target.key, 'content-type': 'application/json' },
      body: JSON.stringify({ bundle: await bundle([story, other]), mapping }),
    });
    await waitingFor('teams');
    const last = await hold('stories', lives[1]);
    await team.release();
    const connection = await waitingFor('stories');
    await stores.db.read((session) => session.run(`KILL ${connection}`, []));
    expect((await promoting).status).toBeGreaterThanOrEqual(500);
    await last.release();
    for (const id of lives) expect(await payloadOf(target, id)).toMatchObject({ by: 'test' });
    expect((await ask(target, 'GET /api/v1/promotions')).promotions).toHaveLength(1);
    expect((await promote([story, other])).stories.map(({ state }: Parsed) => state)).toEqual([
      'changed',
      'changed',
    ]);
  });
});

describe('stories as software: fabula promote', () => {
  it('shows what would change, and promotes with --apply; a bundle may be a file', async () => {
    const { source, target, story, mapping, namesIn, call } = await world();
    const folder = await mkdtemp(path.join(tmpdir(), 'promote-'));
    const [bundleFile, mappingFile] = ['bundle.json', 'mapping.json'].map((name) => path.join(folder, name));
    await writeFile(mappingFile!, JSON.stringify(mapping));
    const { url } = api.fabula();
    const env = {
      FABULA_URL: url,
      FABULA_KEY: source.key,
      FABULA_TARGET_URL: url,
      FABULA_TARGET_KEY: target.key,
    };
    const without = await runCli(['promote', String(story)], { env });
    expect(without.code).toBe(1);
    expect(without.out).toContain(`missing: team "${source.team.name}"`);
    expect(without.out).toContain('name with --mapping');
    const dry = await runCli(['promote', String(story), '--mapping', mappingFile!], { env });
    expect({ code: dry.code, err: dry.err }).toEqual({ code: 0, err: '' });
    expect(dry.out).toContain(`new "Triage" in ${target.team.name}`);
    expect(dry.out).toContain('Nothing was changed: promote with --apply.');
    expect(await namesIn(target)).toEqual([]);
    const { FABULA_KEY: _, ...targetAlone } = env;
    expect((await runCli(['promote', String(story), '--save', bundleFile!], { env })).code).toBe(0);
    const applied = [
      'promote',
      '--bundle',
      bundleFile!,
      '--mapping',
      mappingFile!,
      '--name',
      'Release 7',
      '--apply',
    ];
    const done = await runCli(applied, { env: targetAlone });
    expect(done.out).toMatch(/^promotion \d+: Release 7\n {2}new "Triage" \(story \d+\)/);
    expect(await namesIn(target)).toEqual(['Triage']);
    expect((await call(target, 'GET /api/v1/promotions')).body.promotions).toMatchObject([
      { name: 'Release 7' },
    ]);
    await rm(folder, { recursive: true });
  });
});
