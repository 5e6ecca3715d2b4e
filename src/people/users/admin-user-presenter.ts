import Joi from 'joi';
import { component, idSchema, responseSchema, ROLES, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { TeamMembership, UserRecord } from './user-store.js';

/** A user, and its roles in teams if they were asked for. */
export interface AdminUser {
  user: UserRecord;
  memberships?: TeamMembership[];
}

const adminUserKeys = responseSchema({
  id: idSchema,
  scim_uid: Joi.valid(null).description('Always null; SCIM is not supported'),
  email: Joi.string(),
  admin: Joi.boolean().description('An Owner of the tenant'),
  is_active: Joi.boolean().description('false if the keys of the user are rejected'),
  is_service_account: Joi.boolean(),
  tenant_permissions: Joi.array().length(0).description('Always empty; roles are per team'),
  first_name: Joi.string().allow(''),
  last_name: Joi.string().allow(''),
  last_seen: timeSchema
    .allow(null)
    .description('Last request with a key of the user, to the minute; null if none'),
  created_at: timeSchema,
  updated_at: timeSchema,
}).keys({
  team_memberships: Joi.array()
    .items(
      responseSchema({
        team_id: idSchema,
        team_name: Joi.string().description('The name of the team'),
        role: Joi.string().valid(...ROLES),
      }),
    )
    .description('The roles of the user in teams; only with `include=team_memberships`'),
});

/** Schema of the result of `presentAdminUser`. */
export const adminUserSchema = component('AdminUser', adminUserKeys);

/** An example that `adminUserSchema` allows. */
export const adminUserExample = {
  id: 3,
  scim_uid: null,
  email: 'ada@example.com',
  admin: true,
  is_active: true,
  is_service_account: false,
  tenant_permissions: [],
  first_name: 'Ada',
  last_name: 'Lovelace',
  last_seen: '2026-11-24T08:12:00Z',
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** Returns a user as public clients know it. */
export function presentAdminUser({ user, memberships }: AdminUser) {
  return {
    id: user.id,
    scim_uid: null,
    email: user.email,
    admin: user.isOwner,
    is_active: user.deactivatedAt === null,
    is_service_account: user.isServiceAccount,
    tenant_permissions: [],
    first_name: user.firstName,
    last_name: user.lastName,
    last_seen: user.lastSeenAt && timestamp(user.lastSeenAt),
    created_at: timestamp(user.createdAt),
    updated_at: timestamp(user.updatedAt),
    ...(memberships && {
      team_memberships: memberships.map(({ teamId, teamName, role }) => ({
        team_id: teamId,
        team_name: teamName,
        role,
      })),
    }),
  };
}
