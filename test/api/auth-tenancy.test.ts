import { apiKeyDigest } from '../../src/api/auth/api-key.js';
import { Conflict, NotFound, Unprocessable } from '../../src/platform/errors.js';
import { buildKey, buildTeam, buildTenant, buildUser, tenancyOf } from '../support/builders.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const tenants = () => tenancyOf(stores.db).tenants;
const keys = () => tenancyOf(stores.db).keys;

/** The paths of what an Unprocessable complains about. */
async function complaints(promise: Promise<unknown>): Promise<string[]> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Unprocessable);
  return (error as Unprocessable).problems.map(({ details }) => details ?? '').toSorted();
}

async function countOf(table: string): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`),
  );
  return row!.count;
}

describe('tenants', () => {
  it('are made, dedicated only when it is said', async () => {
    expect(await tenants().createTenant({ name: '  Acme ' })).toMatchObject({
      name: 'Acme',
      dedicated: false,
    });
    expect(await tenants().createTenant({ name: 'Big', dedicated: true })).toMatchObject({ dedicated: true });
    expect((await tenants().listTenants()).map(({ name }) => name)).toEqual(['Acme', 'Big']);
  });

  it('need a name that fits', async () => {
    expect(await complaints(tenants().createTenant({ name: ' ' }))).toEqual(['name']);
    expect(await complaints(tenants().createTenant({ name: 'x'.repeat(256) }))).toEqual(['name']);
    expect(await complaints(tenants().createTenant({ name: 'a\nb' }))).toEqual(['name']);
    expect(await countOf('tenants')).toBe(0);
  });
});

describe('users', () => {
  it('are made in a tenant', async () => {
    const { id: tenantId } = await buildTenant(stores.db);
    const user = await tenants().createUser({
      tenantId,
      email: 'ann@fabula.local',
      firstName: 'Ann',
      owner: true,
    });
    expect(user).toEqual({
      id: expect.any(Number),
      tenantId,
      email: 'ann@fabula.local',
      firstName: 'Ann',
      lastName: '',
      avatarUrl: '',
      isOwner: true,
      isServiceAccount: false,
      createdAt: expect.any(Date),
    });
    expect(Math.abs(Date.now() - user.createdAt.getTime())).toBeLessThan(60_000);
  });

  it('have an address of their own in the tenant, in any letter case', async () => {
    const { tenantId } = await buildUser(stores.db, { email: 'ann@example.test' });
    const again = tenants().createUser({ tenantId, email: 'ANN@example.test' });
    await expect(again).rejects.toThrow(Conflict);
    await expect(buildUser(stores.db, { email: 'ann@example.test' })).resolves.toBeDefined();
  });

  it('of a tenant that is not there are refused', async () => {
    await expect(tenants().createUser({ tenantId: 999, email: 'a@example.test' })).rejects.toThrow(
      'Tenant not found',
    );
  });

  it('with several wrong values are refused with all of them', async () => {
    const { id: tenantId } = await buildTenant(stores.db);
    const wrong = tenants().createUser({ tenantId, email: 'nobody', firstName: 'x'.repeat(300) });
    expect(await complaints(wrong)).toEqual(['email', 'firstName']);
  });

  it('of another tenant are not found', async () => {
    const user = await buildUser(stores.db);
    await expect(tenants().getUser(user.tenantId + 1, user.id)).rejects.toThrow(NotFound);
  });
});

describe('members', () => {
  it('get a role, and another one when they are added again', async () => {
    const team = await buildTeam(stores.db);
    const user = await buildUser(stores.db, { tenantId: team.tenantId });
    const member = { teamId: team.id, userId: user.id };
    expect(await tenants().addMember({ ...member, role: 'VIEWER' })).toEqual({ ...member, role: 'VIEWER' });
    await tenants().addMember({ ...member, role: 'TEAM_ADMIN' });
    const rows = await stores.db.read((session) => session.rows('SELECT role FROM memberships'));
    expect(rows).toEqual([{ role: 'TEAM_ADMIN' }]);
  });

  it('are of the team’s tenant', async () => {
    const team = await buildTeam(stores.db);
    const stranger = await buildUser(stores.db);
    const add = tenants().addMember({ teamId: team.id, userId: stranger.id, role: 'VIEWER' });
    await expect(add).rejects.toThrow('User not found');
  });

  it('have one of the three roles', async () => {
    const team = await buildTeam(stores.db);
    const user = await buildUser(stores.db, { tenantId: team.tenantId });
    const add = tenants().addMember({ teamId: team.id, userId: user.id, role: 'OWNER' as 'VIEWER' });
    expect(await complaints(add)).toEqual(['role']);
  });
});

describe('API keys', () => {
  it('are shown once: the database has the digest and the visible beginning', async () => {
    const user = await buildUser(stores.db);
    const { key, record } = await keys().createKey({
      kind: 'personal',
      tenantId: user.tenantId,
      userId: user.id,
      name: 'laptop',
      createdByUserId: user.id,
    });
    expect(record).toEqual({
      id: expect.any(Number),
      kind: 'personal',
      tenantId: user.tenantId,
      userId: user.id,
      teamId: null,
      name: 'laptop',
      prefix: key.slice(0, 10),
      createdByUserId: user.id,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.any(Date),
    });
    const rows = await stores.db.read((session) =>
      session.rows<{ digest: string }>('SELECT * FROM api_keys'),
    );
    expect(rows[0]!.digest).toBe(apiKeyDigest(key));
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('of a tenant come with a service account that is an Owner', async () => {
    const tenant = await buildTenant(stores.db);
    const { record } = await buildKey(stores.db, { tenantId: tenant.id, kind: 'tenant', name: 'CI' });
    expect(await tenants().getUser(tenant.id, record.userId)).toMatchObject({
      firstName: 'CI',
      isOwner: true,
      isServiceAccount: true,
    });
  });

  it('of a team come with a service account of that role in that team, and no Owner', async () => {
    const team = await buildTeam(stores.db);
    const { record } = await buildKey(stores.db, {
      tenantId: team.tenantId,
      kind: 'team',
      teamId: team.id,
      role: 'VIEWER',
    });
    expect(record.teamId).toBe(team.id);
    expect((await tenants().getUser(team.tenantId, record.userId)).isOwner).toBe(false);
    const rows = await stores.db.read((session) =>
      session.rows('SELECT team_id, user_id, role FROM memberships'),
    );
    expect(rows).toEqual([{ team_id: team.id, user_id: record.userId, role: 'VIEWER' }]);
  });

  it('keep the time they expire', async () => {
    const tenant = await buildTenant(stores.db);
    const expiresAt = new Date(Date.now() + 3_600_000);
    expect((await buildKey(stores.db, { tenantId: tenant.id, expiresAt })).record.expiresAt).toEqual(
      expiresAt,
    );
    const past = buildKey(stores.db, { tenantId: tenant.id, expiresAt: new Date(Date.now() - 1) });
    expect(await complaints(past)).toEqual(['expiresAt']);
  });

  it.each([
    ['a personal key without a user', { kind: 'personal' }, ['userId']],
    ['a team key without team and role', { kind: 'team' }, ['role', 'teamId']],
    ['a tenant key with a role', { kind: 'tenant', role: 'EDITOR' }, ['role']],
    ['an unknown kind', { kind: 'root' }, ['kind']],
    ['a key without a name', { kind: 'tenant', name: '' }, ['name']],
  ])('refuse %s', async (_what, input, paths) => {
    const tenant = await buildTenant(stores.db);
    const made = keys().createKey({ tenantId: tenant.id, name: 'k', ...input } as Parameters<
      ReturnType<typeof keys>['createKey']
    >[0]);
    expect(await complaints(made)).toEqual(paths);
  });

  it('of a team or user of another tenant are not found, and leave no service account behind', async () => {
    const tenant = await buildTenant(stores.db);
    const team = await buildTeam(stores.db);
    const stranger = await buildUser(stores.db);
    const before = await countOf('users');
    const forTeam = buildKey(stores.db, {
      tenantId: tenant.id,
      kind: 'team',
      teamId: team.id,
      role: 'EDITOR',
    });
    await expect(forTeam).rejects.toThrow('Team not found');
    const forUser = buildKey(stores.db, { tenantId: tenant.id, kind: 'personal', userId: stranger.id });
    await expect(forUser).rejects.toThrow('User not found');
    expect(await countOf('users')).toBe(before);
    expect(await countOf('api_keys')).toBe(0);
  });

  it('are not made for a service account: it has its one key', async () => {
    const tenant = await buildTenant(stores.db);
    const { record } = await buildKey(stores.db, { tenantId: tenant.id });
    const second = buildKey(stores.db, { tenantId: tenant.id, kind: 'personal', userId: record.userId });
    await expect(second).rejects.toThrow('User not found');
  });

  it('are listed in the order they were made, of one tenant only', async () => {
    const tenant = await buildTenant(stores.db);
    await buildKey(stores.db, { tenantId: (await buildTenant(stores.db)).id });
    for (const name of ['b', 'a']) await buildKey(stores.db, { tenantId: tenant.id, name });
    expect((await keys().listKeys(tenant.id)).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('are revoked for good, by their own tenant', async () => {
    const tenant = await buildTenant(stores.db);
    const { record } = await buildKey(stores.db, { tenantId: tenant.id });
    await expect(keys().revokeKey({ tenantId: tenant.id + 1, keyId: record.id })).rejects.toThrow(NotFound);
    const revoked = await keys().revokeKey({ tenantId: tenant.id, keyId: record.id });
    expect(revoked.revokedAt).toBeInstanceOf(Date);
    expect(await keys().revokeKey({ tenantId: tenant.id, keyId: record.id })).toEqual(revoked);
  });
});
