import type { GraphAction } from '../../../../clients/typescript/api.js';
import { hasEntries } from '../../text/exact-json.js';
import type { Fragment } from './fragment.js';
import { WEBHOOK_TYPE } from '../commands/link-commands.js';

/** Keys whose values are secrets: `api_key`, `X-Auth-Token`, `basic_auth`. */
const SECRET_KEY =
  /secret|token|passw|passphrase|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|signature|authori[sz]ation|cookie|credentials?$|_auth$/i;
/** A part of a text that is filled in when the action runs. */
const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}|<<.*?>>/gs;
/** `Bearer`, `Basic`: the word before a secret in a header. */
const SCHEME = /^\s*(?:bearer|basic|token|digest|apikey|key|bot|splunk|genietoken)\b[\s:=]*/i;
const IN_ADDRESS =
  /([?&;](?:[\w-]*(?:key|token|secret|sig|signature|password|pass|pwd|auth))=)([^&#\s"'{}<>]+)/gi;
const USER_IN_ADDRESS = /(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@{}<>"']+@/gi;

/**
 * Returns a fragment without what looks like a secret: addresses of webhooks, tokens, passwords, and users in addresses.
 * References to credentials stay, since they are names.
 */
export function withoutSecrets(fragment: Fragment): Fragment {
  return { ...fragment, agents: fragment.agents.map(withoutSecret) };
}

function withoutSecret(action: GraphAction): GraphAction {
  const options = scrubbed(action.options) as GraphAction['options'];
  if (action.type !== WEBHOOK_TYPE) return { ...action, options };
  const { secret: _secret, ...others } = options;
  return { ...action, options: others };
}

function scrubbed(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(USER_IN_ADDRESS, '$1').replace(IN_ADDRESS, '$1');
  }
  if (!hasEntries(value)) return value;
  if (Array.isArray(value)) return value.map(scrubbed);
  const named = nameIn(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => {
      const isSecret =
        SECRET_KEY.test(key) || (key === 'value' && named !== undefined && SECRET_KEY.test(named));
      return [key, isSecret ? blanked(inside) : scrubbed(inside)];
    }),
  );
}

/** The name beside a value, as in a list of headers: `{ "name": "Authorization", "value": "…" }`. */
function nameIn(object: object): string | undefined {
  const name = Reflect.get(object, 'name') ?? Reflect.get(object, 'key');
  return typeof name === 'string' ? name : undefined;
}

/** A text that is only a template names its secret, and stays; truths and structure stay as well. */
function blanked(value: unknown): unknown {
  if (typeof value === 'string') return isReference(value) ? value : '';
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(blanked);
  if (hasEntries(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, blanked(inside)]));
  }
  return '';
}

function isReference(text: string): boolean {
  if (text.startsWith('=')) return !/["'][^"']{8,}["']/.test(text);
  const rest = text.replace(TEMPLATE, '');
  return rest !== text && rest.replace(SCHEME, '').trim() === '';
}
