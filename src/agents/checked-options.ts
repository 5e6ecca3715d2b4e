import type Joi from 'joi';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../platform/json.js';

/** Sets of values that are kept for one schema. */
const MAX_KNOWN = 200;
/** Of a number as text. */
const MAX_CHARS = 100;

/** What a schema made of options that it found right. */
export interface CheckedOptions {
  /** The options as the schema would make them; undefined: it has to be asked. */
  find(rendered: JsonObject): JsonObject | undefined;
  /** Keeps what the schema made of them. */
  keep(rendered: JsonObject, made: JsonObject): void;
}

/**
 * The numbers and the yes and no in an action's options are mostly the same for every event: a size, a limit. Asking the
 * schema each time costs as much as the action itself, so what it made of them is kept by their values. Keys that may be
 * anything are taken as they come. Of other texts only words of ours are kept, such as a mode: any other may hold a
 * credential, and those are held for five seconds at most (docs/operations/key-rotation.md). Undefined for schemas where one
 * key after the other does not say it all.
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
      // What was made of one run's options must not become part of another's.
      if (values === undefined || checked.some(([, value]) => typeof value === 'object')) return;
      const absent = Object.keys(rendered).filter(
        (name) => keys.checked.has(name) && made[name] === undefined,
      );
      known.set(values, { values: Object.fromEntries(checked), absent });
    },
  };
}

/** What the schema made of the checked keys. */
interface Made {
  values: JsonObject;
  /** Those that are as good as absent, though they stand there. */
  absent: string[];
}

interface Keys {
  checked: ReadonlySet<string>;
  /** The texts that may be kept, of those of the checked that may have any: words of ours (`oneOf` in options.ts). */
  texts: ReadonlyMap<string, ReadonlySet<string>>;
  /** May be anything; some must be there. */
  free: ReadonlySet<string>;
}

/** What the schema's answer depends on, as text; undefined where that is not to be kept. */
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

/** Ends each value; in no text that is kept. */
const END = '\n';

function mayBeKept(text: string, words: ReadonlySet<string> | undefined): boolean {
  if (words !== undefined) return text === '' || words.has(text);
  return text.length <= MAX_CHARS && !text.includes(END);
}

/** Of an object of named keys and any others, with no rule about several of them. */
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

/** Keys that may be anything, as joi describes them. */
const FREE = new Set(['{"type":"any"}', '{"type":"any","flags":{"presence":"required"}}']);

/** The keys on whose values others depend. */
function referredTo(description: unknown): string[] {
  if (typeof description !== 'object' || description === null) return [];
  return Object.entries(description).flatMap(([name, part]) =>
    name === 'ref' ? [String((part as { path: string[] }).path[0])] : referredTo(part),
  );
}
