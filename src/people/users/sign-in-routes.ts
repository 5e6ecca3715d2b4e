import Joi from 'joi';
import {
  type AnyRoute,
  component,
  cursorKey,
  defineRoute,
  exampleMeta,
  idSchema,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  responseSchema,
  timeSchema,
  windowOf,
} from '../../api/face.js';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { AuditService } from '../audit/audit-service.js';
import type { StoredAuditEntry } from '../audit/audit-store.js';
import { adminUserExample, adminUserSchema, presentAdminUser } from './admin-user-presenter.js';
import type { UserService } from './user-service.js';

interface Services {
  users: UserService;
  audit: Pick<AuditService, 'list'>;
}

interface ListQuery extends PageQuery {
  after?: Date;
  before?: Date;
}

const USER = '/api/v1/admin/users/:id';
const SIGN_INS = `${USER}/signin_activities`;
const params = { id: adminUserExample.id };

const signInSchema = component(
  'SignIn',
  responseSchema({
    id: idSchema.description('Id of its audit log entry'),
    user_id: idSchema,
    ip: Joi.string().allow(null).description('IP address of the sign-in; null if unknown'),
    user_agent: Joi.string().allow(null).description('User agent'),
    created_at: timeSchema,
  }),
);

const signInExample = {
  id: 4712,
  user_id: adminUserExample.id,
  ip: '192.0.2.17',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  created_at: '2026-11-21T09:30:12Z',
};

function presentSignIn({ id, userId, ip, userAgent, createdAt }: StoredAuditEntry) {
  return { id, user_id: userId, ip, user_agent: userAgent, created_at: timestamp(createdAt) };
}

/** How a user signed in to the console, and the end of its sessions, under the names of public clients (spec §2.6). */
export const signInRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, ListQuery, unknown, Services>({
    method: 'get',
    path: SIGN_INS,
    summary: 'List the console sign-ins of a user, newest first',
    params: idParams,
    query: Joi.object<ListQuery>({
      after: timeField.description('Sign-ins from this time on'),
      before: timeField.description('Sign-ins before this time'),
      ...pageKeys,
      ...cursorKey('time'),
    }),
    docs: {
      tag: 'Users',
      operationId: 'listUserSignIns',
      description:
        'For Owners. The `session.create` entries of the audit log, within its retention. Requests with a key are not sign-ins; see `last_seen`.',
      response: listSchema('admin/login_activities', signInSchema),
      example: {
        params,
        response: {
          'admin/login_activities': [signInExample],
          meta: exampleMeta(`/api/v1/admin/users/${params.id}/signin_activities`),
        },
      },
      errors: [403, 404, 422],
    },
    async handle({ actor, params, query, request }, { users, audit }) {
      const { id } = await users.get(actor, params.id);
      const filter = { userIds: [id], actions: ['session.create'], from: query.after, to: query.before };
      const page = await audit.list(actor, filter, windowOf(query));
      return {
        'admin/login_activities': page.items.map(presentSignIn),
        meta: pageMeta(request, query, page),
      };
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'post',
    path: `${USER}/expire_session`,
    summary: 'End all sessions of a user',
    params: idParams,
    audit: 'user.end_sessions',
    docs: {
      tag: 'Users',
      operationId: 'endUserSessions',
      description:
        'For Owners. The user is signed out of the console everywhere, and sign-in links stop working. API keys stay valid; revoke them with `DELETE /api/v1/api_keys/{id}`.',
      response: adminUserSchema,
      example: { params, response: adminUserExample },
      errors: [403, 404],
    },
    async handle({ actor, params }, { users }) {
      return presentAdminUser({ user: await users.endSignIns(actor, params.id) });
    },
  }),
];
