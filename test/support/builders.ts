import { randomBytes } from 'node:crypto';
import type { Actor, Role } from '../../src/api/auth/actor.js';
import { createActorStore } from '../../src/api/auth/actor-store.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { createApiKeyService, type CreateKey } from '../../src/people/keys/api-key-service.js';
import { createApiKeyStore } from '../../src/people/keys/api-key-store.js';
import type { ApiKey, Membership, Team, Tenant, User } from '../../src/people/tenants/tenancy.js';
import { createTenantService, type CreateUser } from '../../src/people/tenants/tenant-service.js';
import { createTenantStore } from '../../src/people/tenants/tenant-store.js';

/** The services that builders, and tests of them, work with. */
export function tenancyOf(db: Database) {
  const store = createTenantStore(db.knex);
  return {
    tenants: createTenantService({ store }),
    keys: createApiKeyService({
      db,
      keys: createApiKeyStore(db.knex),
      tenants: store,
      limits: { apiKeysPerUser: 0, apiKeysPerTenant: 0 },
    }),
  };
}

function unique(word: string): string {
  return `${word}-${randomBytes(4).toString('hex')}`;
}

export function buildTenant(db: Database, overrides: Partial<Pick<Tenant, 'name' | 'dedicated'>> = {}) {
  return tenancyOf(db).tenants.createTenant({ name: unique('tenant'), ...overrides });
}

/** A user; of a new tenant unless `tenantId` is given. */
export async function buildUser(db: Database, overrides: Partial<CreateUser> = {}): Promise<User> {
  const tenantId = overrides.tenantId ?? (await buildTenant(db)).id;
  return tenancyOf(db).tenants.createUser({
    email: `${unique('user')}@example.test`,
    ...overrides,
    tenantId,
  });
}

/** A team; of a new tenant unless `tenantId` is given. */
export async function buildTeam(db: Database, overrides: Partial<Pick<Team, 'tenantId' | 'name'>> = {}) {
  const tenantId = overrides.tenantId ?? (await buildTenant(db)).id;
  return tenancyOf(db).tenants.createTeam({ name: unique('team'), ...overrides, tenantId });
}

export function buildMembership(db: Database, membership: Membership): Promise<Membership> {
  return tenancyOf(db).tenants.addMember(membership);
}

/** A key; a tenant key unless `kind` and what belongs to it say otherwise. */
export function buildKey(
  db: Database,
  overrides: Pick<CreateKey, 'tenantId'> & Partial<CreateKey>,
): Promise<{ key: string; record: ApiKey }> {
  return tenancyOf(db).keys.createKey({ kind: 'tenant', name: unique('key'), ...overrides });
}

/** A user with a role in a team, and its personal key. */
export interface Account {
  tenantId: number;
  team: Team;
  user: User;
  /** To be sent as `X-User-Token`. */
  key: string;
  keyId: number;
  /** The user as access rules see it. */
  actor: Actor;
}

/** An account; in a new tenant and team unless they are given. `role` is EDITOR unless given; `owner` makes an Owner. */
export async function buildAccount(
  db: Database,
  overrides: { tenantId?: number; team?: Team; role?: Role; owner?: boolean } = {},
): Promise<Account> {
  const tenantId = overrides.tenantId ?? overrides.team?.tenantId ?? (await buildTenant(db)).id;
  const team = overrides.team ?? (await buildTeam(db, { tenantId }));
  const user = await buildUser(db, { tenantId, owner: overrides.owner ?? false });
  await buildMembership(db, { teamId: team.id, userId: user.id, role: overrides.role ?? 'EDITOR' });
  const { key, record } = await buildKey(db, { tenantId, kind: 'personal', userId: user.id });
  const actor = await createActorStore(db).findByUser(user.id);
  if (actor === undefined) throw new Error('The user that was just made is not there');
  return { tenantId, team, user, key, keyId: record.id, actor: { ...actor, keyId: record.id } };
}
