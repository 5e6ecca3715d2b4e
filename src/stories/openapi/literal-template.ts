import { isJsonObject, type JsonValue } from '../../platform/json.js';

/** A language of templates. */
export type TemplateKind = 'formula' | 'liquid';

/** Returns a template that renders to exactly this text. */
export function literalTemplate(text: string, language: TemplateKind): string {
  const marks = language === 'liquid' ? /\{[{%]/g : /<[<%]/g;
  const plain = (mark: string) => (language === 'liquid' ? `{{ '${mark}' }}` : `<<'${mark}'>>`);
  const escaped = text.replace(marks, plain);
  // A leading `=` makes a formula of the text; quotes around a template would be taken away.
  if (language === 'formula' && /^\s*=/.test(escaped)) return escaped.replace('=', plain);
  return escaped !== text && escaped.startsWith('"') ? escaped.replace('"', plain) : escaped;
}

/** Returns a value of JSON with each text, at any depth, as `literalTemplate`. */
export function literalTemplates(value: JsonValue, language: TemplateKind): JsonValue {
  if (typeof value === 'string') return literalTemplate(value, language);
  if (Array.isArray(value)) return value.map((item) => literalTemplates(item, language));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, literalTemplates(item, language)]),
  );
}

/** Returns the template that refers to a part of a root such as `CREDENTIAL` or `LOCAL`. */
export function referenceTo(root: string, name: string, language: TemplateKind): string {
  const place = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `["${name.replace(/["\\]/g, '\\$&')}"]`;
  return language === 'liquid' ? `{{ .${root}${place} }}` : `<<${root}${place}>>`;
}
