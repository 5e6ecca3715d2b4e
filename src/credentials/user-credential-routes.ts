import Joi from 'joi';
import { READ_ACCESS } from '../access/auth/shared-access.js';
import { nameField } from '../access/tenants/name-field.js';
import { sharingKeys, type SharingInput, slugsOf } from '../access/tenants/sharing.js';
import { crudRoutes, placesOf } from '../api/crud-routes.js';
import { component } from '../api/openapi/component.js';
import { pageKeys, type PageQuery } from '../api/page-meta.js';
import { idSchema, responseSchema, timeSchema } from '../api/response-schema.js';
import type { AnyRoute } from '../api/route.js';
import { idField } from '../platform/http/path-id.js';
import type { JsonObject } from '../platform/json.js';
import { timestamp } from '../platform/text/timestamp.js';
import { jsonObject } from '../platform/validation/json-object.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { allowedHostsField } from './allowed-hosts-field.js';
import type { CredentialChange } from './credential-plan.js';
import type { CredentialRecord } from './credential-record-store.js';
import {
  CREDENTIAL_MODES,
  type CredentialMode,
  type ModeSettings,
  settingsOfMode,
} from './modes/credential-modes.js';
import { modeFields } from './modes/mode-fields.js';
import type { OauthConnect } from './oauth/oauth-connect.js';
import type { TeamCredentialService } from './team-credential-service.js';

interface Services {
  credentials: TeamCredentialService;
  oauthConnect: Pick<OauthConnect, 'redirectUrl'>;
}

/** A credential, and the address by which a person allows its access. */
interface Shown {
  credential: CredentialRecord;
  redirectUrl?: string | undefined;
}

type ListQuery = PageQuery & {
  team_id?: number;
  folder_id?: number;
  search?: string;
  filter?: 'RESTRICTED' | 'UNRESTRICTED' | 'UNUSED_IN_ACTIONS';
};

interface UserCredential extends ModeSettings, SharingInput {
  name?: string;
  mode?: CredentialMode;
  team_id?: number;
  folder_id?: number | null;
  description?: string | null;
  metadata?: JsonObject;
  allowed_hosts?: string[];
}

const ABSENT = Joi.valid(null, '');

const fields = {
  name: nameField.empty(ABSENT),
  mode: Joi.string()
    .valid(...CREDENTIAL_MODES)
    .empty(ABSENT)
    .description('How it gives its secret'),
  team_id: idField.empty(ABSENT),
  folder_id: idField.allow(null).empty(''),
  description: Joi.string().allow('', null).max(10_000),
  metadata: jsonObject().empty(ABSENT).description('What belongs to it, for people; no secret'),
  allowed_hosts: allowedHostsField
    .empty(null)
    .description('The hosts that it may be sent to: `api.example.com`, `*.example.com`. None: any host'),
  ...sharingKeys,
  ...modeFields,
};

/** Keys of an answer that clients send back, and a key without an effect. */
const ECHOED = [
  'id',
  'slug',
  'redirect_url',
  'restriction_type',
  'test_credential',
  'created_at',
  'updated_at',
  'content_type',
];
const UNSUPPORTED = {
  live_credential_id: 'a credential has no second value for drafts',
  is_test: 'a credential has no second value for drafts',
  test_credential_enabled: 'a credential has no second value for drafts',
};

const SHOWN = [
  'aws_access_key',
  'aws_assumed_role_arn',
  'aws_assumed_role_external_id',
  'aws_authentication_type',
  'http_request_ttl',
  'jwt_algorithm',
  'jwt_auto_generate_time_claims',
  'oauth_client_id',
  'oauth_grant_type',
  'oauth_scope',
  'oauth_token_url',
  'oauth_url',
] as const;

const credentialResponse = component(
  'UserCredential',
  responseSchema({
    id: idSchema,
    name: Joi.string(),
    mode: Joi.string()
      .valid(...CREDENTIAL_MODES)
      .description('How it gives its secret'),
    slug: Joi.string().allow('').description('The name that templates may use besides `name`'),
    team_id: idSchema,
    folder_id: idSchema.allow(null),
    description: Joi.string().allow(''),
    metadata: Joi.object().unknown(true).description('What belongs to it, for people'),
    allowed_hosts: Joi.array().items(Joi.string()).description('The hosts that it may be sent to'),
    restriction_type: Joi.string()
      .valid('RESTRICTED', 'UNRESTRICTED')
      .description('Whether it has `allowed_hosts`'),
    read_access: Joi.string()
      .valid(...READ_ACCESS)
      .description('The teams that may use it'),
    shared_team_slugs: Joi.array()
      .items(Joi.string().allow(''))
      .description('With `SPECIFIC_TEAMS`: the teams besides its own'),
    test_credential_enabled: Joi.boolean().valid(false).description('Always false'),
    test_credential: Joi.valid(null).description('Always null'),
    ...Object.fromEntries(
      SHOWN.map((name) => [name, Joi.any().description(`The setting \`${name}\`; null with other modes`)]),
    ),
    created_at: timeSchema,
    updated_at: timeSchema,
  }).append({
    redirect_url: Joi.string().description(
      'After creation and update, for `authorization_code`: the address by which a person allows the access, for fifteen minutes',
    ),
  }),
);

const example = {
  id: 6,
  name: 'Jira',
  mode: 'OAUTH',
  slug: 'jira',
  team_id: 2,
  folder_id: null,
  description: '',
  metadata: {},
  allowed_hosts: ['*.atlassian.net'],
  restriction_type: 'RESTRICTED',
  read_access: 'TEAM',
  shared_team_slugs: [],
  test_credential_enabled: false,
  test_credential: null,
  ...Object.fromEntries(SHOWN.map((name) => [name, null])),
  oauth_client_id: 'fabula',
  oauth_grant_type: 'client_credentials',
  oauth_scope: 'read:jira-work',
  oauth_token_url: 'https://auth.atlassian.com/oauth/token',
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** Without its secrets: they can be set, and used by stories, but not read. */
function present({ credential, redirectUrl }: Shown) {
  const { settings } = credential;
  return {
    id: credential.id,
    name: credential.name,
    mode: credential.mode,
    slug: credential.slug,
    team_id: credential.teamId,
    folder_id: credential.folderId,
    description: credential.description ?? '',
    metadata: credential.metadata,
    allowed_hosts: credential.allowedHosts,
    restriction_type: credential.allowedHosts.length > 0 ? 'RESTRICTED' : 'UNRESTRICTED',
    read_access: credential.readAccess,
    shared_team_slugs: slugsOf(credential.sharedTeams),
    test_credential_enabled: false,
    test_credential: null,
    ...Object.fromEntries(SHOWN.map((name) => [name, settings[name] ?? null])),
    created_at: timestamp(credential.createdAt),
    updated_at: timestamp(credential.updatedAt),
    ...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
  };
}

/** Returns the usable parts as the service takes them. */
function partsOf(body: Usable<UserCredential>) {
  const given = body as UserCredential;
  const settings = Object.fromEntries(
    Object.keys(modeFields)
      .filter((name) => Object.hasOwn(given, name))
      .map((name) => [name, given[name as keyof ModeSettings]]),
  ) as Partial<ModeSettings>;
  const { description, metadata, folder_id: folderId, allowed_hosts: allowedHosts } = given;
  const { read_access, shared_team_slugs, mode } = given;
  return {
    description,
    metadata,
    folderId,
    allowedHosts,
    read_access,
    shared_team_slugs,
    mode,
    settings: mode === undefined ? settings : settingsOfMode(mode, settings),
  };
}

function changeOf(body: Usable<UserCredential>): CredentialChange {
  return { ...partsOf(body), name: body.name, teamId: body.team_id };
}

const routes = crudRoutes<Services, Shown>({
  tag: 'Credentials',
  ...placesOf('/api/v1/user_credentials', example.id),
  response: credentialResponse,
  example,
  present,
});

const exampleBody = {
  name: 'Jira',
  mode: 'OAUTH',
  team_id: 2,
  oauth_grant_type: 'client_credentials',
  oauth_token_url: 'https://auth.atlassian.com/oauth/token',
  oauth_client_id: 'fabula',
  oauth_client_secret: 's3cret',
  oauth_scope: 'read:jira-work',
  allowed_hosts: ['*.atlassian.net'],
};

/** Endpoints of credentials of all modes, in the form of public clients (spec §2.7). */
export const userCredentialRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List credentials of all modes',
    description:
      'Those of the team `team_id`, otherwise all that you may use: also those that other teams share. Secrets are never returned.',
    plural: 'user_credentials',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      team_id: idField,
      folder_id: idField,
      search: Joi.string().max(255).description('A part of the name'),
      filter: Joi.string()
        .valid('RESTRICTED', 'UNRESTRICTED', 'UNUSED_IN_ACTIONS')
        .description('With or without `allowed_hosts`, or named by no action'),
    }),
    exampleQuery: { team_id: 2 },
    async handle({ actor, query, window }, { credentials }) {
      const { team_id: teamId, folder_id: folderId, search, filter } = query;
      const isRestricted = filter?.endsWith('RESTRICTED') === true ? filter === 'RESTRICTED' : undefined;
      const isUnused = filter === 'UNUSED_IN_ACTIONS';
      const asked = { teamId, folderId, search, isRestricted, isUnused };
      const { items, total } = await credentials.list(actor, asked, window);
      return { items: items.map((credential) => ({ credential })), total };
    },
  }),

  routes.create<UserCredential>({
    summary: 'Create a credential of any mode',
    description:
      'For TEAM_ADMINs. Each mode has settings of its own; those that are secret are stored encrypted, and never returned. Without `team_id`: in the team of the key, else in the user’s first one.',
    body: Joi.object({ ...fields, name: fields.name.required(), mode: fields.mode.required() }),
    exampleBody,
    errors: [400, 403, 404, 409, 415, 422],
    ignored: ECHOED,
    unsupported: UNSUPPORTED,
    audit: 'credential.create',
    check: ({ actor, body }, { credentials }) =>
      credentials.checkCreate(actor, {
        ...partsOf(body),
        ...('team_id' in body && { team_id: body.team_id }),
      }),
    async handle({ actor, body, request }, { credentials, oauthConnect }) {
      const { name = '', mode = 'TEXT', team_id } = body;
      const credential = await credentials.create(actor, { ...partsOf(body), name, mode, team_id });
      return { credential, redirectUrl: oauthConnect.redirectUrl(credential, request.baseUrl) };
    },
  }),

  routes.get({
    summary: 'Get a credential of any mode',
    description: 'Without its secrets.',
    handle: async ({ actor, params }, { credentials }) => ({
      credential: await credentials.get(actor, params.id),
    }),
  }),

  ...routes.update<UserCredential>({
    summary: 'Update a credential of any mode',
    description:
      'For TEAM_ADMINs. Changes the given fields; the mode stays. Stories use the new settings within five seconds.',
    body: Joi.object(fields),
    exampleBody: { oauth_scope: 'read:jira-work' },
    errors: [400, 403, 404, 409, 415, 422],
    ignored: ECHOED,
    unsupported: UNSUPPORTED,
    audit: 'credential.update',
    check: ({ actor, params, body }, { credentials }) =>
      credentials.checkUpdate(actor, params.id, changeOf(body)),
    async handle({ actor, params, body, request }, { credentials, oauthConnect }) {
      const credential = await credentials.update(actor, params.id, changeOf(body));
      return { credential, redirectUrl: oauthConnect.redirectUrl(credential, request.baseUrl) };
    },
  }),

  routes.delete({
    summary: 'Delete a credential of any mode',
    description: 'For TEAM_ADMINs. As `DELETE /api/v1/credentials/{id}`.',
    audit: 'credential.delete',
    handle: ({ actor, params }, { credentials }) => credentials.delete(actor, params.id),
  }),
];
