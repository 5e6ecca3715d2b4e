import Joi from 'joi';
import { type Role, ROLES } from '../../api/face.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import { valid } from '../../platform/validation/validate.js';
import { nameField } from '../users/name-field.js';
import type { Membership, Team, Tenant, User } from './tenancy.js';
import type { TenantStore } from './tenant-store.js';

const tenantInput = Joi.object<{ name: string; dedicated: boolean }>({
  name: nameField.required(),
  dedicated: Joi.boolean().default(false),
});
const userInput = Joi.object<{ email: string; firstName: string; lastName: string; owner: boolean }>({
  email: Joi.string().trim().max(255).email({ tlds: false, minDomainSegments: 1 }).required(),
  firstName: nameField.allow('').default(''),
  lastName: nameField.allow('').default(''),
  owner: Joi.boolean().default(false),
});
const teamInput = Joi.object<{ name: string }>({ name: nameField.required() });
const roleInput = Joi.object<{ role: Role }>({
  role: Joi.string()
    .valid(...ROLES)
    .required(),
});

export interface CreateUser {
  tenantId: number;
  email: string;
  firstName?: string;
  lastName?: string;
  /** May do everything in the tenant. */
  owner?: boolean;
}

/**
 * Creates the service of tenants, users, teams and members (spec §2.2). It does not check rights: the command line has
 * all of them, and routes check first. Invalid values throw Unprocessable, unknown ids NotFound.
 */
export function createTenantService({ store }: { store: TenantStore }) {
  const getTenant = async (tenantId: number): Promise<Tenant> =>
    found(await store.findTenant(tenantId), 'Tenant');
  const getTeam = async (teamId: number): Promise<Team> => found(await store.findTeam(teamId), 'Team');
  const getUser = async (tenantId: number, userId: number): Promise<User> =>
    found(await store.findUser(tenantId, userId), 'User');

  return {
    getTenant,
    getTeam,
    /** Returns the user. @throws NotFound if the user is not in this tenant. */
    getUser,
    listTenants: (): Promise<Tenant[]> => store.listTenants(),
    /** Returns all users, including service accounts of keys. */
    listUsers: (tenantId: number): Promise<User[]> => store.listUsers(tenantId),
    listTeams: (tenantId: number): Promise<Team[]> => store.listTeams(tenantId),

    async createTenant(input: { name: string; dedicated?: boolean }): Promise<Tenant> {
      return getTenant(await store.insertTenant(valid(tenantInput, input)));
    },

    /** @throws Conflict if the tenant has a user with this e-mail address. */
    async createUser({ tenantId, ...input }: CreateUser): Promise<User> {
      const { owner, ...user } = valid(userInput, input);
      await getTenant(tenantId);
      const row = { ...user, tenantId, isOwner: owner, isServiceAccount: false };
      return getUser(tenantId, await store.insertUser(row).catch(emailTaken(user.email)));
    },

    async createTeam({ tenantId, ...input }: { tenantId: number; name: string }): Promise<Team> {
      const { name } = valid(teamInput, input);
      await getTenant(tenantId);
      return getTeam(await store.insertTeam({ tenantId, name }));
    },

    /** Adds a user of the team's tenant to the team; if the user is a member, changes the role. */
    async addMember({ teamId, userId, ...input }: Membership): Promise<Membership> {
      const { role } = valid(roleInput, input);
      const team = await getTeam(teamId);
      await getUser(team.tenantId, userId);
      await store.saveMembership({ teamId, userId, role });
      return { teamId, userId, role };
    },
  };
}

function found<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new NotFound(what);
  return thing;
}

function emailTaken(email: string): (error: unknown) => never {
  return (error) => {
    if (!isDuplicateKey(error)) throw error;
    throw new Conflict([
      { message: `The tenant already has a user with the address ${email}`, details: 'email' },
    ]);
  };
}
