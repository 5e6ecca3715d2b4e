import { hasEntries } from '../text/exact-json.js';
import { nameReference } from '../text/name-reference.js';

/** The two languages of templates. */
export type StoryLanguage = 'formula' | 'liquid';

/**
 * Returns a template that renders to exactly this text: what looks like a template in a pasted command is none.
 */
export function literalText(text: string, language: StoryLanguage): string {
  const marks = language === 'liquid' ? /\{[{%]/g : /<[<%]/g;
  const plain = (mark: string) => (language === 'liquid' ? `{{ '${mark}' }}` : `<<'${mark}'>>`);
  const escaped = text.replace(marks, plain);
  // A leading `=` makes a formula of the text; quotes around a template would be taken away.
  if (language === 'formula' && /^\s*=/.test(escaped)) return escaped.replace('=', plain);
  return escaped !== text && /^\s*"/.test(escaped) ? escaped.replace('"', plain) : escaped;
}

/** Whether a value is an object of JSON, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return hasEntries(value) && !Array.isArray(value);
}

/** Returns the template that refers to a credential. */
export function credentialReference(name: string, language: StoryLanguage): string {
  return nameReference('CREDENTIAL', name, language);
}
