import type { JsonValue } from '../../platform/json.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { computeDeferred, makesKeys, type SecretCalls, textOf } from '../../language/face.js';
import {
  markerOf,
  readContent,
  type ReferenceContent,
  replaceReferences,
  splitAtReferences,
} from '../../platform/secrets/secret-reference.js';
import type { AgentLogEntry } from '../state/outcome.js';
import { mapTexts, textsOf } from './redaction/texts-of.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Most characters of a deferred function's values as JSON. */
const MAX_CHARACTERS = 1024 * 1024;
/** Most checks of one action whose key is a credential: each is one guess (decision 0026). */
const MAX_CHECKS = 100;
/** Most warnings of one agent execution. */
const MAX_WARNINGS = 20;

export interface SecretCallsDeps {
  /** @throws when no key is configured. */
  sign: (content: ReferenceContent) => string;
  /** Receives the warnings. */
  logs: AgentLogEntry[];
  /** The values of credentials that the action may check signatures with, by their signed reference. */
  keys?: ReadonlyMap<string, string> | undefined;
}

/** Returns what templates need to defer functions of secrets; a function that cannot be deferred logs a warning. */
export function createTeamSecretCalls(teamId: number, { sign, logs, keys }: SecretCallsDeps): SecretCalls {
  const warned = new Set<string>();
  let hasMarked = false;
  let checks = 0;
  const warn = (message: string): void => {
    if (warned.has(message) || warned.size === MAX_WARNINGS) return;
    warned.add(message);
    logs.push({ level: 'warn', message });
  };
  return {
    defer(name, given) {
      const values = given as JsonValue[];
      const credential = firstCredential(values);
      if (credential === undefined || stringifyJson(values).length > MAX_CHARACTERS) return undefined;
      return sign({ team: teamId, credential, call: { name, values } });
    },
    onMarker(name, credential) {
      hasMarked = true;
      warn(`${name} cannot read the credential "${credential}": it got ${markerOf(credential)} instead`);
    },
    hasMarked: () => hasMarked,
    keyOf(reference) {
      checks += 1;
      if (checks > MAX_CHECKS) {
        throw new TemplateError(`more than ${MAX_CHECKS} checks with credentials in one action`);
      }
      return keyOf(reference, { teamId, sign, keys });
    },
  };
}

function firstCredential(values: JsonValue[]): string | undefined {
  let first: string | undefined;
  for (const text of textsOf(values)) {
    replaceReferences(text, ({ body }) => {
      first ??= readContent(body)?.credential;
      return undefined;
    });
  }
  return first;
}

type KeyDeps = Pick<SecretCallsDeps, 'sign' | 'keys'> & { teamId: number };

/** Returns the value of one reference to a credential of this team, with its functions computed. */
function keyOf(text: string, deps: KeyDeps): string {
  const [found, ...others] = splitAtReferences(text);
  if (found === undefined || typeof found === 'string' || others.length > 0) {
    throw new TemplateError('a credential must be the whole key, without other text');
  }
  const content = readContent(found.body);
  if (content?.team !== deps.teamId || deps.sign(content) !== found.text) {
    throw new TemplateError('the key does not refer to a credential of this team');
  }
  const { credential, call } = content;
  if (call === undefined) return namedKey(found.text, credential, deps.keys);
  if (!makesKeys(call.name)) throw new TemplateError('a key can only be decoded, encoded or hashed');
  const values = call.values.map((value) =>
    mapTexts(value, (inner) => replaceReferences(inner, (part) => keyOf(part.text, deps))),
  );
  return madeKey(call.name, values);
}

/** One error for all: another message could tell something of the secret. */
function madeKey(name: string, values: JsonValue[]): string {
  try {
    if (/^base64(url)?_decode$/i.test(name) && !isBase64(textOf(values[0])))
      throw new TemplateError('no base64');
    return computeDeferred(name, values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError('the key cannot be computed from the credential');
  }
}

/** The decoder skips other characters: of a secret with such, the key would be a part that is guessed sooner. */
function isBase64(text: string): boolean {
  const plain = text
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  return Buffer.from(plain, 'base64url').toString('base64url') === plain;
}

/** By the whole reference: a sender can write another one with the credential's name. */
function namedKey(reference: string, credential: string, keys: KeyDeps['keys']): string {
  const key = keys?.get(reference);
  if (key !== undefined) return key;
  throw new TemplateError(`the action must refer to the credential directly: CREDENTIAL.${credential}`);
}
