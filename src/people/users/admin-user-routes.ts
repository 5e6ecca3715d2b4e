import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  pageKeys,
  type PageQuery,
  placesOf,
  requireOwner,
} from '../../api/face.js';
import {
  type AdminUser,
  adminUserExample,
  adminUserSchema,
  presentAdminUser,
} from './admin-user-presenter.js';
import { nameField } from './name-field.js';
import type { UserChange, UserService } from './user-service.js';

interface Services {
  users: UserService;
}

type ListQuery = PageQuery & { filter?: 'TENANT_OWNER'; include?: 'team_memberships' };

interface AdminUserBody {
  email?: string;
  first_name?: string;
  last_name?: string;
  admin?: boolean;
  is_active?: boolean;
}

const emailField = Joi.string().trim().max(255).email({ tlds: false, minDomainSegments: 1 });
const bodyKeys = {
  email: emailField,
  first_name: nameField.allow(''),
  last_name: nameField.allow(''),
  admin: Joi.boolean().description('An Owner of the tenant'),
  is_active: Joi.boolean().description('false if the keys of the user are rejected'),
};

/** Keys of a user that clients send back, and what a user cannot have here. */
const known = {
  ignored: ['id', 'created_at', 'updated_at', 'last_seen', 'is_service_account', 'team_memberships'],
  unsupported: {
    tenant_permissions: 'a user is an Owner of the tenant (`admin`), or has its roles in teams',
    scim_uid: 'SCIM is not supported',
  },
};

function changeOf({ email, first_name, last_name, admin, is_active }: AdminUserBody): UserChange {
  return {
    ...(email !== undefined && { email }),
    ...(first_name !== undefined && { firstName: first_name }),
    ...(last_name !== undefined && { lastName: last_name }),
    ...(admin !== undefined && { isOwner: admin }),
    ...(is_active !== undefined && { active: is_active }),
  };
}

const routes = crudRoutes<Services, AdminUser>({
  tag: 'Users',
  ...placesOf('/api/v1/admin/users', adminUserExample.id),
  response: adminUserSchema,
  example: adminUserExample,
  present: presentAdminUser,
});

/** Users under the names of public clients (spec §2.6): the same users as `/api/v1/users`. */
export const adminUserRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List users (public client format)',
    description:
      'The same users as `GET /api/v1/users`. Items are under the key `admin/users`. `include=team_memberships` adds the roles in the teams that the key can access.',
    plural: 'admin/users',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      filter: Joi.string().valid('TENANT_OWNER').description('Only Owners of the tenant'),
      include: Joi.string().valid('team_memberships').description('Adds `team_memberships` to each user'),
    }),
    exampleQuery: { filter: 'TENANT_OWNER' },
    errors: [422],
    async handle({ actor, query: { filter, include }, window }, { users }) {
      const page = await users.list(actor, { ownersOnly: filter === 'TENANT_OWNER' }, window);
      const items: AdminUser[] = page.items.map((user) => ({ user }));
      if (include === undefined) return { items, total: page.total };
      const memberships = await users.memberships(
        actor,
        page.items.map(({ id }) => id),
      );
      const of = (id: number) => memberships.filter(({ userId }) => userId === id);
      return { items: items.map(({ user }) => ({ user, memberships: of(user.id) })), total: page.total };
    },
  }),

  routes.create<AdminUserBody & { email: string }>({
    summary: 'Create a user (public client format)',
    description: 'For Owners. No mail is sent. Users authenticate with a personal key.',
    ...known,
    body: Joi.object({ ...bodyKeys, email: emailField.required() }),
    exampleBody: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    errors: [400, 403, 409, 415, 422],
    audit: 'user.create',
    check: ({ actor }) => requireOwner(actor),
    async handle({ actor, body }, { users }) {
      const unnamed = { firstName: '', lastName: '', avatarUrl: '', isOwner: false };
      return { user: await users.create(actor, { ...unnamed, ...changeOf(body), email: body.email }) };
    },
  }),

  routes.get({
    summary: 'Get a user (public client format)',
    description: 'The same user as `GET /api/v1/users/{id}`, with the field names of public clients.',
    handle: async ({ actor, params }, { users }) => ({ user: await users.get(actor, params.id) }),
  }),

  ...routes.update<AdminUserBody>({
    summary: 'Update a user (public client format)',
    description: 'For Owners. The last active Owner of a tenant cannot be demoted or deactivated.',
    ...known,
    body: Joi.object<AdminUserBody>(bodyKeys),
    exampleBody: { first_name: 'Ada' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'user.update',
    check: ({ actor, params }, { users }) => users.checkUpdate(actor, params.id),
    handle: async ({ actor, params, body }, { users }) => ({
      user: await users.update(actor, params.id, changeOf(body)),
    }),
  }),

  routes.delete({
    summary: 'Deactivate a user (public client format)',
    description: 'For Owners. Same as `DELETE /api/v1/users/{id}`.',
    errors: [403, 404, 409],
    audit: 'user.deactivate',
    async handle({ actor, params }, { users }) {
      await users.update(actor, params.id, { active: false });
    },
  }),
];
