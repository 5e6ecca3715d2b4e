import Joi from 'joi';
import { type AnyRoute, defineRoute, idSchema, responseSchema, type Role } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { memberExample, memberResponse, presentMember, roleField } from './member-presenter.js';
import type { MemberService } from './member-service.js';

interface Services {
  members: MemberService;
}

interface TeamParams {
  team_id: number;
}

interface InvitedBody {
  user_id?: number;
  email?: string;
  role?: Role;
}

const teamParams = Joi.object<TeamParams>({ team_id: idField.required() });

/** Membership under the names of public clients (spec §2.6): parameters instead of a path with the member. */
export const invitationRoutes: AnyRoute<Services>[] = [
  defineRoute<TeamParams, unknown, InvitedBody, Services>({
    method: 'post',
    path: '/api/v1/teams/:team_id/invite_member',
    summary: 'Add a member to a team, by invitation',
    params: teamParams,
    body: Joi.object<InvitedBody>({
      user_id: idField,
      email: Joi.string().trim().max(255),
      role: roleField.description('Default for new members: `VIEWER`'),
    }).xor('user_id', 'email'),
    docs: {
      tag: 'Teams',
      operationId: 'inviteTeamMember',
      description:
        'For TEAM_ADMINs. `user_id` or `email` identifies a user of the tenant, who becomes a member immediately: no mail is sent, and no acceptance is needed. An existing member is returned unchanged; with a different `role` the response is 409.',
      response: memberResponse,
      example: {
        params: { team_id: 2 },
        body: { email: 'ada@example.com', role: 'EDITOR' },
        response: memberExample,
      },
      errors: [400, 403, 404, 409, 415, 422],
    },
    audit: 'member.add',
    check: ({ actor, params, body: { user_id: userId, email } }, { members }) =>
      members.checkAdd(actor, params.team_id, { userId, email }),
    async handle({ actor, params, body: { user_id: userId, email, role } }, { members }) {
      return presentMember(await members.invite(actor, params.team_id, { userId, email, role }));
    },
  }),

  defineRoute<TeamParams, unknown, { user_id: number }, Services>({
    method: 'post',
    path: '/api/v1/teams/:team_id/resend_invitation',
    summary: 'Resend an invitation',
    params: teamParams,
    body: Joi.object({ user_id: idField.required() }),
    docs: {
      tag: 'Teams',
      operationId: 'resendTeamInvitation',
      description:
        'For TEAM_ADMINs. Invited users become members immediately (`invitation_accepted`), so no mail is sent. Returns the member.',
      response: memberResponse,
      example: { params: { team_id: 2 }, body: { user_id: 3 }, response: memberExample },
      errors: [400, 403, 404, 415, 422],
    },
    audit: 'member.resend_invitation',
    check: async ({ actor, params, body: { user_id: userId } }, { members }) => {
      if (userId !== undefined) await members.invited(actor, params.team_id, userId);
    },
    async handle({ actor, params, body: { user_id: userId } }, { members }) {
      return presentMember(await members.invited(actor, params.team_id, userId));
    },
  }),

  defineRoute<TeamParams, unknown, { user_id: number }, Services>({
    method: 'post',
    path: '/api/v1/teams/:team_id/remove_member',
    summary: 'Remove a member from a team, by user',
    params: teamParams,
    body: Joi.object({ user_id: idField.required() }),
    docs: {
      tag: 'Teams',
      operationId: 'removeTeamMember',
      description: 'For TEAM_ADMINs.',
      response: responseSchema({ deleted_id: idSchema.description('The user to remove') }),
      example: { params: { team_id: 2 }, body: { user_id: 3 }, response: { deleted_id: 3 } },
      errors: [400, 403, 404, 409, 415, 422],
    },
    audit: 'member.remove',
    check: ({ actor, params, body }, { members }) => members.checkRemove(actor, params.team_id, body.user_id),
    async handle({ actor, params, body: { user_id: userId } }, { members }) {
      await members.remove(actor, params.team_id, userId);
      return { deleted_id: userId };
    },
  }),
];
