import type Joi from 'joi';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../platform/json.js';

/** Number of cached sets of values for one schema. */
const MAX_KNOWN = 200;
/** Maximum length of a number as text. */
const MAX_CHARS = 100;

/** Caches the results of validating an action's options. */
export interface CheckedOptions {
  /** Returns the options as the schema would convert them; undefined: the schema must validate them. */
  find(rendered: JsonObject): JsonObject | undefined;
  /** Caches the result of a validation. */
  keep(rendered: JsonObject, made: JsonObject): void;
}

/**
 * An action's numbers and flags, such as sizes and limits, are mostly equal for every event. Validating them each time
 * costs as much as the action itself, so the result is cached by their values. Keys that accept any value are copied.
 * Only texts of our own are cached, such as a mode: another text may hold a credential, and a credential is kept
 * in memory for at most five seconds (docs/operate/key-rotation.md). Returns undefined for a schema whose keys cannot
 * be validated one by one.
 */
export function createCheckedOptions(schema: Joi.Schema): CheckedOptions | undefined {
  const keys = keysOf(schema.describe());
  if (keys === undefined) return undefined;
  const known = new LRUCache<string, Made>({ max: MAX_KNOWN });
  return {
    find(rendered) {
      const values = valuesOf(rendered, keys);
      const made = values === undefined ? undefined : known.get(values);
      if (made === undefined) return undefined;
      const options = { ...rendered, ...made.values };
      for (const name of made.absent) delete options[name];
      return options;
    },
    keep(rendered, made) {
      const values = valuesOf(rendered, keys);
      const checked = Object.entries(made).filter(([name]) => keys.checked.has(name));
      // An object from one run's options must not become part of another run's options.
      if (values === undefined || checked.some(([, value]) => typeof value === 'object')) return;
      const absent = Object.keys(rendered).filter(
        (name) => keys.checked.has(name) && made[name] === undefined,
      );
      known.set(values, { values: Object.fromEntries(checked), absent });
    },
  };
}

/** The result of validating the checked keys. */
interface Made {
  values: JsonObject;
  /** Keys that are present but count as absent. */
  absent: string[];
}

interface Keys {
  checked: ReadonlySet<string>;
  /** Texts that may be cached, for checked keys of any text: our own words (`oneOf` in options.ts). */
  texts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys that accept any value; some of them are required. */
  free: ReadonlySet<string>;
}

/** Returns the cache key: everything that the schema's result depends on. Undefined if it must not be cached. */
function valuesOf(rendered: JsonObject, { checked, texts, free }: Keys): string | undefined {
  let values = '';
  for (const name of checked) {
    const value = rendered[name];
    if (typeof value === 'object' && value !== null) return undefined;
    if (typeof value === 'string' && !mayBeKept(value, texts.get(name))) return undefined;
    values += `${typeof value} ${value}${END}`;
  }
  for (const name of free) values += rendered[name] === undefined ? '-' : '+';
  return values;
}

/** Ends each value; no cached text contains it. */
const END = '\n';

function mayBeKept(text: string, words: ReadonlySet<string> | undefined): boolean {
  if (words !== undefined) return text === '' || words.has(text);
  return text.length <= MAX_CHARS && !text.includes(END);
}

/** Returns the keys of an object schema that allows other keys and has no rule across keys; otherwise undefined. */
function keysOf({ type, flags, keys, ...rest }: Joi.Description): Keys | undefined {
  const isPlain = type === 'object' && JSON.stringify(flags) === '{"unknown":true}';
  if (!isPlain || Object.keys(rest).length > 0) return undefined;
  const free = new Set<string>();
  const checked = new Set<string>();
  const texts = new Map<string, ReadonlySet<string>>();
  for (const [name, key] of Object.entries<Joi.Description>(keys ?? {})) {
    (FREE.has(JSON.stringify(key)) ? free : checked).add(name);
    if (key.type !== 'number' && key.type !== 'boolean') texts.set(name, wordsOf(key));
  }
  return referredTo(keys).every((name) => checked.has(name)) ? { checked, texts, free } : undefined;
}

function wordsOf({ metas = [] }: Joi.Description): ReadonlySet<string> {
  return new Set((metas as { words?: string[] }[]).flatMap(({ words = [] }) => words));
}

/** Descriptions of the keys that accept any value, as joi gives them. */
const FREE = new Set(['{"type":"any"}', '{"type":"any","flags":{"presence":"required"}}']);

/** Returns the keys on whose values the described key depends. */
export function referredTo(description: unknown): string[] {
  if (typeof description !== 'object' || description === null) return [];
  return Object.entries(description).flatMap(([name, part]) =>
    name === 'ref' ? [String((part as { path: string[] }).path[0])] : referredTo(part),
  );
}
