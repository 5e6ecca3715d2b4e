import { draftWorld } from '../../support/draft-world.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { useManageApi } from '../../support/manage-api.js';
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
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'The story is not published: 1 test of it failed',
      `"${test.name}": Mark, event 1, by: expected "first", found "second"`,
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
    await ask(`PUT ${path}`, { tests_on_publish: 'warn' });
    expect((await publish(id)).status).toBe(200);
  });

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

  it('judges the merged story: a change of another draft that is live already counts', async () => {
    const { id, ask, path, draft, mark, publish, published } = await withBrokenDraft();
    const other = await draft('Other');
    await mark(other, { to: 'else' });
    await published(id);
    await ask(`PUT ${path}`, { tests_on_publish: 'block' });
    expect((await publish(other)).status).toBe(409);
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
