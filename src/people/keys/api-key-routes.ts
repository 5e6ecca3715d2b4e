import Joi from 'joi';
import {
  type Actor,
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  idSchema,
  placesOf,
  responseSchema,
  type Role,
  ROLES,
  timeSchema,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { ActorKeyService } from './actor-key-service.js';
import { nameField } from '../users/name-field.js';
import type { ApiKey } from '../tenants/tenancy.js';

interface Services {
  apiKeys: ActorKeyService;
}

interface KeyBody {
  kind: Actor['kind'];
  name: string;
  team_id?: number;
  role?: Role;
  expires_at?: Date | null;
}

const kindField = Joi.string()
  .valid('personal', 'tenant', 'team')
  .description('Key type, which sets its permissions');

const keyKeys = {
  id: idSchema,
  kind: kindField,
  name: Joi.string(),
  prefix: Joi.string().description('The first characters of the key'),
  user_id: idSchema.description('The user whose permissions it has'),
  team_id: idSchema.allow(null).description('Only for team keys'),
  created_by_user_id: idSchema.allow(null),
  expires_at: timeSchema.allow(null),
  last_used_at: timeSchema.allow(null),
  revoked_at: timeSchema.allow(null),
  created_at: timeSchema,
};
const keyResponse = component('ApiKey', responseSchema(keyKeys));

const example = {
  id: 9,
  kind: 'team',
  name: 'Ticket bridge',
  prefix: 'fab_aB3dE5',
  user_id: 14,
  team_id: 2,
  created_by_user_id: 3,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  created_at: '2026-11-21T09:30:00Z',
};

function present(key: ApiKey) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    prefix: key.prefix,
    user_id: key.userId,
    team_id: key.teamId,
    created_by_user_id: key.createdByUserId,
    expires_at: key.expiresAt && timestamp(key.expiresAt),
    last_used_at: key.lastUsedAt && timestamp(key.lastUsedAt),
    revoked_at: key.revokedAt && timestamp(key.revokedAt),
    created_at: timestamp(key.createdAt),
  };
}

function requestOf({ team_id: teamId, expires_at: expiresAt, ...rest }: Usable<KeyBody>) {
  return { ...rest, teamId, expiresAt: expiresAt ?? undefined };
}

const routes = crudRoutes<Services, ApiKey>({
  tag: 'API keys',
  ...placesOf('/api/v1/api_keys', example.id),
  response: keyResponse,
  example,
  present,
});

/** Endpoints of API keys (spec §2.3). */
export const apiKeyRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List API keys',
    description:
      'Your personal keys and, for Owners, also the keys of the tenant and its teams. Includes revoked and expired keys.',
    plural: 'api_keys',
    errors: [422],
    handle: ({ actor, window }, { apiKeys }) => apiKeys.list(actor, window),
  }),

  defineRoute<unknown, unknown, KeyBody, Services>({
    method: 'post',
    path: '/api/v1/api_keys',
    summary: 'Create an API key',
    status: 201,
    body: Joi.object<KeyBody>({
      kind: kindField.required(),
      name: nameField.required(),
      team_id: idField.description('Only for team keys'),
      role: Joi.string()
        .valid(...ROLES)
        .description('Only for team keys'),
      expires_at: timeField.allow(null),
    }),
    audit: 'api_key.create',
    docs: {
      tag: 'API keys',
      description:
        'A personal key has the permissions of the user who creates it. Only Owners can create tenant and team keys, which have their own service account. `key` is shown only once. 409 if the user, or the tenant with its teams, already has the maximum number of valid keys.',
      response: component(
        'NewApiKey',
        responseSchema({
          ...keyKeys,
          key: Joi.string().description('The key itself, shown only once'),
        }),
      ),
      example: {
        body: { kind: 'team', name: 'Ticket bridge', team_id: 2, role: 'EDITOR' },
        response: { ...example, key: 'fab_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d' },
      },
      errors: [400, 403, 404, 409, 415, 422],
    },
    check: ({ actor, body }, { apiKeys }) => apiKeys.check(actor, requestOf(body)),
    async handle({ actor, body }, { apiKeys }) {
      const made = await apiKeys.create(actor, { ...requestOf(body), kind: body.kind, name: body.name });
      return { ...present(made.record), key: made.key };
    },
  }),

  routes.get({
    summary: 'Get an API key',
    description: 'The key itself is not stored and not returned.',
    handle: ({ actor, params }, { apiKeys }) => apiKeys.get(actor, params.id),
  }),

  routes.delete({
    summary: 'Revoke an API key',
    description: 'All processes reject it immediately. It stays in the list.',
    errors: [404],
    audit: 'api_key.revoke',
    handle: ({ actor, params }, { apiKeys }) => apiKeys.revoke(actor, params.id),
  }),
];
