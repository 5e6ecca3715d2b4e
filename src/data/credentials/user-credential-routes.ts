import Joi from 'joi';
import { nameField, type SharingInput, sharingKeys } from '../../people/face.js';
import { type AnyRoute, crudRoutes, pageKeys, type PageQuery, placesOf } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { JsonObject } from '../../platform/json.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { allowedHostsField } from './reach/allowed-hosts-field.js';
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
import {
  presentUserCredential,
  type CredentialView,
  userCredentialExample,
  userCredentialResponse,
} from './user-credential-presenter.js';

interface Services {
  credentials: TeamCredentialService;
  oauthConnect: Pick<OauthConnect, 'redirectUrl'>;
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
  test_credential_enabled?: boolean;
  is_test?: boolean;
  live_credential_id?: number;
}

const ABSENT = Joi.valid(null, '');

const fields = {
  name: nameField.empty(ABSENT),
  mode: Joi.string()
    .valid(...CREDENTIAL_MODES)
    .empty(ABSENT)
    .description('How it provides its secret'),
  team_id: idField.empty(ABSENT),
  folder_id: idField.allow(null).empty(''),
  description: Joi.string().allow('', null).max(10_000),
  metadata: jsonObject().empty(ABSENT).description('Description for users; must not contain secrets'),
  allowed_hosts: allowedHostsField
    .empty(null)
    .description(
      'Hosts that it may be sent to: `api.example.com`, `*.example.com`. An empty list allows any host',
    ),
  ...sharingKeys,
  ...modeFields,
  test_credential_enabled: Joi.boolean().empty(ABSENT).description('Whether story drafts use the test value'),
  is_test: Joi.boolean()
    .empty(ABSENT)
    .description('Whether settings and `allowed_hosts` apply to the test value'),
};

/** Keys of a response that clients send back, and a key without an effect. */
const ECHOED = [
  'id',
  'slug',
  'redirect_url',
  'restriction_type',
  'test_credential',
  'created_at',
  'updated_at',
  'content_type',
  'referencing_action_ids',
  'reconnect_needed',
];

/** Returns the usable parts as the service takes them. */
function partsOf(body: Usable<UserCredential>) {
  const given = body as UserCredential;
  const settings = Object.fromEntries(
    Object.keys(modeFields)
      .filter((name) => Object.hasOwn(given, name))
      .map((name) => [name, given[name as keyof ModeSettings]]),
  ) as Partial<ModeSettings>;
  const { description, metadata, folder_id: folderId, allowed_hosts: allowedHosts } = given;
  const { read_access, shared_team_slugs, mode, test_credential_enabled: testEnabled } = given;
  return {
    description,
    metadata,
    folderId,
    allowedHosts,
    read_access,
    shared_team_slugs,
    mode,
    testEnabled,
    settings: mode === undefined ? settings : settingsOfMode(mode, settings),
  };
}

function changeOf(body: Usable<UserCredential>): CredentialChange {
  return { ...partsOf(body), name: body.name, teamId: body.team_id, isTest: body.is_test };
}

/** Returns the change that gives another credential its test value. */
function testOf(body: Usable<UserCredential>): CredentialChange {
  const { settings, allowedHosts, mode, testEnabled } = partsOf(body);
  return { settings, allowedHosts, mode, testEnabled, isTest: true };
}

/** Returns the credential as it is shown: after a change of its test value, that is what a person connects. */
function shown(
  credential: CredentialRecord,
  { isTest, ...asked }: { baseUrl: string; askedBy: string; isTest: boolean },
  connect: Services['oauthConnect'],
): CredentialView {
  const { test, name } = credential;
  const meant = isTest && test !== undefined ? { ...test, name } : credential;
  return { credential, redirectUrl: connect.redirectUrl(meant, asked) };
}

const routes = crudRoutes<Services, CredentialView>({
  tag: 'Credentials',
  ...placesOf('/api/v1/user_credentials', userCredentialExample.id),
  response: userCredentialResponse,
  example: userCredentialExample,
  present: presentUserCredential,
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
      'Credentials of the team `team_id`, otherwise all that you can use, including those shared by other teams. Secrets are never returned.',
    plural: 'user_credentials',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      team_id: idField,
      folder_id: idField,
      search: Joi.string().max(255).description('Part of the name'),
      filter: Joi.string()
        .valid('RESTRICTED', 'UNRESTRICTED', 'UNUSED_IN_ACTIONS')
        .description('With or without `allowed_hosts`, or not used by any action'),
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
      'For TEAM_ADMINs. Each mode has its own settings; secret settings are stored encrypted and never returned. `team_id` defaults to the team of the key, or else the user’s first team. With `live_credential_id`, no credential is created: that credential gets a test value for story drafts.',
    body: Joi.object({
      ...fields,
      name: fields.name.required(),
      mode: fields.mode.required(),
      is_test: fields.is_test.valid(false),
      live_credential_id: idField
        .empty(ABSENT)
        .description('Credential that gets the settings as its test value and is returned'),
    }),
    exampleBody,
    errors: [400, 403, 404, 409, 415, 422],
    ignored: ECHOED,
    audit: 'credential.create',
    check: ({ actor, body }, { credentials }) =>
      body.live_credential_id === undefined
        ? credentials.checkCreate(actor, {
            ...partsOf(body),
            ...('team_id' in body && { team_id: body.team_id }),
          })
        : credentials.checkUpdate(actor, body.live_credential_id, testOf(body)),
    async handle({ actor, body, request }, { credentials, oauthConnect }) {
      const { name = '', mode = 'TEXT', team_id, live_credential_id: liveId } = body;
      const isTest = liveId !== undefined;
      const credential = isTest
        ? await credentials.update(actor, liveId, testOf(body))
        : await credentials.create(actor, { ...partsOf(body), name, mode, team_id });
      const { baseUrl } = request;
      return shown(credential, { baseUrl, askedBy: actor.userEmail, isTest }, oauthConnect);
    },
  }),

  routes.get<{ include_referencing_action_ids?: boolean }>({
    summary: 'Get a credential of any mode',
    description: 'Secrets are not returned.',
    query: Joi.object({
      include_referencing_action_ids: Joi.boolean()
        .empty(ABSENT)
        .description('Whether to return `referencing_action_ids`'),
    }),
    errors: [404, 422],
    async handle({ actor, params, query }, { credentials }) {
      const credential = await credentials.get(actor, params.id);
      const mentions = query.include_referencing_action_ids
        ? await credentials.mentions(actor, [credential])
        : undefined;
      return { credential, actionIds: mentions?.(credential) };
    },
  }),

  ...routes.update<UserCredential>({
    summary: 'Update a credential of any mode',
    description:
      'For TEAM_ADMINs. Changes the given fields, or with `is_test` the test value for drafts. The mode cannot be changed. Adding a host, or changing the URL for a secret, requires all secrets again. Stories use the new settings within five seconds.',
    body: Joi.object(fields),
    exampleBody: { oauth_scope: 'read:jira-work' },
    errors: [400, 403, 404, 409, 415, 422],
    ignored: [...ECHOED, 'live_credential_id'],
    audit: 'credential.update',
    check: ({ actor, params, body }, { credentials }) =>
      credentials.checkUpdate(actor, params.id, changeOf(body)),
    async handle({ actor, params, body, request }, { credentials, oauthConnect }) {
      const credential = await credentials.update(actor, params.id, changeOf(body));
      const { baseUrl } = request;
      const isTest = body.is_test ?? false;
      return shown(credential, { baseUrl, askedBy: actor.userEmail, isTest }, oauthConnect);
    },
  }),

  routes.delete({
    summary: 'Delete a credential of any mode',
    description: 'For TEAM_ADMINs. As `DELETE /api/v1/credentials/{id}`.',
    audit: 'credential.delete',
    handle: ({ actor, params }, { credentials }) => credentials.delete(actor, params.id),
  }),
];
