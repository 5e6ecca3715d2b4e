import { type Account, buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const successOf = async (account: Account, request: string, body?: unknown) => {
  const response = await api.call(account.key, request, body);
  if (response.status >= 300)
    throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
};

/** A story under change control, a draft of it with one change, and three people of its team. */
async function withDraft() {
  const author = await buildAccount(stores.db);
  const colleague = await buildAccount(stores.db, { team: author.team });
  const admin = await buildAccount(stores.db, { team: author.team, role: 'TEAM_ADMIN' });
  const story = await successOf(author, 'POST /api/v1/stories/import', {
    new_name: 'Triage',
    team_id: author.team.id,
    data: smallExport(),
  });
  const path = `/api/v1/stories/${story.id}`;
  await successOf(author, `PUT ${path}`, { change_control_enabled: true });
  const draft = await successOf(author, `POST ${path}/drafts`, { name: 'Better' });
  const agentsOf = async (id: number): Promise<Parsed[]> =>
    (await successOf(author, `GET /api/v1/stories/${id}/agents`)).agents;
  const rename = async (name: string, by = author) => {
    const [, second] = await agentsOf(draft.id);
    await successOf(by, `PUT /api/v1/actions/${second.id}`, { name });
  };
  await rename('Renamed');
  const status = async (account: Account, request: string, body?: unknown) =>
    (await api.call(account.key, `POST ${path}/change_request${request}`, body)).status;
  const ask = (body: object = {}) =>
    successOf(author, `POST ${path}/change_request`, { draft_id: draft.id, title: 'Better names', ...body });
  const view = () => successOf(author, `GET ${path}/change_request/view?draft_id=${draft.id}`);
  return { author, colleague, admin, story, path, draft, agentsOf, rename, status, ask, view };
}

it.each([[{}], [{ title: null }]])(
  'clients: a change that is asked for with %j has the name of its draft',
  async (body) => {
    const { author, path, draft } = await withDraft();
    const asked = await successOf(author, `POST ${path}/change_request`, body);
    expect(asked).toMatchObject({ draft_id: draft.id, change_request: { title: 'Better' } });
  },
);

it('shows what a draft would change, without its own addresses', async () => {
  const { ask, view, story, draft, author } = await withDraft();
  const asked = await ask({ description: 'Why' });
  expect(asked).toMatchObject({
    id: story.id,
    draft_id: draft.id,
    draft_name: 'Better',
    status: 'PENDING',
    change_request: { name: 'Better names', title: 'Better names', description: 'Why', status: 'PENDING' },
  });
  expect(asked.change_request.user_id).toBe(author.user.id);
  expect(asked.change_request.story_diff).toEqual([
    {
      kind: 'action',
      change: 'changed',
      action: 'Renamed',
      guid: expect.stringMatching(/^[0-9a-f]{32}$/),
      path: 'name',
      before: 'EventTransformation 2',
      after: 'Renamed',
    },
  ]);
  expect(asked.live_story_export.agents[1].name).toBe('EventTransformation 2');
  expect(asked.draft_export.agents[1].name).toBe('Renamed');
  const { live_story_export: _live, draft_export: _draft, ...seen } = await view();
  const { live_story_export: _other, draft_export: _copy, ...first } = asked;
  expect(seen).toEqual(first);
});

it('changes a story under change control only when it is approved by another person', async () => {
  const { author, colleague, path, agentsOf, story, draft, ask, status } = await withDraft();
  const [, live] = await agentsOf(story.id);
  const refused = await api.call(author.key, `PUT /api/v1/actions/${live.id}`, { name: 'x' });
  expect(refused.status).toBe(409);
  expect((await api.call(author.key, `POST /api/v1/drafts/${draft.id}/publish`)).status).toBe(409);
  const { change_request: request } = await ask();
  const body = { change_request_id: request.id };
  expect(await status(author, '/promote', body)).toBe(409);
  expect(await status(author, '/approve', body)).toBe(403);
  const approved = await successOf(colleague, `POST ${path}/change_request/approve`, body);
  expect(approved).toMatchObject({ status: 'APPROVED', change_request: { approved_by: colleague.user.id } });
  const promoted = await successOf(author, `POST ${path}/change_request/promote`, body);
  expect(promoted).toMatchObject({ id: story.id, change_control_enabled: true, mode: 'LIVE' });
  const after = await agentsOf(story.id);
  expect([after[1].id, after[1].name]).toEqual([live.id, 'Renamed']);
  const { story_versions: versions } = await successOf(author, `GET ${path}/versions`);
  expect(versions[0]).toMatchObject({ name: 'Better names', source: 'request' });
  expect((await successOf(author, `GET ${path}/drafts`)).drafts).toEqual([]);
  expect(await status(author, '/promote', body)).toBe(409);
});

it('needs another approval when the draft was changed after it, and not by who changed it last', async () => {
  const { author, colleague, admin, path, ask, rename, status, view } = await withDraft();
  const body = { change_request_id: (await ask()).change_request.id };
  await successOf(colleague, `POST ${path}/change_request/approve`, body);
  await rename('Changed again', colleague);
  expect(await view()).toMatchObject({ status: 'PENDING', change_request: { approved_by: null } });
  expect(await status(author, '/promote', body)).toBe(409);
  expect(await status(colleague, '/approve', body)).toBe(403);
  await successOf(admin, `POST ${path}/change_request/approve`, body);
  await successOf(author, `POST ${path}/change_request/promote`, body);
});

it('is promoted without approval by a team admin alone, with a reason that is kept', async () => {
  const { author, admin, path, ask, status } = await withDraft();
  const body = { change_request_id: (await ask()).change_request.id, bypass_approval: true };
  expect(await status(admin, '/promote', body)).toBe(422);
  const reasoned = { ...body, bypass_approval_reason: 'The server burns' };
  expect(await status(author, '/promote', reasoned)).toBe(403);
  await successOf(admin, `POST ${path}/change_request/promote`, reasoned);
  const { story_versions: versions } = await successOf(author, `GET ${path}/versions`);
  expect(versions[0].description).toBe('Without approval: The server burns');
  const [row] = await stores.db.read((session) =>
    session.rows<{ reason: string; by: number }>(
      'SELECT bypass_reason AS reason, promoted_by AS `by` FROM change_requests',
    ),
  );
  expect(row).toEqual({ reason: 'The server burns', by: admin.user.id });
});

it('leaves the draft if it is told to, and the draft changes the same actions again', async () => {
  const { author, admin, path, draft, story, agentsOf, ask, rename } = await withDraft();
  const added = await successOf(author, 'POST /api/v1/actions', {
    type: 'Agents::TriggerAgent',
    name: 'Added',
    options: { rules: [] },
    position: { x: 0, y: 0 },
    story_id: draft.id,
  });
  const promote = async () => {
    const change_request_id = (await ask()).change_request.id;
    const options = { bypass_approval: true, bypass_approval_reason: 'test', delete_draft: false };
    await successOf(admin, `POST ${path}/change_request/promote`, { change_request_id, ...options });
  };
  await promote();
  const first = await agentsOf(story.id);
  expect(first.map(({ name }) => name)).toContain('Added');
  expect(first.map(({ guid }) => guid)).not.toContain(added.guid);
  await rename('Once more');
  await promote();
  const second = await agentsOf(story.id);
  expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect(second[1].name).toBe('Once more');
});

it('is one for a draft, is cancelled, and ends with its draft', async () => {
  const { author, path, draft, ask, status, view } = await withDraft();
  const { change_request: request } = await ask();
  expect(await status(author, '', { draft_id: draft.id, title: 'Again' })).toBe(409);
  const body = { change_request_id: request.id };
  const cancelled = await successOf(author, `POST ${path}/change_request/cancel`, body);
  expect([cancelled.status, cancelled.change_request]).toEqual([null, null]);
  expect(await status(author, '/cancel', body)).toBe(409);
  expect(await status(author, '/cancel', { change_request_id: request.id + 1_000 })).toBe(404);
  await ask();
  expect((await view()).status).toBe('PENDING');
  await successOf(author, `DELETE ${path}/drafts/${draft.id}`);
  const gone = await successOf(author, `GET ${path}/change_request/view`);
  expect([gone.change_request, gone.draft_export]).toEqual([null, null]);
  expect(await status(author, '', { title: 'No draft' })).toBe(422);
  expect(await status(author, '', { draft_id: draft.id, title: 'Gone' })).toBe(404);
});

it('does not let an editor end change control', async () => {
  const { author, admin, path } = await withDraft();
  const off = { change_control_enabled: false };
  expect((await api.call(author.key, `PUT ${path}`, off)).status).toBe(403);
  await successOf(admin, `PUT ${path}`, off);
});
