import Joi from 'joi';
import { requireOwner } from '../auth/access.js';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../../api/page-meta.js';
import { idParams, type IdParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { timestamp } from '../../platform/text/timestamp.js';
import { nameField } from './name-field.js';
import type { UserChange, UserService } from './user-service.js';
import type { UserRecord } from './user-store.js';

interface Services {
  users: UserService;
}

type ListQuery = PageQuery & { search?: string };

interface UserBody {
  email?: string;
  first_name?: string;
  last_name?: string;
  avatar_url?: string;
  is_owner?: boolean;
  active?: boolean;
}

const emailField = Joi.string().trim().max(255).email({ tlds: false, minDomainSegments: 1 });
const userKeys = {
  email: emailField,
  first_name: nameField.allow(''),
  last_name: nameField.allow(''),
  avatar_url: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .max(2048)
    .allow(''),
  is_owner: Joi.boolean(),
};

const userAnswer = answerSchema({
  id: idSchema,
  email: Joi.string(),
  first_name: Joi.string().allow(''),
  last_name: Joi.string().allow(''),
  avatar_url: Joi.string().allow(''),
  is_owner: Joi.boolean(),
  is_service_account: Joi.boolean(),
  active: Joi.boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 3,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  avatar_url: '',
  is_owner: false,
  is_service_account: false,
  active: true,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

function present(user: UserRecord) {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    avatar_url: user.avatarUrl,
    is_owner: user.isOwner,
    is_service_account: user.isServiceAccount,
    active: user.deactivatedAt === null,
    created_at: timestamp(user.createdAt),
    updated_at: timestamp(user.updatedAt),
  };
}

function changeOf({ first_name, last_name, avatar_url, is_owner, ...body }: UserBody): UserChange {
  return {
    ...body,
    ...(first_name !== undefined && { firstName: first_name }),
    ...(last_name !== undefined && { lastName: last_name }),
    ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
    ...(is_owner !== undefined && { isOwner: is_owner }),
  };
}

/** Endpoints of users (spec §2.6). */
export const userRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/users',
    summary: 'List users',
    query: Joi.object<ListQuery>({ ...pageKeys, search: Joi.string().allow('').max(255) }),
    docs: {
      tag: 'Users',
      description:
        'Everybody in the tenant for an Owner, else those who share a team with the user; service accounts and deactivated users too. `search` finds part of the name or the address.',
      response: listSchema('users', userAnswer),
      example: {
        query: { search: 'ada' },
        response: { users: [example], meta: exampleMeta('/api/v1/users') },
      },
      errors: [422],
    },
    async handle({ actor, query, request }, { users }) {
      const { items, total } = await users.list(actor, query.search, windowOf(query));
      return { users: items.map(present), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/users/me',
    summary: 'Get the user that the key acts as',
    docs: { tag: 'Users', response: userAnswer, example: { response: example }, errors: [] },
    async handle({ actor }, { users }) {
      return present(await users.get(actor, actor.userId));
    },
  }),

  defineRoute<unknown, unknown, UserBody & { email: string }, Services>({
    method: 'post',
    path: '/api/v1/users',
    summary: 'Make a user',
    status: 201,
    body: Joi.object({ ...userKeys, email: emailField.required() }),
    audit: 'user.create',
    docs: {
      tag: 'Users',
      description:
        'For Owners. A user acts through a personal key; the first one is made on the command line.',
      response: userAnswer,
      example: {
        body: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
        response: example,
      },
      errors: [400, 403, 409, 415, 422],
    },
    check: ({ actor }) => requireOwner(actor),
    async handle({ actor, body }, { users }) {
      const unnamed = { firstName: '', lastName: '', avatarUrl: '', isOwner: false };
      return present(await users.create(actor, { ...unnamed, ...changeOf(body), email: body.email }));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/users/:id',
    summary: 'Get a user',
    params: idParams,
    docs: {
      tag: 'Users',
      response: userAnswer,
      example: { params: { id: 3 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { users }) {
      return present(await users.get(actor, params.id));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<IdParams, unknown, UserBody, Services>({
      method,
      path: '/api/v1/users/:id',
      summary: 'Update a user',
      params: idParams,
      body: Joi.object<UserBody>({
        ...userKeys,
        active: Joi.boolean().description('false: the keys of the user are refused'),
      }),
      audit: 'user.update',
      docs: {
        tag: 'Users',
        description: 'For Owners. The last Owner of a tenant stays one.',
        response: userAnswer,
        example: { params: { id: 3 }, body: { first_name: 'Ada' }, response: example },
        errors: [400, 403, 404, 409, 415, 422],
      },
      check: ({ actor, params }, { users }) => users.checkUpdate(actor, params.id),
      async handle({ actor, params, body }, { users }) {
        return present(await users.update(actor, params.id, changeOf(body)));
      },
    }),
  ),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/users/:id',
    summary: 'Deactivate a user',
    status: 204,
    params: idParams,
    audit: 'user.deactivate',
    docs: {
      tag: 'Users',
      description:
        'For Owners. The keys of the user are refused from now on; what was recorded as the user’s stays. An update with `active: true` takes it back.',
      example: { params: { id: 3 } },
      errors: [403, 404, 409],
    },
    async handle({ actor, params }, { users }) {
      await users.update(actor, params.id, { active: false });
    },
  }),
];
