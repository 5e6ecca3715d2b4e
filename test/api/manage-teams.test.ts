import { buildAccount, buildKey, buildTeam, buildUser } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const owner = () => buildAccount(stores.db, { owner: true });
const names = (list: { name: string }[]) => list.map(({ name }) => name);

/** Returns the tables that hold something of the team. */
async function tablesWith(teamId: number): Promise<string[]> {
  const tables = ['stories', 'folders', 'record_types', 'cases', 'credentials', 'resources', 'api_keys'];
  const queries = tables.map((table) => `SELECT '${table}' AS name FROM ${table} WHERE team_id = ${teamId}`);
  const rows = await stores.db.read((session) => session.rows<{ name: string }>(queries.join(' UNION ')));
  return names(rows);
}

/** Makes the call while the team is deleted: the deletion is done when the call has come to wait for it. */
async function duringDeletion<T>(teamId: number, call: () => Promise<T>): Promise<T> {
  let answered = false;
  const calling = stores.db.transaction(async (session) => {
    await session.run('DELETE FROM teams WHERE id = ?', [teamId]);
    const response = call().finally(() => (answered = true));
    await eventually(async () => answered || (await isWaited()));
    return { response };
  });
  return (await calling).response;
}

/** Whether somebody waits for the row of a team. */
async function isWaited(): Promise<boolean> {
  const rows = await stores.db.read((session) =>
    session.rows(
      `SELECT 1 FROM information_schema.PROCESSLIST
       WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info REGEXP 'update .?teams.? set .?claims|teams.*share mode'`,
    ),
  );
  return rows.length > 0;
}

describe('teams', () => {
  it('are made and renamed by an Owner, key by key', async () => {
    const { key } = await owner();
    const team = (await api.call(key, 'POST /api/v1/teams', { name: 'Blue' })).body;
    expect(team).toEqual({
      id: expect.any(Number),
      name: 'Blue',
      groups: [],
      created_at: TIME,
      updated_at: TIME,
    });
    expect((await api.call(key, `GET /api/v1/teams/${team.id}`)).body).toEqual(team);
    for (const method of ['PUT', 'PATCH']) {
      const renamed = await api.call(key, `${method} /api/v1/teams/${team.id}`, { name: method });
      expect(renamed.body).toEqual({ ...team, name: method, updated_at: TIME });
    }
    expect((await api.call(key, `DELETE /api/v1/teams/${team.id}`)).status).toBe(204);
    expect((await api.call(key, `GET /api/v1/teams/${team.id}`)).status).toBe(404);
  });

  it('are listed as far as they may be seen, in pages', async () => {
    const boss = await owner();
    const member = await buildAccount(stores.db, { team: boss.team });
    await buildTeam(stores.db, { tenantId: boss.tenantId, name: 'Hidden' });
    const mine = (await api.call(member.key, 'GET /api/v1/teams')).body;
    expect(names(mine.teams)).toEqual([boss.team.name]);
    const page = (await api.call(boss.key, 'GET /api/v1/teams?per_page=1&page=2')).body;
    expect(names(page.teams)).toEqual(['Hidden']);
    expect(page.meta).toEqual({
      current_page: `${api.fabula().url}/api/v1/teams?per_page=1&page=2`,
      previous_page: `${api.fabula().url}/api/v1/teams?per_page=1&page=1`,
      next_page: null,
      next_page_number: null,
      per_page: 1,
      pages: 2,
      count: 2,
    });
  });

  it('are listed and sent back as public clients do', async () => {
    const { key, team } = await owner();
    const list = await api.call(key, 'GET /api/v1/teams?include_personal_teams=True');
    expect(list.body.teams[0].groups).toEqual([]);
    const renamed = { ...list.body.teams[0], name: 'New' };
    expect((await api.call(key, `PUT /api/v1/teams/${team.id}`, renamed)).body.name).toBe('New');
    const grouped = await api.call(key, `PUT /api/v1/teams/${team.id}`, { name: 'New', groups: [{ id: 1 }] });
    expect(grouped.body.errors).toEqual([
      { message: '"groups" is not supported here: teams have no groups', details: 'groups' },
    ]);
  });

  it('with something in them are not deleted', async () => {
    const { key, team } = await owner();
    await api.call(key, 'POST /api/v1/stories/import', { new_name: 'S', data: smallExport() });
    await api.call(key, 'POST /api/v1/global_resources', { name: 'r', value: 'x' });
    const { status, body } = await api.call(key, `DELETE /api/v1/teams/${team.id}`);
    expect([status, body.errors[0].message]).toEqual([409, 'The team still has 1 stories, 1 resources']);
  });

  it.each([
    ['POST', 'v1/stories/import', { new_name: 'S', data: smallExport() }],
    ['POST', 'v1/folders', { name: 'F' }],
    ['POST', 'v1/record_types', { name: 'R', fields: [] }],
    ['POST', 'v2/cases', { name: 'C' }],
    ['POST', 'v1/credentials', { name: 'c', value: 'x' }],
    ['POST', 'v1/credentials', { name: 'c', mode: 'fabula', key: { kind: 'team', role: 'EDITOR' } }],
    ['POST', 'v1/global_resources', { name: 'r', value: 'x' }],
    ['POST', 'v1/api_keys', { kind: 'team', name: 'k', role: 'EDITOR' }],
    ['PUT', 'v2/cases', {}],
    ['PUT', 'v1/global_resources', {}],
  ])('that are being deleted get nothing more: %s %s', async (method, path, body) => {
    const boss = await owner();
    const { id: team_id } = (await api.call(boss.key, 'POST /api/v1/teams', { name: 'Gone' })).body;
    let url = `/api/${path}`;
    if (method === 'PUT') {
      const thing = {
        name: 'x',
        team_id: boss.team.id,
        ...(path === 'v1/global_resources' && { value: 'x' }),
      };
      const { id, case_id } = (await api.call(boss.key, `POST ${url}`, thing)).body;
      url = `${url}/${id ?? case_id}`;
    }
    const response = await duringDeletion(team_id, () =>
      api.call(boss.key, `${method} ${url}`, { ...body, team_id }),
    );
    expect([response.status, response.body]).toEqual([404, { errors: [{ message: 'Team not found' }] }]);
    expect(await tablesWith(team_id)).toEqual([]);
  });

  it('end their keys when they are deleted', async () => {
    const { key, tenantId } = await owner();
    const { id: teamId } = (await api.call(key, 'POST /api/v1/teams', { name: 'Gone' })).body;
    const made = await buildKey(stores.db, { tenantId, kind: 'team', teamId, role: 'EDITOR' });
    expect((await api.call(made.key, 'GET /api/v1/teams')).status).toBe(200);
    await api.call(key, `DELETE /api/v1/teams/${teamId}`);
    expect((await api.call(made.key, 'GET /api/v1/teams')).status).toBe(401);
    expect((await api.call(key, `GET /api/v1/users/${made.record.userId}`)).body.active).toBe(false);
  });
});

describe('members', () => {
  it('are added, listed, given other roles and removed by a TEAM_ADMIN', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const user = await buildUser(stores.db, { tenantId: admin.tenantId, firstName: 'Ada' });
    const members = `/api/v1/teams/${admin.team.id}/members`;
    const added = (await api.call(admin.key, `POST ${members}`, { user_id: user.id, role: 'VIEWER' })).body;
    expect(added).toEqual({
      id: user.id,
      team_id: admin.team.id,
      user_id: user.id,
      email: user.email,
      first_name: 'Ada',
      last_name: '',
      is_admin: false,
      is_service_account: false,
      role: 'VIEWER',
      invitation_accepted: true,
      last_seen: null,
      created_at: TIME,
    });
    const { key } = await buildKey(stores.db, {
      tenantId: admin.tenantId,
      kind: 'personal',
      userId: user.id,
    });
    expect((await api.call(key, 'POST /api/v1/folders', { name: 'F' })).status).toBe(403);
    const url = `${members}/${user.id}`;
    const changed = (await api.call(admin.key, `PUT ${url}`, { role: 'EDITOR' })).body;
    // Its key is in use by now.
    expect({ ...changed, last_seen: null }).toEqual({ ...added, role: 'EDITOR' });
    expect((await api.call(key, 'POST /api/v1/folders', { name: 'F' })).status).toBe(201);
    expect((await api.call(key, `GET ${members}`)).body.members).toHaveLength(2);
    expect((await api.call(admin.key, `DELETE ${url}`)).status).toBe(204);
    expect((await api.call(admin.key, `DELETE ${url}`)).status).toBe(404);
    expect((await api.call(key, `GET ${members}`)).status).toBe(404);
  });

  it('A14 clients: who is a member already is the response of an invitation, and stays as it is', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const user = await buildUser(stores.db, { tenantId: admin.tenantId });
    const team = `/api/v1/teams/${admin.team.id}`;
    const invite = (body: object) => api.call(admin.key, `POST ${team}/invite_member`, body);
    const first = await invite({ user_id: user.id, role: 'EDITOR' });
    for (const body of [{ user_id: user.id }, { email: user.email }, { email: user.email, role: 'EDITOR' }]) {
      const again = await invite(body);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    const other = await invite({ user_id: user.id, role: 'TEAM_ADMIN' });
    const message = `The user is already a member with the role EDITOR; change it with PUT ${team}/members/${user.id}`;
    expect([other.status, other.body.errors]).toEqual([409, [{ message, details: 'role' }]]);
    expect((await api.call(admin.key, `GET ${team}/members`)).body.meta.count).toBe(2);
  });

  it('are invited and removed by their user, as public clients do', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const user = await buildUser(stores.db, { tenantId: admin.tenantId });
    const team = `/api/v1/teams/${admin.team.id}`;
    const invited = await api.call(admin.key, `POST ${team}/invite_member`, { user_id: user.id });
    expect(invited.body).toMatchObject({ id: user.id, role: 'VIEWER', invitation_accepted: true });
    const removed = await api.call(admin.key, `POST ${team}/remove_member`, { user_id: user.id });
    expect(removed.body).toEqual({ deleted_id: user.id });
    expect((await api.call(admin.key, `POST ${team}/remove_member`, { user_id: user.id })).status).toBe(404);
  });

  it('that use a key say when they were seen last', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const members = `GET /api/v1/teams/${admin.team.id}/members`;
    await eventually(async () => (await api.call(admin.key, members)).body.members[0].last_seen !== null);
    expect((await api.call(admin.key, members)).body.members[0].last_seen).toEqual(TIME);
  });

  it('sent back whole change their role only', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const user = await buildUser(stores.db, { tenantId: admin.tenantId });
    const members = `/api/v1/teams/${admin.team.id}/members`;
    const body = { user_id: user.id, role: 'VIEWER' };
    const member = (await api.call(admin.key, `POST ${members}`, body)).body;
    const change = { ...member, role: 'EDITOR', email: 'b@x.test' };
    const changed = await api.call(admin.key, `PUT ${members}/${user.id}`, change);
    expect(changed.body).toEqual({ ...member, role: 'EDITOR' });
  });

  it('are known by their address too, and only once', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const user = await buildUser(stores.db, { tenantId: admin.tenantId });
    const members = `/api/v1/teams/${admin.team.id}/members`;
    const body = { email: user.email.toUpperCase(), role: 'EDITOR' };
    expect((await api.call(admin.key, `POST ${members}`, body)).body.user_id).toBe(user.id);
    expect((await api.call(admin.key, `POST ${members}`, body)).status).toBe(409);
  });

  it('are not mistaken for people whose address has another accent', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    await buildUser(stores.db, { tenantId: admin.tenantId, email: 'jose@example.test' });
    const members = `/api/v1/teams/${admin.team.id}/members`;
    const response = await api.call(admin.key, `POST ${members}`, {
      email: 'josé@example.test',
      role: 'VIEWER',
    });
    expect([response.status, places(response)]).toEqual([422, ['email']]);
    expect((await api.call(admin.key, `GET ${members}`)).body.members).toHaveLength(1);
  });

  it('of another tenant cannot be named, and service accounts are not changed', async () => {
    const admin = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const stranger = await buildUser(stores.db);
    const members = `/api/v1/teams/${admin.team.id}/members`;
    for (const [person, place] of [
      [{ user_id: stranger.id }, 'user_id'],
      [{ email: stranger.email }, 'email'],
    ] as const) {
      const response = await api.call(admin.key, `POST ${members}`, { ...person, role: 'EDITOR' });
      expect([response.status, places(response)]).toEqual([422, [place]]);
    }
    expect((await api.call(admin.key, `POST ${members}`, { role: 'EDITOR' })).status).toBe(422);
    const { tenantId, team } = admin;
    const { record } = await buildKey(stores.db, { tenantId, kind: 'team', teamId: team.id, role: 'EDITOR' });
    expect((await api.call(admin.key, `DELETE ${members}/${record.userId}`)).status).toBe(409);
    expect((await api.call(admin.key, `PUT ${members}/${record.userId}`, { role: 'VIEWER' })).status).toBe(
      409,
    );
  });
});

describe('users', () => {
  it('are made and changed by an Owner, key by key', async () => {
    const { key } = await owner();
    const made = (await api.call(key, 'POST /api/v1/users', { email: 'ada@x.test', first_name: 'Ada' })).body;
    expect(made).toEqual({
      id: expect.any(Number),
      email: 'ada@x.test',
      first_name: 'Ada',
      last_name: '',
      avatar_url: '',
      is_owner: false,
      is_service_account: false,
      active: true,
      created_at: TIME,
      updated_at: TIME,
    });
    const change = { email: 'a@x.test', last_name: 'L', avatar_url: 'https://x.test/a.png', is_owner: true };
    const changed = (await api.call(key, `PATCH /api/v1/users/${made.id}`, change)).body;
    expect(changed).toEqual({ ...made, ...change, updated_at: TIME });
    expect((await api.call(key, `GET /api/v1/users/${made.id}`)).body).toEqual(changed);
    expect((await api.call(key, 'GET /api/v1/users?search=a@x.t')).body.users).toEqual([changed]);
    expect((await api.call(key, 'POST /api/v1/users', { email: 'A@x.test' })).status).toBe(409);
  });

  it('see themselves, and who shares a team with them', async () => {
    const boss = await owner();
    const one = await buildAccount(stores.db, { team: boss.team, role: 'VIEWER' });
    const other = await buildAccount(stores.db, { tenantId: boss.tenantId });
    expect((await api.call(one.key, 'GET /api/v1/users/me')).body).toMatchObject({ id: one.user.id });
    const seen = (await api.call(one.key, 'GET /api/v1/users')).body.users as { id: number }[];
    expect(seen.map(({ id }) => id)).toEqual([boss.user.id, one.user.id]);
    expect((await api.call(one.key, `GET /api/v1/users/${other.user.id}`)).status).toBe(404);
    expect((await api.call(boss.key, 'GET /api/v1/users')).body.meta.count).toBe(3);
  });

  it('that are deactivated are refused with every key, until they are taken back', async () => {
    const boss = await owner();
    const one = await buildAccount(stores.db, { team: boss.team });
    expect((await api.call(boss.key, `DELETE /api/v1/users/${one.user.id}`)).status).toBe(204);
    expect((await api.call(one.key, 'GET /api/v1/users/me')).status).toBe(401);
    expect((await api.call(boss.key, `GET /api/v1/users/${one.user.id}`)).body.active).toBe(false);
    await api.call(boss.key, `PUT /api/v1/users/${one.user.id}`, { active: true });
    expect((await api.call(one.key, 'GET /api/v1/users/me')).status).toBe(200);
  });

  it('keep one Owner at least, also when two step down at once', async () => {
    const boss = await owner();
    const url = `/api/v1/users/${boss.user.id}`;
    expect((await api.call(boss.key, `DELETE ${url}`)).status).toBe(409);
    expect((await api.call(boss.key, `PUT ${url}`, { is_owner: false })).status).toBe(409);
    const second = await buildAccount(stores.db, { team: boss.team, owner: true });
    const responses = await Promise.all([
      api.call(boss.key, `PUT ${url}`, { is_owner: false }),
      api.call(second.key, `PUT /api/v1/users/${second.user.id}`, { is_owner: false }),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it.each([
    [{ email: 'none' }, 'email'],
    [{ email: 'a@x.test', avatar_url: 'javascript:alert(1)' }, 'avatar_url'],
    [{ email: 'a@x.test', password: 'x' }, 'password'],
  ])('refuse %j', async (body, place) => {
    const { key } = await owner();
    const response = await api.call(key, 'POST /api/v1/users', body);
    expect([response.status, places(response)]).toEqual([422, [place]]);
  });
});

describe('API keys', () => {
  const KEYS = '/api/v1/api_keys';

  it('are made once, shown once, and work', async () => {
    const { key, user, team } = await owner();
    const made = (
      await api.call(key, `POST ${KEYS}`, { kind: 'team', name: 'Bridge', team_id: team.id, role: 'EDITOR' })
    ).body;
    const { key: secret, ...rest } = made;
    expect(secret).toMatch(/^fab_/);
    expect(rest).toEqual({
      id: expect.any(Number),
      kind: 'team',
      name: 'Bridge',
      prefix: secret.slice(0, 10),
      user_id: expect.any(Number),
      team_id: team.id,
      created_by_user_id: user.id,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: TIME,
    });
    expect((await api.call(key, `GET ${KEYS}/${made.id}`)).body).toEqual(rest);
    expect((await api.call(secret, 'POST /api/v1/folders', { name: 'F' })).body.team_id).toBe(team.id);
    expect((await api.call(secret, 'GET /api/v1/users/me')).body).toMatchObject({
      id: rest.user_id,
      is_service_account: true,
    });
  });

  it('end at once when they are revoked, with their service account', async () => {
    const { key, team } = await owner();
    const made = (
      await api.call(key, `POST ${KEYS}`, { kind: 'tenant', name: 'All', expires_at: '2099-01-01' })
    ).body;
    expect(made.expires_at).toBe('2099-01-01T00:00:00Z');
    expect((await api.call(made.key, `GET /api/v1/teams/${team.id}`)).status).toBe(200);
    expect((await api.call(key, `DELETE ${KEYS}/${made.id}`)).status).toBe(204);
    expect((await api.call(made.key, 'GET /api/v1/teams')).status).toBe(401);
    expect((await api.call(key, `DELETE ${KEYS}/${made.id}`)).status).toBe(204);
    expect((await api.call(key, `GET ${KEYS}/${made.id}`)).body.revoked_at).toEqual(TIME);
    expect((await api.call(key, `GET /api/v1/users/${made.user_id}`)).body.active).toBe(false);
  });

  it('that are personal are their user’s alone', async () => {
    const boss = await owner();
    const one = await buildAccount(stores.db, { team: boss.team, role: 'VIEWER' });
    const made = (await api.call(one.key, `POST ${KEYS}`, { kind: 'personal', name: 'Mine' })).body;
    expect(made.user_id).toBe(one.user.id);
    const list = (await api.call(one.key, `GET ${KEYS}`)).body.api_keys as { id: number }[];
    expect(list.map(({ id }) => id)).toEqual([one.keyId, made.id]);
    for (const method of ['GET', 'DELETE']) {
      expect((await api.call(boss.key, `${method} ${KEYS}/${made.id}`)).status).toBe(404);
    }
    expect((await api.call(boss.key, `GET ${KEYS}`)).body.meta.count).toBe(1);
    expect((await api.call(one.key, `DELETE ${KEYS}/${made.id}`)).status).toBe(204);
  });

  it('that are personal take nothing from their user when they are revoked, not even twice', async () => {
    const one = await buildAccount(stores.db, { role: 'EDITOR' });
    const made = (await api.call(one.key, `POST ${KEYS}`, { kind: 'personal', name: 'Second' })).body;
    const revoke = () => api.call(one.key, `DELETE ${KEYS}/${made.id}`);
    expect((await revoke()).status).toBe(204);
    const { revoked_at } = (await api.call(one.key, `GET ${KEYS}/${made.id}`)).body;
    expect((await revoke()).status).toBe(204);
    expect((await api.call(one.key, `GET ${KEYS}/${made.id}`)).body.revoked_at).toBe(revoked_at);
    expect((await api.call(made.key, 'GET /api/v1/teams')).status).toBe(401);
    expect(names((await api.call(one.key, 'GET /api/v1/teams')).body.teams)).toEqual([one.team.name]);
    expect((await api.call(one.key, 'POST /api/v1/folders', { name: 'F' })).status).toBe(201);
    expect((await api.call(one.key, 'GET /api/v1/users/me')).body.active).toBe(true);
  });

  it('of the tenant and of teams are the Owners’ alone; a service account has no personal key', async () => {
    const boss = await owner();
    const admin = await buildAccount(stores.db, { team: boss.team, role: 'TEAM_ADMIN' });
    const team = { kind: 'team', name: 'x', team_id: boss.team.id, role: 'VIEWER' };
    expect((await api.call(admin.key, `POST ${KEYS}`, team)).status).toBe(403);
    expect((await api.call(admin.key, `POST ${KEYS}`, { kind: 'tenant', name: 'x' })).status).toBe(403);
    const { key } = await buildKey(stores.db, { tenantId: boss.tenantId });
    expect((await api.call(key, `POST ${KEYS}`, team)).status).toBe(201);
    expect((await api.call(key, `POST ${KEYS}`, { kind: 'personal', name: 'x' })).status).toBe(403);
  });

  it.each([
    [{ kind: 'team', name: 'x' }, ['team_id', 'role']],
    [{ kind: 'tenant', name: 'x', role: 'VIEWER' }, ['role']],
    [{ kind: 'personal', name: 'x', expires_at: '2001-01-01' }, ['expires_at']],
    [{ kind: 'other', name: '' }, ['kind', 'name']],
  ])('refuse %j', async (body, wrong) => {
    const { key } = await owner();
    const response = await api.call(key, `POST ${KEYS}`, body);
    expect([response.status, places(response)]).toEqual([422, wrong]);
  });
});
