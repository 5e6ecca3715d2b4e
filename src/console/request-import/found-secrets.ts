import { slugOf } from '../text/action-slug.js';
import { credentialReference, type StoryLanguage } from './literal-text.js';

/** What kind of secret a pasted command holds. */
export type SecretKind =
  | 'bearer'
  | 'basic'
  | 'api key header'
  | 'cookie'
  | 'api key in query'
  | 'secret in body'
  | 'aws keys'
  | 'client certificate';

/** A credential to create: fields of `POST /api/v1/user_credentials`, without its secret. */
export interface SuggestedCredential {
  name: string;
  mode: 'TEXT' | 'AWS' | 'MTLS';
  allowed_hosts: string[];
  aws_access_key?: string;
}

/** A secret that the options name as a credential instead of holding it. */
export interface FoundSecret {
  /** The option: `headers.Authorization`. */
  where: string;
  kind: SecretKind;
  /** The secret; empty if the command has a placeholder such as `$TOKEN` there. */
  value: string;
  /** The setting of the credential that the secret belongs in; of a certificate none. */
  setting: 'value' | 'aws_secret_key' | undefined;
  suggestion: SuggestedCredential;
}

/** Gathers the secrets of one command. */
export interface SecretList {
  secrets: FoundSecret[];
  /** Notes a secret and returns the template that stands for it. */
  keep(found: { where: string; kind: SecretKind; value: string; accessKey?: string }): string;
}

const NOUNS: Record<SecretKind, string> = {
  bearer: 'token',
  basic: 'password',
  'api key header': 'key',
  cookie: 'cookie',
  'api key in query': 'key',
  'secret in body': 'secret',
  'aws keys': 'aws',
  'client certificate': 'certificate',
};

/** `names` are credentials that a person has chosen, by `where`. */
export function createSecretList(
  host: string,
  { language, names = {} }: { language: StoryLanguage; names?: Readonly<Record<string, string>> | undefined },
): SecretList {
  const secrets: FoundSecret[] = [];
  const nameOf = (where: string, kind: SecretKind, value: string): string => {
    const same = secrets.find((secret) => secret.value !== '' && secret.value === value);
    const wanted = slugOf(`${host.replace(/^(?:api|www)\.|:\d+$/g, '')} ${NOUNS[kind]}`);
    const taken = new Set(secrets.map(({ suggestion }) => suggestion.name));
    let free = wanted;
    for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${count}`;
    return (Object.hasOwn(names, where) ? names[where] : undefined) ?? same?.suggestion.name ?? free;
  };
  return {
    secrets,
    keep({ where, kind, value, accessKey }) {
      const real = isPlaceholder(value) ? '' : value;
      const name = nameOf(where, kind, real);
      const mode = kind === 'aws keys' ? 'AWS' : kind === 'client certificate' ? 'MTLS' : 'TEXT';
      secrets.push({
        where,
        kind,
        value: real,
        setting: { TEXT: 'value' as const, AWS: 'aws_secret_key' as const, MTLS: undefined }[mode],
        suggestion: {
          name,
          mode,
          allowed_hosts: host === '' ? [] : [host],
          ...(accessKey !== undefined && { aws_access_key: accessKey }),
        },
      });
      return credentialReference(name, language);
    },
  };
}

/** Whether documentation wrote this where a secret goes: `$TOKEN`, `<token>`, `{{token}}`, `YOUR_API_KEY`, `***`. */
function isPlaceholder(text: string): boolean {
  return /^(?:\$\{?\w+\}?|%\w+%|<[^<>]*>|\{[^{}]*\}|\{\{[^{}]*\}\}|\[[^[\]]*\]|[*.…x]+|.*\byour[ _-].*)$/i.test(
    text.trim(),
  );
}

const KEY_NAME =
  /(?:^|[-_.])(?:api[-_]?key|apikey|access[-_]?key|secret|secret[-_]?key|token|auth|authorization|password|passwd|session|session[-_]?id|signature|csrf|xsrf|subscription[-_]?key|functions[-_]?key|app[-_]?key|application[-_]?key|integration[-_]?key|auth[-_]?key|license[-_]?key|private[-_]?key|credential)s?$/i;
/** Names that end alike and hold no secret. */
const NO_KEY_NAME =
  /(?:page|next|continuation|sync|cursor|idempotency|postman|surrogate|websocket)[-_]?(?:token|key)$/i;
/** Keys that are known by how they begin, and tokens of JSON (JWT). */
const KEY_VALUE =
  /^(?:gh[opsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{16,}|sk_live_\w{10,}|AIza[\w-]{30,}|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*)$/;

/** Whether a header holds a key, by its name or its value. */
export function isKeyHeader(name: string, value: string): boolean {
  return isKeyName(name) || KEY_VALUE.test(value);
}

/** Whether a field of a query holds a key. */
export function isKeyField(name: string, value: string): boolean {
  return isKeyName(name) || /^(?:key|appid|sig|hapikey)$/i.test(name) || KEY_VALUE.test(value);
}

const BODY_NAME =
  /^(?:password|passwd|pwd|client[-_]?secret|secret|secret[-_]?key|api[-_]?key|access[-_]?token|refresh[-_]?token|auth[-_]?token|private[-_]?key|bearer[-_]?token)$/i;

/** Whether a field of a body holds a secret. */
export function isSecretField(name: string, value: string): boolean {
  return BODY_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2')) || KEY_VALUE.test(value);
}

function isKeyName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1-$2');
  return KEY_NAME.test(words) && !NO_KEY_NAME.test(words);
}
