import Joi from 'joi';
import { idSchema, responseSchema, ROLES, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { Member } from './member-store.js';

/** A role in a team, in requests and responses. */
export const roleField = Joi.string().valid(...ROLES);

/** Schema of the result of `presentMember`. */
export const memberResponse = responseSchema({
  id: idSchema.description('Same as `user_id`'),
  team_id: idSchema,
  user_id: idSchema,
  email: Joi.string(),
  first_name: Joi.string().allow(''),
  last_name: Joi.string().allow(''),
  is_admin: Joi.boolean().description('An Owner of the tenant'),
  is_service_account: Joi.boolean(),
  role: roleField,
  invitation_accepted: Joi.boolean()
    .valid(true)
    .description('Always true; members belong to the team immediately'),
  last_seen: timeSchema
    .allow(null)
    .description('Last request with a key of the user, to the minute; null if none'),
  created_at: timeSchema.description('Start of the membership'),
});

/** An example that `memberResponse` allows. */
export const memberExample = {
  id: 3,
  team_id: 2,
  user_id: 3,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  is_admin: false,
  is_service_account: false,
  role: 'EDITOR',
  invitation_accepted: true,
  last_seen: '2026-11-24T08:12:00Z',
  created_at: '2026-11-21T09:30:00Z',
};

/** Returns a member as the API shows it. */
export function presentMember(member: Member) {
  return {
    id: member.userId,
    team_id: member.teamId,
    user_id: member.userId,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    is_admin: member.isOwner,
    is_service_account: member.isServiceAccount,
    role: member.role,
    invitation_accepted: true,
    last_seen: member.lastSeenAt && timestamp(member.lastSeenAt),
    created_at: timestamp(member.createdAt),
  };
}
