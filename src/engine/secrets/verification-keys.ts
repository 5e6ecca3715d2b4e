import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { escapedTimes, readContent, splitAtReferences } from '../../platform/secrets/secret-reference.js';
import type { TemplateLanguage, TemplateScope } from '../../language/face.js';
import type { OpenedSecrets } from './opened-secrets.js';
import { textsOf } from './redaction/texts-of.js';

const CHECKS = /_verify|secret_equal/i;
const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** The options of an action, and what their templates see. */
export interface VerificationInput {
  options: JsonObject;
  language: TemplateLanguage;
  credentials: TemplateScope['credentials'];
  /** Returns the parts of the event as JSON: an action before may have chosen the credential. */
  eventTexts: () => string[];
}

/**
 * Returns the credentials that an action may check signatures with, by their signed reference (decision 0026): those that it
 * names, or that its event refers to, if it checks any. @throws as `OpenedSecrets.open`
 */
export async function verificationKeys(
  input: VerificationInput,
  opened: () => Pick<OpenedSecrets, 'open'>,
): Promise<ReadonlyMap<string, string>> {
  const named = namedWithChecks(input.options, input.language);
  if (named === undefined) return NO_KEYS;
  const written = named.map((name) => input.credentials.get(name)).filter((text) => text !== undefined);
  const references = [...referencesIn([...written, ...input.eventTexts()])];
  const values = await opened().open(references);
  const pairs = references.map((reference, index): [string, string] => [reference, values[index] ?? '']);
  // A reference that this server has not signed is not opened: a sender wrote it.
  return new Map(pairs.filter(([reference, value]) => value !== reference));
}

/** Cached by object: options do not change. */
const known = new WeakMap<JsonObject, { named: string[] | undefined }>();

/** Returns the names of credentials in the options; undefined if these check nothing. */
function namedWithChecks(options: JsonObject, language: TemplateLanguage): string[] | undefined {
  const kept = known.get(options);
  if (kept !== undefined) return kept.named;
  const named = CHECKS.test(stringifyJson(options)) ? namesIn(options, language) : undefined;
  known.set(options, { named });
  return named;
}

function namesIn(options: JsonObject, language: TemplateLanguage): string[] {
  const names = [...textsOf(options)].flatMap((text) => language.dependencies(text).credentials);
  return [...new Set(names)];
}

/** Returns the references to credentials in texts, as templates write them, also those that functions were given. */
function referencesIn(texts: JsonValue[]): Set<string> {
  const found = new Set<string>();
  const pending = [...texts];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const text of textsOf(next)) {
      for (const part of splitAtReferences(text)) {
        if (typeof part === 'string') continue;
        const content = readContent(part.body);
        if (content?.call !== undefined) pending.push(content.call.values);
        else if (content !== undefined) found.add(escapedTimes(part.text, 0));
      }
    }
  }
  return found;
}
