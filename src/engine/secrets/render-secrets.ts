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

/** Of the values of one deferred function, as JSON. */
const MAX_CHARACTERS = 1024 * 1024;
/** Warnings of one action. */
const MAX_WARNINGS = 20;

export interface SecretCallsDeps {
  /** @throws when no key is configured. */
  sign: (content: ReferenceContent) => string;
  /** Gets the warnings. */
  logs: LogEntry[];
}

/** What the templates of one action need to defer functions of secrets, with a warning for each that cannot be. */
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
      if (credential === undefined || JSON.stringify(values).length > MAX_CHARACTERS) return undefined;
      return sign({ team: teamId, credential, call: { name, values } });
    },
    onMarker: (name, credential) =>
      warn(`${name} cannot look into the credential "${credential}": it saw ${markerOf(credential)} instead`),
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
