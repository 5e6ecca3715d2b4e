import { type Account, buildAccount } from '../support/builders.js';
import { draftWorld, entriesOf } from '../support/draft-world.js';
import { useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const withStory = draftWorld(stores, useManageApi(stores));

/** A draft whose publication was asked for. */
async function withRequest() {
  const world = await withStory();
  const { account, ask, path, draft, mark } = world;
  const colleague = await buildAccount(stores.db, { team: account.team });
  const admin = await buildAccount(stores.db, { team: account.team, role: 'TEAM_ADMIN' });
  const id = await draft();
  await mark(id, { by: 'draft' });
  const asked = await ask(`POST ${path}/change_request`, { draft_id: id, title: 'Change' });
  const change_request_id = asked.change_request.id as number;
  const approve = () => ask(`POST ${path}/change_request/approve`, { change_request_id }, colleague);
  const promote = (body: object = {}, by: Account = account) =>
    world.raw(`POST ${path}/change_request/promote`, { change_request_id, ...body }, by);
  const view = () => ask(`GET ${path}/change_request/view?draft_id=${id}`);
  return { ...world, admin, id, approve, promote, view };
}

describe('drafts: a change request', () => {
  it('needs another approval when the live story was changed after it, and shows what it would do then', async () => {
    const { story, mark, approve, promote, view, payloadOf } = await withRequest();
    expect((await approve()).status).toBe('APPROVED');
    await mark(story.id, { to: 'live' });
    const refused = await promote();
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      409,
      expect.stringContaining('The live story was changed after the approval'),
    ]);
    const seen = await view();
    expect([seen.status, seen.change_request.approved_by]).toEqual(['PENDING', null]);
    expect(seen.change_request.story_diff).toMatchObject([
      { path: 'options.payload.by', before: 'first', after: 'draft' },
    ]);
    await approve();
    expect((await promote()).body.merged).toMatchObject([{ path: 'options.payload.to' }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'draft', to: 'live' });
  });

  it('of before, whose approval names no live story, needs another one when that was changed since', async () => {
    const { story, mark, approve, promote } = await withRequest();
    await approve();
    await stores.sql('UPDATE change_requests SET approved_live = NULL');
    await mark(story.id, { to: 'live' });
    expect((await promote()).status).toBe(409);
    await approve();
    await stores.sql('UPDATE change_requests SET approved_live = NULL');
    expect((await promote()).status).toBe(200);
  });

  it('names conflicts when it is promoted; only a team admin overwrites', async () => {
    const { story, mark, approve, promote, admin, payloadOf } = await withRequest();
    await mark(story.id, { by: 'live', to: 'live' });
    await approve();
    const refused = await promote();
    expect([refused.status, entriesOf(refused.body)[0].details]).toEqual([412, 'options.payload.by']);
    const overwrite = { overwrite: true, reason: 'It must be so' };
    expect((await promote({ overwrite: true })).status).toBe(422);
    expect((await promote(overwrite)).status).toBe(403);
    const done = await promote(overwrite, admin);
    expect([done.status, done.body.overwritten.length]).toEqual([200, 2]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'draft', to: 'first' });
  });

  it('publishes what was approved: only a team admin takes the live side of a conflict', async () => {
    for (const side of ['live', 'draft'] as const) {
      const { story, mark, approve, promote, admin, payloadOf } = await withRequest();
      await mark(story.id, { by: 'live' });
      await approve();
      const [{ entry }] = entriesOf((await promote()).body);
      const resolve = [{ entry, take: side }];
      expect((await promote({ resolve })).status).toBe(side === 'live' ? 403 : 200);
      if (side === 'live') expect((await promote({ resolve }, admin)).status).toBe(200);
      expect(await payloadOf(story.id)).toMatchObject({ by: side });
    }
  });

  it('leaves a draft that has what was merged, so that its next promotion takes nothing back', async () => {
    const { ask, path, story, mark, id, promote, admin, payloadOf, agentsOf, view } = await withRequest();
    const bypass = { bypass_approval: true, bypass_approval_reason: 'test', delete_draft: false };
    await mark(story.id, { to: 'live' });
    expect((await promote(bypass, admin)).status).toBe(200);
    expect(await payloadOf(id)).toMatchObject({ by: 'draft', to: 'live' });
    const { version } = await ask(`GET ${path}/graph`);
    expect((await ask(`GET /api/v1/drafts/${id}`)).base_version).toBe(version);
    const before = await agentsOf(story.id);
    await mark(story.id, { more: 'live' });
    await mark(id, { by: 'draft again' });
    const asked = await ask(`POST ${path}/change_request`, { draft_id: id, title: 'Again' });
    expect((await view()).change_request.story_diff).toHaveLength(1);
    await promote({ ...bypass, change_request_id: asked.change_request.id }, admin);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'draft again', to: 'live', more: 'live' });
    expect((await agentsOf(story.id)).map(({ id: each }) => each)).toEqual(
      before.map(({ id: each }) => each),
    );
  });
});
