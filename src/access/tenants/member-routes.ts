import Joi from 'joi';
import { ROLES, type Role } from '../auth/actor.js';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../../api/page-meta.js';
import { idField } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { timestamp } from '../../platform/text/timestamp.js';
import type { MemberService } from './member-service.js';
import type { Member } from './member-store.js';

interface Services {
  members: MemberService;
}

interface TeamParams {
  team_id: number;
}

interface MemberParams extends TeamParams {
  user_id: number;
}

interface NewMemberBody {
  user_id?: number;
  email?: string;
  role: Role;
}

const teamParams = Joi.object<TeamParams>({ team_id: idField.required() });
const memberParams = Joi.object<MemberParams>({ team_id: idField.required(), user_id: idField.required() });
const roleField = Joi.string().valid(...ROLES);

const memberAnswer = answerSchema({
  team_id: idSchema,
  user_id: idSchema,
  email: Joi.string(),
  first_name: Joi.string().allow(''),
  last_name: Joi.string().allow(''),
  is_service_account: Joi.boolean(),
  role: roleField,
  created_at: timeSchema.description('Since when the user is a member'),
});

const example = {
  team_id: 2,
  user_id: 3,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  is_service_account: false,
  role: 'EDITOR',
  created_at: '2026-11-21T09:30:00Z',
};

function present(member: Member) {
  return {
    team_id: member.teamId,
    user_id: member.userId,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    is_service_account: member.isServiceAccount,
    role: member.role,
    created_at: timestamp(member.createdAt),
  };
}

/** Endpoints of the members of a team (spec §2.6). */
export const memberRoutes: AnyRoute<Services>[] = [
  defineRoute<TeamParams, PageQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/teams/:team_id/members',
    summary: 'List the members of a team',
    params: teamParams,
    query: Joi.object<PageQuery>(pageKeys),
    docs: {
      tag: 'Teams',
      description: 'Service accounts of team keys included; oldest membership first.',
      response: listSchema('members', memberAnswer),
      example: {
        params: { team_id: 2 },
        response: { members: [example], meta: exampleMeta('/api/v1/teams/2/members') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { members }) {
      const { items, total } = await members.list(actor, params.team_id, windowOf(query));
      return { members: items.map(present), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<TeamParams, unknown, NewMemberBody, Services>({
    method: 'post',
    path: '/api/v1/teams/:team_id/members',
    summary: 'Add a member to a team',
    status: 201,
    params: teamParams,
    body: Joi.object<NewMemberBody>({
      user_id: idField,
      email: Joi.string().trim().max(255),
      role: roleField.required(),
    }).xor('user_id', 'email'),
    audit: 'member.add',
    docs: {
      tag: 'Teams',
      description: 'For TEAM_ADMINs. The user is of the tenant, named by `user_id` or by `email`.',
      response: memberAnswer,
      example: {
        params: { team_id: 2 },
        body: { email: 'ada@example.com', role: 'EDITOR' },
        response: example,
      },
      errors: [400, 403, 404, 409, 415, 422],
    },
    check: ({ actor, params, body: { user_id: userId, email } }, { members }) =>
      members.checkAdd(actor, params.team_id, { userId, email }),
    async handle({ actor, params, body }, { members }) {
      const { user_id: userId, email, role } = body;
      return present(await members.add(actor, params.team_id, { userId, email, role }));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<MemberParams, unknown, { role: Role }, Services>({
      method,
      path: '/api/v1/teams/:team_id/members/:user_id',
      summary: 'Change the role of a member',
      params: memberParams,
      body: Joi.object({ role: roleField.required() }),
      audit: 'member.update',
      docs: {
        tag: 'Teams',
        description: 'For TEAM_ADMINs. It holds from the next request on.',
        response: memberAnswer,
        example: { params: { team_id: 2, user_id: 3 }, body: { role: 'EDITOR' }, response: example },
        errors: [400, 403, 404, 409, 415, 422],
      },
      check: ({ actor, params }, { members }) => members.checkChange(actor, params.team_id, params.user_id),
      async handle({ actor, params, body }, { members }) {
        const { team_id: teamId, user_id: userId } = params;
        return present(await members.changeRole(actor, { teamId, userId, role: body.role }));
      },
    }),
  ),

  defineRoute<MemberParams, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/teams/:team_id/members/:user_id',
    summary: 'Remove a member from a team',
    status: 204,
    params: memberParams,
    audit: 'member.remove',
    docs: {
      tag: 'Teams',
      description: 'For TEAM_ADMINs.',
      example: { params: { team_id: 2, user_id: 3 } },
      errors: [403, 404, 409],
    },
    handle: ({ actor, params }, { members }) => members.remove(actor, params.team_id, params.user_id),
  }),
];
