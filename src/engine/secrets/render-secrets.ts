import type { JsonValue } from '../../platform/json.js';
import type { SecretCalls } from '../../language/secrets/secret-calls.js';
import {
  markerOf,
  readContent,
  type ReferenceContent,
  replaceReferences,
  splitAtReferences,
} from '../../platform/text/secret-reference.js';
import { computeDeferred } from '../../language/secrets/deferred-functions.js';
import { TemplateError } from '../../language/template-error.js';
import type { LogEntry } from '../state/outcome.js';
import { mapTexts, textsOf } from './texts-of.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Most characters of a deferred function's values as JSON. */
const MAX_CHARACTERS = 1024 * 1024;
/** Most warnings of one agent execution. */
const MAX_WARNINGS = 20;

export interface SecretCallsDeps {
  /** @throws when no key is configured. */
  sign: (content: ReferenceContent) => string;
  /** Receives the warnings. */
  logs: LogEntry[];
  /** The values of credentials that the action may check signatures with, by their signed reference. */
  keys?: ReadonlyMap<string, string> | undefined;
}

/** Returns what templates need to defer functions of secrets; a function that cannot be deferred logs a warning. */
export function createSecretCalls(teamId: number, { sign, logs, keys }: SecretCallsDeps): SecretCalls {
  const warned = new Set<string>();
  let hasMarked = false;
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
    keyOf: (reference) => keyOf(reference, { teamId, sign, keys }),
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
    throw new TemplateError('the key refers to no credential of this team');
  }
  const { credential, call } = content;
  if (call === undefined) return namedKey(found.text, credential, deps.keys);
  return computeDeferred(
    call.name,
    call.values.map((value) =>
      mapTexts(value, (inner) => replaceReferences(inner, (part) => keyOf(part.text, deps))),
    ),
  );
}

/** By the whole reference: a sender can write another one with the credential's name. */
function namedKey(reference: string, credential: string, keys: KeyDeps['keys']): string {
  const key = keys?.get(reference);
  if (key !== undefined) return key;
  throw new TemplateError(`the action must name the credential itself: CREDENTIAL.${credential}`);
}
