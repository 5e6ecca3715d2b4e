import { isNumeric } from '../../../../platform/json/exact-number.js';
import { replaceEach } from '../../../filters/lists/replace-each.js';
import { MAX_OUTPUT_CHARACTERS, MAX_VALUE_DEPTH } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord, textOf } from '../../../values/values.js';
import { type FunctionCall, Lambda } from '../formula-function.js';

/**
 * Writes an object or a list as XML, as Rails does: two spaces a level, types as attributes, and elements of a list under
 * the singular of its name.
 * @param root name of the outer element; `hash`, or of a list `objects`, if it is empty.
 * @throws TemplateError for any other value, and if the result is too long or too deep.
 */
export function xmlOf(value: unknown, root: string, call: FunctionCall): string {
  if (value instanceof Lambda || !(isRecord(value) || Array.isArray(value)))
    throw new TemplateError('an object or a list is required');
  const writer = new XmlWriter(call);
  writer.element(root || (Array.isArray(value) ? 'objects' : 'hash'), value, 0);
  return writer.text();
}

/** Collects the lines, and stops as soon as they are too long together. */
class XmlWriter {
  readonly #call: FunctionCall;
  readonly #lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  #length = 0;

  constructor(call: FunctionCall) {
    this.#call = call;
  }

  element(name: string, value: unknown, depth: number): void {
    this.#call.step();
    if (depth > MAX_VALUE_DEPTH) throw new TemplateError(`nested deeper than ${MAX_VALUE_DEPTH} levels`);
    const tag = tagOf(name);
    if (isNothing(value)) return this.#line(depth, `<${tag} nil="true"/>`);
    if (Array.isArray(value)) return this.#list(tag, value, depth);
    if (value instanceof Lambda || !isRecord(value)) {
      return this.#line(depth, `<${tag}${typeOf(value)}>${escaped(textOf(value), this.#call)}</${tag}>`);
    }
    this.#line(depth, `<${tag}>`);
    for (const [key, entry] of Object.entries(value)) this.element(key, entry, depth + 1);
    this.#line(depth, `</${tag}>`);
  }

  text(): string {
    return this.#lines.join('');
  }

  #list(tag: string, elements: unknown[], depth: number): void {
    if (elements.length === 0) return this.#line(depth, `<${tag} type="array"/>`);
    this.#line(depth, `<${tag} type="array">`);
    const name = singularOf(tag);
    for (const element of elements) this.element(name, element, depth + 1);
    this.#line(depth, `</${tag}>`);
  }

  #line(depth: number, text: string): void {
    this.#length += 2 * depth + text.length + 1;
    if (this.#length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
    this.#lines.push(`${'  '.repeat(depth)}${text}\n`);
  }
}

function typeOf(value: unknown): string {
  if (typeof value === 'boolean') return ' type="boolean"';
  if (!isNumeric(value)) return '';
  return /^-?\d+$/.test(textOf(value)) ? ' type="integer"' : ' type="float"';
}

const MAX_NAME_CHARACTERS = 1_000;

/** Returns a name that XML allows: `-` for `_` and spaces, but for `_` at its start; `_` for what it does not allow. */
function tagOf(name: string): string {
  if (name.length > MAX_NAME_CHARACTERS)
    throw new TemplateError(`a name of more than ${MAX_NAME_CHARACTERS} characters is too long`);
  const start = /^_*/.exec(name)?.[0] ?? '';
  const rest = name
    .slice(start.length)
    .replace(/[_ ]/g, '-')
    .replace(/[^\p{L}\p{N}\-.:]/gu, '_');
  const tag = start + rest;
  return /^[\p{L}_]/u.test(tag) ? tag : `_${tag}`;
}

/** Endings of plural nouns, and what stands in their place in the singular; the first that fits counts. */
const SINGULARS: readonly [plural: RegExp, singular: string][] = [
  [/(news|series|species|status|alias|bus)$/i, '$1'],
  [/(status|alias|bus)es$/i, '$1'],
  [/people$/i, 'person'],
  [/children$/i, 'child'],
  [/men$/i, 'man'],
  [/movies$/i, 'movie'],
  [/([^aeiouy]|qu)ies$/i, '$1y'],
  [/(ss|x|ch|sh)es$/i, '$1'],
  [/ss$/i, 'ss'],
  [/s$/i, ''],
];

function singularOf(name: string): string {
  const found = SINGULARS.find(([plural]) => plural.test(name));
  return (found === undefined ? name : name.replace(...found)) || name;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** Escapes a text; what XML 1.0 cannot hold becomes U+FFFD. */
function escaped(text: string, { checkTime }: FunctionCall): string {
  return replaceEach(text, /[&<>\uFFFE\uFFFF\p{Cs}]|(?![\t\n\r\u007F-\u009F])\p{Cc}/gu, {
    by: (found) => ENTITIES.get(found) ?? '\uFFFD',
    checkTime,
  });
}
