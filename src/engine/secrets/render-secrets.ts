import type { JsonValue } from '../../platform/json.js';
import type { SecretCalls } from '../../language/secrets/secret-calls.js';
import {
  markerOf,
  readContent,
  type ReferenceContent,
  replaceReferences,
} from '../../platform/text/secret-reference.js';
import type { LogEntry } from '../state/outcome.js';
import { textsOf } from './texts-of.js';
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
}

/** Returns what templates need to defer functions of secrets; a function that cannot be deferred logs a warning. */
export function createSecretCalls(teamId: number, { sign, logs }: SecretCallsDeps): SecretCalls {
  const warned = new Set<string>();
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
    onMarker: (name, credential) =>
      warn(`${name} cannot read the credential "${credential}": it got ${markerOf(credential)} instead`),
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
