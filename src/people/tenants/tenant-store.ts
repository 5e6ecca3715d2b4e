import type { Knex } from 'knex';
import type { Role } from '../../api/face.js';
import type { Membership, Team, Tenant, User } from './tenancy.js';

interface TenantRow extends Omit<Tenant, 'dedicated'> {
  dedicated: number;
}

interface UserRow extends Omit<User, 'isOwner' | 'isServiceAccount'> {
  isOwner: number;
  isServiceAccount: number;
}

export type NewUser = Pick<
  User,
  'tenantId' | 'email' | 'firstName' | 'lastName' | 'isOwner' | 'isServiceAccount'
>;

const TENANT = {
  id: 'id',
  name: 'name',
  dedicated: 'dedicated',
  frozenAt: 'frozen_at',
  createdAt: 'created_at',
};
const TEAM = { id: 'id', tenantId: 'tenant_id', name: 'name', createdAt: 'created_at' };
const USER = {
  id: 'id',
  tenantId: 'tenant_id',
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  avatarUrl: 'avatar_url',
  isOwner: 'is_owner',
  isServiceAccount: 'is_service_account',
  createdAt: 'created_at',
};

/** Creates the store of tenants, users, teams and memberships. Inserts return the new id. */
export function createTenantStore(knex: Knex) {
  return {
    insertTenant: (tenant: Pick<Tenant, 'name' | 'dedicated'>, trx: Knex = knex) =>
      insert(trx, 'tenants', { name: tenant.name, dedicated: tenant.dedicated }),

    insertUser: (user: NewUser, trx: Knex = knex) => insert(trx, 'users', userColumns(user)),

    insertTeam: (team: Pick<Team, 'tenantId' | 'name'>, trx: Knex = knex) =>
      insert(trx, 'teams', { tenant_id: team.tenantId, name: team.name }),

    /** Adds the user to the team, or changes the role of a member. */
    saveMembership: async (membership: Membership, trx: Knex = knex): Promise<void> => {
      await trx('memberships')
        .insert({ team_id: membership.teamId, user_id: membership.userId, role: membership.role })
        .onConflict(['user_id', 'team_id'])
        .merge(['role']);
    },

    findTenant: async (id: number, trx: Knex = knex): Promise<Tenant | undefined> => {
      const row = await trx('tenants').select<TenantRow[]>(TENANT).where({ id }).first();
      return row && toTenant(row);
    },

    findUser: async (tenantId: number, id: number, trx: Knex = knex): Promise<User | undefined> => {
      const row = await trx('users').select<UserRow[]>(USER).where({ tenant_id: tenantId, id }).first();
      return row && toUser(row);
    },

    findTeam: (id: number, trx: Knex = knex): Promise<Team | undefined> =>
      trx('teams').select<Team[]>(TEAM).where({ id }).first(),

    /** Returns the team and locks it: it is not deleted before the transaction ends. */
    holdTeam: async (id: number, trx: Knex): Promise<Team | undefined> => {
      await trx('teams').where({ id }).increment('claims');
      return trx('teams').select<Team[]>(TEAM).where({ id }).first();
    },

    findRole: async (teamId: number, userId: number, trx: Knex = knex): Promise<Role | undefined> => {
      const row = await trx('memberships').select('role').where({ team_id: teamId, user_id: userId }).first();
      return (row as { role: Role } | undefined)?.role;
    },

    listTenants: async (trx: Knex = knex): Promise<Tenant[]> => {
      const rows = await trx('tenants').select<TenantRow[]>(TENANT).orderBy('id');
      return rows.map(toTenant);
    },

    listUsers: async (tenantId: number, trx: Knex = knex): Promise<User[]> => {
      const rows = await trx('users').select<UserRow[]>(USER).where({ tenant_id: tenantId }).orderBy('id');
      return rows.map(toUser);
    },

    listTeams: async (tenantId: number, trx: Knex = knex): Promise<Team[]> =>
      trx('teams').select<Team[]>(TEAM).where({ tenant_id: tenantId }).orderBy('id'),
  };
}

export type TenantStore = ReturnType<typeof createTenantStore>;

async function insert(trx: Knex, table: string, row: Record<string, unknown>): Promise<number> {
  const [id] = await trx(table).insert(row);
  if (id === undefined) throw new Error(`The insert into ${table} returned no id`);
  return id;
}

function userColumns(user: NewUser): Record<string, unknown> {
  return {
    tenant_id: user.tenantId,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    is_owner: user.isOwner,
    is_service_account: user.isServiceAccount,
  };
}

function toTenant(row: TenantRow): Tenant {
  return { ...row, dedicated: row.dedicated === 1 };
}

function toUser(row: UserRow): User {
  return { ...row, isOwner: row.isOwner === 1, isServiceAccount: row.isServiceAccount === 1 };
}
