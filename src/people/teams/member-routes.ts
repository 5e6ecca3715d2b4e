import Joi from 'joi';
import { type AnyRoute, crudRoutes, type Role } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { memberExample, memberResponse, presentMember, roleField } from './member-presenter.js';
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
/** Keys of a member that clients send back with an update. */
const ECHOED = [
  'id',
  'team_id',
  'user_id',
  'email',
  'first_name',
  'last_name',
  'is_admin',
  'is_service_account',
  'invitation_accepted',
  'last_seen',
  'created_at',
];

const PATH = '/api/v1/teams/:team_id/members';

const routes = crudRoutes<Services, Member, TeamParams, MemberParams>({
  tag: 'Teams',
  list: { path: PATH, params: teamParams, example: { team_id: 2 } },
  item: { path: `${PATH}/:user_id`, params: memberParams, example: { team_id: 2, user_id: 3 } },
  response: memberResponse,
  example: memberExample,
  present: presentMember,
});

/** Endpoints of the members of a team (spec §2.6). */
export const memberRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the members of a team',
    description: 'Service accounts of team keys included; oldest membership first.',
    plural: 'members',
    handle: ({ actor, params, window }, { members }) => members.list(actor, params.team_id, window),
  }),

  routes.create<NewMemberBody>({
    summary: 'Add a member to a team',
    description: 'For TEAM_ADMINs. `user_id` or `email` identifies a user of the tenant.',
    body: Joi.object<NewMemberBody>({
      user_id: idField,
      email: Joi.string().trim().max(255),
      role: roleField.required(),
    }).xor('user_id', 'email'),
    exampleBody: { email: 'ada@example.com', role: 'EDITOR' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'member.add',
    check: ({ actor, params, body: { user_id: userId, email } }, { members }) =>
      members.checkAdd(actor, params.team_id, { userId, email }),
    handle({ actor, params, body }, { members }) {
      const { user_id: userId, email, role } = body;
      return members.add(actor, params.team_id, { userId, email, role });
    },
  }),

  ...routes.update<{ role: Role }>({
    summary: 'Change the role of a member',
    description: 'For TEAM_ADMINs. The new role takes effect with the next request.',
    ignored: ECHOED,
    body: Joi.object({ role: roleField.required() }),
    exampleBody: { role: 'EDITOR' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'member.update',
    check: ({ actor, params }, { members }) => members.checkChange(actor, params.team_id, params.user_id),
    handle({ actor, params, body }, { members }) {
      const { team_id: teamId, user_id: userId } = params;
      return members.changeRole(actor, { teamId, userId, role: body.role });
    },
  }),

  routes.delete({
    summary: 'Remove a member from a team',
    description: 'For TEAM_ADMINs.',
    errors: [403, 404, 409],
    audit: 'member.remove',
    handle: ({ actor, params }, { members }) => members.remove(actor, params.team_id, params.user_id),
  }),
];
