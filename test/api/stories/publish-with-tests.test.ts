import { draftWorld } from '../../support/draft-world.js';
import { type Account, buildAccount, buildMembership } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const withStory = draftWorld(stores, api);

/** Holds while "Mark" keeps its payload. */
const test = {
  name: 'Marks what came',
  event: { headers: {}, body: { n: 1 } },
  expect: { events: { Mark: [{ by: 'first' }] } },
};

type World = Awaited<ReturnType<typeof withStory>>;

const EMPTY = { schema_version: 30, name: 'Triage', agents: [], links: [] };

/** An import over the story. */
const over = ({ team }: Account, { name }: Parsed) => ({
  new_name: name,
  team_id: team.id,
  mode: 'versionReplace',
});

/** A story with a test, and a draft that breaks it. `policy`: what the story says of failing tests. */
async function withBrokenDraft(policy: 'warn' | 'block' | null = null) {
  const world = await withStory();
  await world.ask(`PUT ${world.path}/tests`, { test });
  if (policy !== null) await world.ask(`PUT ${world.path}`, { tests_on_publish: policy });
  const id = await world.draft('Broken');
  await world.mark(id, { by: 'second' });
  const { team } = world.account;
  const owner = await buildAccount(stores.db, { team, owner: true });
  const admin = await buildAccount(stores.db, { team, role: 'TEAM_ADMIN' });
  return { ...world, id, owner, admin };
}

/** Asks for the publication of a broken draft, which a colleague approves. */
async function withApprovedRequest(policy: 'warn' | 'block' | null = null) {
  const world = await withBrokenDraft(policy);
  const { ask, raw, path, id, account } = world;
  const approver = await buildAccount(stores.db, { team: account.team });
  const asked = await ask(`POST ${path}/change_request`, { draft_id: id, title: 'Second' });
  const change_request_id = asked.change_request.id as number;
  const approve = () => ask(`POST ${path}/change_request/approve`, { change_request_id }, approver);
  const promote = (body: object = {}, by: Account = approver) =>
    raw(`POST ${path}/change_request/promote`, { change_request_id, ...body }, by);
  const request = async () => (await ask(`GET ${path}/change_request/view?draft_id=${id}`)).change_request;
  return { ...world, approve, promote, request };
}

const REFUSED = [
  'The story is not published: 1 test of it failed',
  `"${test.name}": Mark, event 1, by: expected "first", found "second"`,
];
const messagesOf = ({ body }: { body: Parsed }): string[] =>
  body.errors.map(({ message }: Parsed) => message);

const tests = (of: string) => Array.from({ length: 60 }, (_, at) => ({ name: `${of} ${at}`, expect: {} }));

const kept = () =>
  stores.db.read((session) =>
    session.rows<{ action: string; reason: string }>(
      'SELECT action, reason FROM audit_logs WHERE reason IS NOT NULL',
    ),
  );

describe('stories as software: a publication with tests', () => {
  it('goes on and names the tests that fail, where they warn', async () => {
    const { id, published, payloadOf, story } = await withBrokenDraft();
    const { tests } = await published(id);
    expect(tests).toMatchObject({
      passed: 0,
      failed: [{ name: test.name, because: ['Mark, event 1, by: expected "first", found "second"'] }],
    });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'second' });
  });

  it('is refused and changes nothing where they block, by the story or the tenant', async () => {
    const { id, ask, path, publish, payloadOf, story, owner } = await withBrokenDraft();
    await ask('PUT /api/v1/tenants/current/test_settings', { on_publish: 'block' }, owner);
    const refused = await publish(id);
    expect(refused.status).toBe(409);
    expect(messagesOf(refused)).toEqual(REFUSED);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
    // A story can only be stricter than its tenant.
    await ask(`PUT ${path}`, { tests_on_publish: 'warn' });
    expect((await publish(id)).status).toBe(409);
    await ask('PUT /api/v1/tenants/current/test_settings', { on_publish: 'warn' }, owner);
    expect((await publish(id)).status).toBe(200);
  });

  it('is refused to an editor who would switch failing tests off by name, and not to a team admin', async () => {
    const { raw, publish, path, id, admin } = await withBrokenDraft('block');
    for (const policy of ['warn', null]) {
      expect((await raw(`PUT ${path}`, { tests_on_publish: policy, description: 'x' })).status).toBe(403);
    }
    expect((await raw(`PUT ${path}`, { tests_on_publish: 'block', description: 'x' })).status).toBe(200);
    expect((await publish(id)).status).toBe(409);
    expect((await raw(`PUT ${path}`, { tests_on_publish: 'warn' }, admin)).status).toBe(200);
    expect((await publish(id)).status).toBe(200);
  });

  it.each([{ tests_on_publish: 'block' }, { change_control_enabled: true }])(
    'keeps a guarded story in its team for an editor who is an admin elsewhere: %j',
    async (guard) => {
      const { account, ask, path, raw } = await withStory();
      const { team, user, tenantId } = account;
      const admin = await buildAccount(stores.db, { team, role: 'TEAM_ADMIN' });
      const { team: other } = await buildAccount(stores.db, { tenantId });
      for (const { id: userId } of [user, admin.user]) {
        await buildMembership(stores.db, { teamId: other.id, userId, role: 'TEAM_ADMIN' });
      }
      await ask(`PUT ${path}`, guard);
      expect((await raw(`PUT ${path}`, { team_id: other.id })).status).toBe(403);
      expect((await raw(`PUT ${path}`, { team_id: team.id })).status).toBe(200);
      expect((await raw(`PUT ${path}`, { team_id: other.id }, admin)).status).toBe(200);
    },
  );

  const WAYS = {
    'an import over it': ({ story, account, raw }, by) =>
      raw('POST /api/v1/stories/import', { ...over(account, story), data: EMPTY }, by),
    'a new content': ({ path, raw }, by) => raw(`PUT ${path}/export`, { data: EMPTY }, by),
    'an earlier version': async ({ path, ask, raw }, by) => {
      const { story_versions: versions } = await ask(`GET ${path}/versions`);
      return raw(`POST ${path}/versions/${versions.at(-1).id}/restore`, {}, by);
    },
    'a draft': async ({ ask, raw, draft }, by) => {
      const id = await draft('Lax');
      await ask(`PUT /api/v1/stories/${id}`, { tests_on_publish: 'warn' });
      return raw(`POST /api/v1/drafts/${id}/publish`, {}, by);
    },
  } satisfies Record<string, (world: World, by: Account) => Promise<Parsed>>;

  it.each(Object.entries(WAYS))(
    'stays strict after an editor writes %s, and not after a team admin',
    async (_way, write) => {
      const world = await withStory();
      const { ask, path, account, raw } = world;
      const { team } = account;
      const admin = await buildAccount(stores.db, { team, role: 'TEAM_ADMIN' });
      await ask(`PUT ${path}`, { description: 'lax' });
      await raw(`POST ${path}/versions`, { name: 'Lax' });
      await ask(`PUT ${path}`, { tests_on_publish: 'block' });
      const kept = 'The story keeps "tests_on_publish": "block", which only a team admin can change';
      expect(await write(world, account)).toMatchObject({ body: { warnings: [kept] } });
      expect(await ask(`GET ${path}`)).toMatchObject({ tests_on_publish: 'block' });
      expect(await ask(`GET ${path}/export`)).toMatchObject({ tests_on_publish: 'block' });
      const free = await write(world, admin);
      expect([free.status < 300, free.body.warnings ?? []]).toEqual([true, []]);
      expect((await ask(`GET ${path}`)).tests_on_publish).not.toBe('block');
    },
  );

  it('counts what the live story says, so that a draft cannot switch its tests off', async () => {
    const { id, ask, publish } = await withBrokenDraft('block');
    await ask(`PUT /api/v1/stories/${id}`, { tests_on_publish: 'warn' });
    expect((await publish(id)).status).toBe(409);
  });

  it('passes over failed tests for a team admin who gives a reason, which is kept', async () => {
    const { id, raw, publish, admin } = await withBrokenDraft('block');
    expect((await publish(id, { ignore_failed_tests: true })).status).toBe(422);
    const wish = { ignore_failed_tests: true, reason: 'The old mark is wrong' };
    expect((await publish(id, wish)).status).toBe(403);
    expect((await raw(`POST /api/v1/drafts/${id}/publish`, wish, admin)).status).toBe(200);
    const passed = await eventually(async () =>
      (await kept()).find(({ action }) => action === 'draft.publish'),
    );
    expect(passed).toMatchObject({ reason: wish.reason });
  });

  it.each(['story', 'tenant'])(
    'is refused to who promotes an approved request, where the %s blocks, and the request stays',
    async (who) => {
      const { ask, owner, admin, approve, promote, request, payloadOf, story, mark, id } =
        await withApprovedRequest(who === 'story' ? 'block' : null);
      if (who === 'tenant') {
        await ask('PUT /api/v1/tenants/current/test_settings', { on_publish: 'block' }, owner);
      }
      await approve();
      const refused = await promote();
      expect([refused.status, messagesOf(refused)]).toEqual([409, REFUSED]);
      expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
      expect((await request()).approved_by).not.toBeNull();
      const wish = { ignore_failed_tests: true, reason: 'The old mark is wrong' };
      expect((await promote(wish)).status).toBe(403);
      if (who === 'tenant') {
        expect((await promote(wish, admin)).status).toBe(200);
        expect(await payloadOf(story.id)).toMatchObject({ by: 'second' });
        return;
      }
      await mark(id, { by: 'first', to: 'second' });
      await approve();
      expect((await promote()).body.tests).toMatchObject({ passed: 1, failed: [] });
      expect(await payloadOf(story.id)).toMatchObject({ by: 'first', to: 'second' });
    },
  );

  it('goes on with a promotion where failing tests warn, and names them', async () => {
    const { approve, promote, payloadOf, story } = await withApprovedRequest();
    await approve();
    const done = await promote();
    expect([done.status, done.body.tests]).toMatchObject([200, { passed: 0, failed: [{ name: test.name }] }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'second' });
  });

  it('judges the merged story: a change of another draft that is live already counts', async () => {
    const { id, ask, path, draft, mark, publish, published } = await withBrokenDraft();
    const other = await draft('Other');
    await mark(other, { to: 'else' });
    await published(id);
    await ask(`PUT ${path}`, { tests_on_publish: 'block' });
    expect((await publish(other)).status).toBe(409);
  });

  it('names the tests of the live story that a draft removes or changes, also to who approves it', async () => {
    const { id, ask, raw, path, published } = await withBrokenDraft();
    await ask(`PUT ${path}/tests?draft_id=${id}`, { test: { name: 'Lax', expect: {} }, replaces: test.name });
    await ask(`POST ${path}/change_request`, { draft_id: id });
    const { change_request: request } = await ask(`GET ${path}/change_request/view`);
    expect(request.story_diff.filter(({ kind }: Parsed) => kind === 'test')).toMatchObject([
      { change: 'added', path: 'Lax' },
      { change: 'removed', path: `["${test.name}"]` },
    ]);
    await ask(`POST ${path}/change_request/cancel`, { change_request_id: request.id });
    const { tests } = await published(id);
    expect(tests).toMatchObject({ passed: 1, failed: [], removed: [test.name], changed: [] });
    const next = (await ask(`POST ${path}/drafts`, { name: 'Next' })).id;
    await ask(`PUT ${path}/tests?draft_id=${next}`, { test: { name: 'Lax', event: {}, expect: {} } });
    expect((await published(next)).tests).toMatchObject({ removed: [], changed: ['Lax'] });
    const last = (await ask(`POST ${path}/drafts`, { name: 'Last' })).id;
    expect((await raw(`DELETE ${path}/tests?name=Lax&draft_id=${last}`)).status).toBe(204);
    const compared = await ask(`GET ${path}/drafts/${last}/diff`);
    expect(compared.tests).toEqual({ removed: ['Lax'], changed: [] });
    expect((await published(last)).tests).toEqual({
      passed: 0,
      failed: [],
      covered: 0,
      all: 0,
      removed: ['Lax'],
      changed: [],
    });
  });

  it('makes no story with more tests than an import takes', async () => {
    const { ask, raw, path, story, draft, publish } = await withStory();
    const id = await draft();
    const { agents, links } = await ask(`GET ${path}/export`);
    const data = { schema_version: 30, name: story.name, agents, links };
    await ask(`PUT ${path}/export`, { data: { ...data, fabula_tests: tests('live') } });
    for (const each of tests('draft')) await ask(`PUT ${path}/tests?draft_id=${id}`, { test: each });

    const refused = await publish(id);

    expect(refused.status).toBe(412);
    const [, conflict] = refused.body.errors;
    expect(conflict).toMatchObject({
      message: expect.stringContaining('together they would be 120 tests, and a story can have 100'),
      details: 'fabula_tests',
    });
    expect((await publish(id, { resolve: [{ entry: conflict.entry, take: 'live' }] })).status).toBe(200);
    const after = await ask(`GET ${path}/export`);
    expect(after.fabula_tests).toHaveLength(60);
    expect((await raw(`PUT /api/v1/stories/${story.id}/export`, { data: after })).status).toBe(200);
  });

  it('says nothing of tests where the story has none', async () => {
    const { draft, mark, published } = await withStory();
    const id = await draft();
    await mark(id, { by: 'second' });
    expect(await published(id)).not.toHaveProperty('tests');
  });

  it('is set for the tenant by Owners alone', async () => {
    const { ask, raw, owner, admin } = await withBrokenDraft();
    const setting = 'PUT /api/v1/tenants/current/test_settings';
    expect((await raw(setting, { on_publish: 'block' }, admin)).status).toBe(403);
    expect((await raw(setting, { on_publish: 'off' }, owner)).status).toBe(422);
    const shown = () => ask('GET /api/v1/tenants/current/test_settings');
    expect(await shown()).toEqual({ on_publish: 'warn' });
    await ask(setting, { on_publish: 'block' }, owner);
    expect(await shown()).toEqual({ on_publish: 'block' });
  });
});
