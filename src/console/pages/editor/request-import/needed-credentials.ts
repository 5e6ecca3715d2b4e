import type { CreateUserCredentialBody, OpenapiCredential } from '../../../../../clients/typescript/api.js';
import type { FoundSecret } from '../../../request-import/found-secrets.js';
import { credentialReference, isObject, type StoryLanguage } from '../../../request-import/literal-text.js';

/** An HTTP request action that a command or a document describes. */
export interface ImportedAction {
  name: string;
  options: Record<string, unknown>;
}

/** A credential that imported options refer to. */
export interface NeededCredential {
  /** The name in the options. */
  name: string;
  /** The options that refer to it: `headers.Authorization`. */
  places: readonly string[];
  about: string | null;
  hosts: readonly string[];
  /** The secret, as far as it is known; empty otherwise. */
  secret: string;
  /** What is sent to create it, without its secret. */
  body: Pick<CreateUserCredentialBody, 'name' | 'mode'> & Partial<CreateUserCredentialBody>;
  /** The key of its secret in that; undefined: more is needed than one text, such as a certificate. */
  setting: 'value' | 'aws_secret_key' | undefined;
}

/** What becomes of a reference to a credential. */
export type CredentialChoice =
  | { kind: 'use'; name: string }
  | { kind: 'create'; name: string; secret: string }
  | { kind: 'later' };

/** Returns the credentials for the secrets of a command: one for each name. */
export function neededForCurl(secrets: readonly FoundSecret[]): NeededCredential[] {
  const names = [...new Set(secrets.map(({ suggestion }) => suggestion.name))];
  return names.flatMap((name) => {
    const same = secrets.filter(({ suggestion }) => suggestion.name === name);
    const [first] = same;
    if (first === undefined) return [];
    const { suggestion, setting, value } = first;
    const places = same.map(({ where }) => where);
    return [
      {
        name,
        places,
        about: null,
        hosts: suggestion.allowed_hosts,
        secret: value,
        body: suggestion,
        setting,
      },
    ];
  });
}

/** Returns the credentials for the security schemes of an operation. */
export function neededForOpenapi(found: readonly OpenapiCredential[]): NeededCredential[] {
  return found.map(({ where, description, suggestion }) => {
    const body = suggestion as NeededCredential['body'];
    return {
      name: body.name,
      places: [where],
      about: description,
      hosts: body.allowed_hosts ?? [],
      secret: '',
      body,
      setting: SETTINGS[body.mode],
    };
  });
}

const SETTINGS: Partial<Record<CreateUserCredentialBody['mode'], 'value' | 'aws_secret_key'>> = {
  TEXT: 'value',
  AWS: 'aws_secret_key',
};

/** Returns imported options with other names for their credentials. */
export function withCredentialNames(
  options: Record<string, unknown>,
  names: ReadonlyMap<string, string>,
  language: StoryLanguage,
): Record<string, unknown> {
  const renamed = new Map(
    [...names].map(([from, to]) => [credentialReference(from, language), credentialReference(to, language)]),
  );
  if (renamed.size === 0) return options;
  const references = new RegExp(
    [...renamed.keys()].map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  );
  const inText = (text: string) => text.replace(references, (found) => renamed.get(found) ?? found);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(walk);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]))
      : value;
  };
  return walk(options) as Record<string, unknown>;
}

/** Whether a credential may be sent to each of the hosts; one without hosts of its own may be sent anywhere. */
export function mayGoTo(allowed: readonly string[], hosts: readonly string[]): boolean {
  return allowed.length === 0 || hosts.every((host) => allowed.some((each) => fits(each, host)));
}

function fits(allowed: string, host: string): boolean {
  const plain = host.replace(/:\d+$/, '').toLowerCase();
  const wanted = allowed.toLowerCase();
  if (wanted.startsWith('*.')) return plain.endsWith(wanted.slice(1));
  return wanted === plain || wanted === host.toLowerCase();
}

/** The options that say what is sent: an import replaces all of them, and keeps how the response is handled. */
const OF_REQUEST = [
  'local',
  'url',
  'method',
  'content_type',
  'payload',
  'query_params',
  'params_encoder',
  'headers',
  'basic_auth',
  'digest_auth',
  'mutual_tls',
  'user_agent',
];

/** Returns the options of an open HTTP action with the request that was imported. */
export function withRequest(
  options: Record<string, unknown>,
  imported: Record<string, unknown>,
): Record<string, unknown> {
  const kept = Object.entries(options).filter(([name]) => !OF_REQUEST.includes(name));
  return { ...imported, ...Object.fromEntries(kept.filter(([name]) => !(name in imported))) };
}
