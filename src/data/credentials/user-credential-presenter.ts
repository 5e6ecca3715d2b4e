import Joi from 'joi';
import { component, idSchema, READ_ACCESS, responseSchema, timeSchema } from '../../api/face.js';
import { slugsOf } from '../../people/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { CredentialRecord } from './credential-record-store.js';
import { CREDENTIAL_MODES } from './modes/credential-modes.js';

/** A credential, the address by which a person allows its access, and where it is used. */
export interface CredentialView {
  credential: CredentialRecord;
  redirectUrl?: string | undefined;
  /** The actions that name it; absent unless asked for. */
  actionIds?: number[] | undefined;
}

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

const reconnectSchema = responseSchema({
  since: timeSchema.description('When an action detected it'),
  reason: Joi.string().allow('').description('Reason in words'),
})
  .allow(null)
  .description(
    'With `authorization_code`: access must be authorized, for the first time or because it expired; null if not needed. Actions that use it wait for up to three days',
  );

const SETTINGS = Object.fromEntries(
  SHOWN.map((name) => [name, Joi.any().description(`Setting \`${name}\`; null for other modes`)]),
);

/** A credential of any mode in a response. */
export const userCredentialResponse = component(
  'UserCredential',
  responseSchema({
    id: idSchema,
    name: Joi.string(),
    mode: Joi.string()
      .valid(...CREDENTIAL_MODES)
      .description('How it provides its secret'),
    slug: Joi.string().allow('').description('Alternative name for templates'),
    team_id: idSchema,
    folder_id: idSchema.allow(null),
    description: Joi.string().allow(''),
    metadata: Joi.object().unknown(true).description('Description for users'),
    allowed_hosts: Joi.array().items(Joi.string()).description('Hosts that it may be sent to'),
    restriction_type: Joi.string()
      .valid('RESTRICTED', 'UNRESTRICTED')
      .description('Whether it has `allowed_hosts`'),
    read_access: Joi.string()
      .valid(...READ_ACCESS)
      .description('Teams that can use it'),
    shared_team_slugs: Joi.array()
      .items(Joi.string().allow(''))
      .description('With `SPECIFIC_TEAMS`: the other teams that can use it'),
    test_credential_enabled: Joi.boolean().description('Whether story drafts use the test value'),
    test_credential: responseSchema({
      allowed_hosts: Joi.array().items(Joi.string()).description('Hosts that it may be sent to'),
      ...SETTINGS,
      reconnect_needed: reconnectSchema,
      created_at: timeSchema,
      updated_at: timeSchema,
    })
      .allow(null)
      .description('Test value for story drafts, without its secrets'),
    ...SETTINGS,
    reconnect_needed: reconnectSchema,
    created_at: timeSchema,
    updated_at: timeSchema,
  }).append({
    redirect_url: Joi.string().description(
      'Returned on creation and update for `authorization_code`: the URL to authorize access, valid for fifteen minutes',
    ),
    referencing_action_ids: Joi.array()
      .items(idSchema)
      .description('With `include_referencing_action_ids`: the actions that refer to it'),
  }),
);

/** For the documentation. */
export const userCredentialExample = {
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
  reconnect_needed: null,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** Without its secrets: they can be set, and used by stories, but not read. */
export function presentUserCredential({ credential, redirectUrl, actionIds }: CredentialView) {
  const { test } = credential;
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
    test_credential_enabled: credential.testEnabled,
    test_credential:
      test === undefined
        ? null
        : {
            allowed_hosts: test.allowedHosts,
            ...shownOf(test),
            reconnect_needed: reconnectOf(test),
            created_at: timestamp(test.createdAt),
            updated_at: timestamp(test.updatedAt),
          },
    ...shownOf(credential),
    reconnect_needed: reconnectOf(credential),
    created_at: timestamp(credential.createdAt),
    updated_at: timestamp(credential.updatedAt),
    ...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
    ...(actionIds !== undefined && { referencing_action_ids: actionIds }),
  };
}

function reconnectOf({ reconnectSince, reconnectReason }: CredentialRecord) {
  return reconnectSince && { since: timestamp(reconnectSince), reason: reconnectReason ?? '' };
}

function shownOf({ settings }: CredentialRecord) {
  return Object.fromEntries(SHOWN.map((name) => [name, settings[name] ?? null]));
}
