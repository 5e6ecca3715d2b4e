import { buildAccount, buildUser } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const USERS = '/api/v1/admin/users';

const ids = (list: { id: number }[]) => list.map(({ id }) => id);
const owner = () => buildAccount(stores.db, { owner: true });

describe('users as public clients know them', () => {
  it('are made, read, changed and deactivated', async () => {
    const { key } = await owner();
    const body = { email: 'ada@x.test', first_name: 'Ada', admin: false, tenant_permissions: [] };
    const made = (await api.call(key, `POST ${USERS}`, body)).body;
    expect(made).toEqual({
      id: expect.any(Number),
      scim_uid: null,
      email: 'ada@x.test',
      admin: false,
      is_active: true,
      is_service_account: false,
      tenant_permissions: [],
      first_name: 'Ada',
      last_name: '',
      last_seen: null,
      created_at: TIME,
      updated_at: TIME,
    });
    const change = { ...made, last_name: 'L', admin: true };
    const changed = (await api.call(key, `PUT ${USERS}/${made.id}`, change)).body;
    expect(changed).toEqual({ ...change, updated_at: TIME });
    expect((await api.call(key, `GET ${USERS}/${made.id}`)).body).toEqual(changed);
    expect((await api.call(key, `DELETE ${USERS}/${made.id}`)).status).toBe(204);
    expect((await api.call(key, `GET ${USERS}/${made.id}`)).body.is_active).toBe(false);
  });

  it('A7 clients: say of an address that an inactive user has how the user becomes active again', async () => {
    const { key } = await owner();
    const body = { email: 'ada@x.test' };
    const { id } = (await api.call(key, `POST ${USERS}`, body)).body;
    const other = (await api.call(key, `POST ${USERS}`, { email: 'b@x.test' })).body;
    const taken = 'The tenant already has a user with this address';
    expect((await api.call(key, `POST ${USERS}`, body)).body.errors[0].message).toBe(taken);
    await api.call(key, `DELETE ${USERS}/${id}`);
    const advised = `${taken}, inactive: PUT ${USERS}/${id} {"is_active": true}`;
    const asOwn = { ...body, first_name: 'A', last_name: 'B' };
    for (const [request, sent] of [
      [`POST ${USERS}`, { email: 'ADA@x.test' }],
      ['POST /api/v1/users', asOwn],
      [`PUT ${USERS}/${other.id}`, body],
    ] as const) {
      const { status, body: response } = await api.call(key, request, sent);
      expect([status, response.errors]).toEqual([409, [{ message: advised, details: 'email' }]]);
    }
    expect((await api.call(key, `PUT ${USERS}/${id}`, { is_active: true })).body.is_active).toBe(true);
  });

  it('may be made without being active', async () => {
    const { key } = await owner();
    const body = { email: 'late@x.test', is_active: false };
    expect((await api.call(key, `POST ${USERS}`, body)).body.is_active).toBe(false);
  });

  it('are listed under the name of the path, by filter, with their roles', async () => {
    const boss = await owner();
    const member = await buildAccount(stores.db, { team: boss.team, role: 'EDITOR' });
    await buildUser(stores.db, { tenantId: boss.tenantId });
    const all = (await api.call(boss.key, `GET ${USERS}`)).body;
    expect(all['admin/users']).toHaveLength(3);
    expect(all.meta.count).toBe(3);
    const owners = (await api.call(boss.key, `GET ${USERS}?filter=TENANT_OWNER`)).body;
    expect(ids(owners['admin/users'])).toEqual([boss.user.id]);
    const list = (await api.call(boss.key, `GET ${USERS}?include=team_memberships`)).body['admin/users'];
    const roles = { team_id: boss.team.id, team_name: boss.team.name, role: 'EDITOR' };
    expect(list.find(({ id }: { id: number }) => id === member.user.id).team_memberships).toEqual([roles]);
    expect(list[2].team_memberships).toEqual([]);
  });

  it('show no roles in teams that the key does not see', async () => {
    const boss = await owner();
    const member = await buildAccount(stores.db, { team: boss.team, role: 'EDITOR' });
    const other = (await api.call(boss.key, 'POST /api/v1/teams', { name: 'Hidden' })).body;
    const members = `POST /api/v1/teams/${other.id}/members`;
    await api.call(boss.key, members, { user_id: member.user.id, role: 'VIEWER' });
    const looker = await buildAccount(stores.db, { team: boss.team, role: 'VIEWER' });
    const list = (await api.call(looker.key, `GET ${USERS}?include=team_memberships`)).body['admin/users'];
    const seen = list.find(({ id }: { id: number }) => id === member.user.id).team_memberships;
    expect(seen.map(({ team_id }: { team_id: number }) => team_id)).toEqual([boss.team.id]);
  });

  it.each([
    [{ tenant_permissions: ['AUDIT_LOG_READ'] }, 'tenant_permissions'],
    [{ scim_uid: 'x' }, 'scim_uid'],
    [{ password: 'x' }, 'password'],
    [{ email: 'none' }, 'email'],
  ])('refuse %j', async (more, place) => {
    const { key } = await owner();
    const response = await api.call(key, `POST ${USERS}`, { email: 'a@x.test', ...more });
    expect([response.status, places(response)]).toEqual([422, [place]]);
  });
});
