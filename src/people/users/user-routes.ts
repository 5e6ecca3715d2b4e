import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  idSchema,
  pageKeys,
  type PageQuery,
  placesOf,
  requireOwner,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
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

const userResponse = component(
  'User',
  responseSchema({
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
  }),
);

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

const routes = crudRoutes<Services, UserRecord>({
  tag: 'Users',
  ...placesOf('/api/v1/users', example.id),
  response: userResponse,
  example,
  present,
});

/** Endpoints of users (spec §2.6). */
export const userRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List users',
    description:
      'For an Owner, all users of the tenant; otherwise users who share a team with you. Includes service accounts and deactivated users. `search` matches part of the name or email address.',
    plural: 'users',
    query: Joi.object<ListQuery>({ ...pageKeys, search: Joi.string().allow('').max(255) }),
    exampleQuery: { search: 'ada' },
    errors: [422],
    handle: ({ actor, query, window }, { users }) => users.list(actor, { search: query.search }, window),
  }),

  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/users/me',
    summary: 'Get the user of the key',
    docs: {
      description:
        'Returns name, email address and whether the user is an Owner. Requires no role, so use it to test a key.',
      tag: 'Users',
      operationId: 'getMe',
      response: userResponse,
      example: { response: example },
      errors: [],
    },
    async handle({ actor }, { users }) {
      return present(await users.get(actor, actor.userId));
    },
  }),

  routes.create<UserBody & { email: string }>({
    summary: 'Create a user',
    description:
      'For Owners. Users authenticate with a personal key; create the first one on the command line.',
    body: Joi.object({ ...userKeys, email: emailField.required() }),
    exampleBody: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    errors: [400, 403, 409, 415, 422],
    audit: 'user.create',
    check: ({ actor }) => requireOwner(actor),
    handle({ actor, body }, { users }) {
      const unnamed = { firstName: '', lastName: '', avatarUrl: '', isOwner: false };
      return users.create(actor, { ...unnamed, ...changeOf(body), email: body.email });
    },
  }),

  routes.get({
    summary: 'Get a user',
    description: 'Owners can read every user of the tenant; others themselves and members of their teams.',
    handle: ({ actor, params }, { users }) => users.get(actor, params.id),
  }),

  ...routes.update<UserBody>({
    summary: 'Update a user',
    description: 'For Owners. The last active Owner of a tenant cannot be demoted or deactivated.',
    ignored: ['id', 'is_service_account', 'created_at', 'updated_at'],
    body: Joi.object<UserBody>({
      ...userKeys,
      active: Joi.boolean().description('false if the keys of the user are rejected'),
    }),
    exampleBody: { first_name: 'Ada' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'user.update',
    check: ({ actor, params }, { users }) => users.checkUpdate(actor, params.id),
    handle: ({ actor, params, body }, { users }) => users.update(actor, params.id, changeOf(body)),
  }),

  routes.delete({
    summary: 'Deactivate a user',
    description:
      'For Owners. The keys of the user are rejected immediately; existing entries keep the user’s name. Reactivate with `active: true`.',
    errors: [403, 404, 409],
    audit: 'user.deactivate',
    async handle({ actor, params }, { users }) {
      await users.update(actor, params.id, { active: false });
    },
  }),
];
