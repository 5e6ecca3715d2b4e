import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  idSchema,
  pageKeys,
  type PageQuery,
  placesOf,
  responseSchema,
  ROLES,
  timeSchema,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { nameField } from '../../people/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { allowedHostsField } from './reach/allowed-hosts-field.js';
import type { CredentialChange } from './credential-plan.js';
import type { CredentialRecord } from './credential-record-store.js';
import { CREDENTIAL_MODES } from './modes/credential-modes.js';
import { MAX_VALUE_CHARACTERS } from './modes/mode-fields.js';
import type { Problem } from '../../platform/errors.js';
import type { KeyOfCredential, NewCredential, NewCredentialParts } from './create-credential.js';
import type { TeamCredentialService } from './team-credential-service.js';

/** A credential to create at `/credentials`: with a value, or with an API key of this server (spec §2.7). */
interface TextCredential {
  name: string;
  team_id?: number;
  description?: string | null;
  allowed_hosts?: string[];
  mode: 'text' | 'fabula';
  value?: string;
  key?: KeyOfCredential;
}

interface Services {
  credentials: TeamCredentialService;
}

type ListQuery = PageQuery & { team_id?: number };

interface UpdateBody {
  name?: string;
  value?: string;
  description?: string | null;
  allowed_hosts?: string[];
  team_id?: number;
  mode?: string;
}

/** Keys of a response that clients send back. */
const ECHOED = ['id', 'slug', 'unrestricted', 'api_key_id', 'created_at', 'updated_at'];

const modeField = Joi.string()
  .lowercase()
  .valid('text', 'fabula')
  .description('`text`: a secret value; `fabula`: an API key of this server');
const shownMode = Joi.string().valid('fabula', ...CREDENTIAL_MODES.map((mode) => mode.toLowerCase()));
const valueField = Joi.string().max(MAX_VALUE_CHARACTERS).description('The secret itself');
const descriptionField = Joi.string().allow('', null).max(10_000);

const hostsField = allowedHostsField.description(
  'Hosts that it may be sent to: `api.example.com`, `*.example.com`, `api.example.com:8443`. For mails, the recipient domains. An empty list allows any host',
);

const keyField = Joi.object({
  kind: Joi.string()
    .valid('personal', 'tenant', 'team')
    .default('team')
    .description('Key type, which sets its permissions'),
  role: Joi.string()
    .valid(...ROLES)
    .description('Only for team keys'),
  expires_at: timeField.allow(null),
});

const createBody = Joi.object<TextCredential>({
  name: nameField.required(),
  team_id: idField,
  description: descriptionField,
  allowed_hosts: hostsField,
  mode: modeField.default('text').description('`fabula` creates an API key of this server and stores it'),
  value: valueField.description('For the mode `text`'),
  key: keyField.description('For the mode `fabula`'),
});

const credentialResponse = responseSchema({
  id: idSchema,
  name: Joi.string(),
  slug: Joi.string().allow('').description('Alternative name for templates'),
  team_id: idSchema,
  description: Joi.string().allow(''),
  allowed_hosts: Joi.array().items(Joi.string()).description('Hosts that it may be sent to'),
  unrestricted: Joi.boolean().description(
    'Whether it may be sent to any host, because it has no `allowed_hosts`',
  ),
  mode: shownMode.description('How it provides its secret'),
  api_key_id: idSchema.allow(null).description('For the mode `fabula`'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 6,
  name: 'Jira token',
  slug: 'jira_token',
  team_id: 2,
  description: '',
  allowed_hosts: ['*.atlassian.net'],
  unrestricted: false,
  mode: 'text',
  api_key_id: null,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** Without the value: it can be set, and used by stories, but not read. */
function present(credential: CredentialRecord) {
  return {
    id: credential.id,
    name: credential.name,
    slug: credential.slug,
    team_id: credential.teamId,
    description: credential.description ?? '',
    allowed_hosts: credential.allowedHosts,
    unrestricted: credential.allowedHosts.length === 0,
    mode: credential.apiKeyId === null ? credential.mode.toLowerCase() : 'fabula',
    api_key_id: credential.apiKeyId,
    created_at: timestamp(credential.createdAt),
    updated_at: timestamp(credential.updatedAt),
  };
}

function changeOf(body: Usable<UpdateBody>): CredentialChange {
  const { allowed_hosts: hosts, name, description, value, team_id: teamId, mode } = body;
  return {
    name,
    teamId,
    // A credential that holds a key of this server is a text.
    mode: (mode === 'fabula' ? 'TEXT' : mode?.toUpperCase()) as CredentialChange['mode'],
    description,
    allowedHosts: hosts as string[] | undefined,
    settings: { ...(value !== undefined && { value }) },
  };
}

const routes = crudRoutes<Services, CredentialRecord>({
  tag: 'Credentials',
  ...placesOf('/api/v1/credentials', example.id),
  response: credentialResponse,
  example,
  present,
});

/** Endpoints of credentials (spec §2.7). */
export const credentialRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List credentials',
    description: 'Values are never returned.',
    plural: 'credentials',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    exampleQuery: { team_id: 2 },
    handle: ({ actor, query, window }, { credentials }) =>
      credentials.list(actor, { teamId: query.team_id }, window),
  }),

  routes.create<TextCredential>({
    summary: 'Create a credential',
    description:
      'For TEAM_ADMINs. With `mode: "fabula"` and a `key`, one request creates an API key and stores it as the credential without showing it. By default it is a team key of the credential’s team; see `key.kind`. Creating it requires the same permissions as creating an API key. Every editor of the team’s stories gets the permissions of the key, so `tenant` and `personal` keys and the role TEAM_ADMIN are rejected unless the operator sets `CREDENTIAL_KEYS_ABOVE_EDITOR`.',
    body: createBody,
    exampleBody: {
      name: 'Jira token',
      team_id: 2,
      value: 's3cret',
      allowed_hosts: ['*.atlassian.net'],
    },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'credential.create',
    ignored: ECHOED,
    async check({ actor, body }, { credentials }) {
      return [...(await credentials.checkCreate(actor, newCredentialOf(body))), ...contentProblems(body)];
    },
    handle: ({ actor, body }, { credentials }) =>
      credentials.create(actor, { ...newCredentialOf(body), ...named(body) }, contentProblems(body)),
  }),

  routes.get({
    summary: 'Get a credential',
    description: 'The value is not returned.',
    handle: ({ actor, params }, { credentials }) => credentials.get(actor, params.id),
  }),

  ...routes.update<UpdateBody>({
    summary: 'Update a credential',
    description:
      'For TEAM_ADMINs. Adding a host requires the value again. Stories use the new value within five seconds. Credentials of the mode `fabula` keep their key.',
    body: Joi.object<UpdateBody>({
      name: nameField,
      value: valueField,
      description: descriptionField,
      allowed_hosts: hostsField,
      team_id: idField.description('Must be the current team; a credential cannot be moved'),
      mode: shownMode.description('Must be the current mode; it cannot be changed'),
    }),
    exampleBody: { value: 's3cret' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'credential.update',
    ignored: ECHOED,
    check: ({ actor, params, body }, { credentials }) =>
      credentials.checkUpdate(actor, params.id, changeOf(body)),
    handle: ({ actor, params, body }, { credentials }) =>
      credentials.update(actor, params.id, changeOf(body)),
  }),

  routes.delete({
    summary: 'Delete a credential',
    description:
      'For TEAM_ADMINs. With the mode `fabula`, also revokes its API key. While that key is valid, deleting the credential requires permission to revoke it: the user of a personal key, or an Owner for tenant and team keys.',
    audit: 'credential.delete',
    handle: ({ actor, params }, { credentials }) => credentials.delete(actor, params.id),
  }),
];

/** Returns the usable parts as the service takes them. */
function newCredentialOf(body: Usable<TextCredential>): NewCredentialParts {
  const { mode, value, key, description, allowed_hosts: allowedHosts } = body;
  return {
    ...('team_id' in body && { team_id: body.team_id }),
    description,
    allowedHosts: allowedHosts as string[] | undefined,
    ...(mode !== undefined && { mode: 'TEXT' as const }),
    ...(mode === 'text' && { settings: { ...(value !== undefined && { value }) } }),
    ...(mode === 'fabula' && key !== undefined && { key }),
  };
}

/** Returns what a whole body has besides: its name and mode. */
function named({ name }: TextCredential): Pick<NewCredential, 'name' | 'mode'> {
  return { name, mode: 'TEXT' };
}

/** Returns the problems of value and key, which belong to one mode each; without a valid mode they are not checked. */
function contentProblems({ mode, value, key }: Usable<TextCredential>): Problem[] {
  if (mode === 'text') return key === undefined ? [] : [misplaced('key', mode)];
  if (mode !== 'fabula') return [];
  const missing = { message: '"key" is required with the mode "fabula"', details: 'key' };
  return [
    ...(value === undefined ? [] : [misplaced('value', mode)]),
    ...(key === undefined ? [missing] : []),
  ];
}

function misplaced(details: string, mode: string): Problem {
  return { message: `"${details}" is not allowed with the mode "${mode}"`, details };
}
