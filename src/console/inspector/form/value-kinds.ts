import { hasEntries, LongNumber } from '../../text/exact-json.js';

/** The kinds of values that a field can hold. */
export type ValueKind = 'text' | 'number' | 'truth' | 'list' | 'object' | 'nothing';

/** Each kind with its name, in the order of the choice. */
export const KIND_NAMES: readonly (readonly [ValueKind, string])[] = [
  ['text', 'Text or template'],
  ['number', 'Number'],
  ['truth', 'True or false'],
  ['list', 'List'],
  ['object', 'Object'],
  ['nothing', 'Null'],
];

/** What a JSON Schema says about a value, as far as fields show it. */
export interface FieldSchema {
  kinds: readonly ValueKind[];
  choices: readonly string[] | undefined;
  /** Usual names of keys. */
  keys: readonly string[];
  items: Schema | undefined;
  properties: Readonly<Record<string, Schema>>;
  minimum: number | undefined;
  maximum: number | undefined;
  isWhole: boolean;
}

/** A JSON Schema of an option (`agent_types`). */
export type Schema = Readonly<Record<string, unknown>>;

const ALL_KINDS: readonly ValueKind[] = KIND_NAMES.map(([kind]) => kind);
const KINDS: Readonly<Record<string, ValueKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'truth',
  array: 'list',
  object: 'object',
  null: 'nothing',
};

/** Returns what a schema says. A text is always allowed: a template may give any value. */
export function readSchema(schema: Schema): FieldSchema {
  const variants = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Schema[]).map(readSchema) : [];
  const own = typeof schema['type'] === 'string' ? KINDS[schema['type']] : undefined;
  const kinds = own === undefined ? variants.flatMap((each) => each.kinds) : [own];
  const { enum: choices, items, properties, propertyNames, minimum, maximum } = schema;
  const keys = isKeyed(propertyNames) ? propertyNames['enum'] : undefined;
  return {
    kinds: kinds.length === 0 ? ALL_KINDS : [...new Set<ValueKind>([...kinds, 'text'])],
    choices: Array.isArray(choices) ? choices.map(String) : undefined,
    keys: Array.isArray(keys) ? keys.map(String) : [],
    items: isKeyed(items) ? items : variants.find((each) => each.items !== undefined)?.items,
    properties: isKeyed(properties)
      ? (properties as Record<string, Schema>)
      : (variants.find((each) => Object.keys(each.properties).length > 0)?.properties ?? {}),
    minimum: typeof minimum === 'number' ? minimum : undefined,
    maximum: typeof maximum === 'number' ? maximum : undefined,
    isWhole: schema['type'] === 'integer',
  };
}

/** Returns the kind of a value. */
export function kindOfValue(value: unknown): ValueKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof LongNumber) return 'number';
  if (typeof value === 'boolean') return 'truth';
  if (Array.isArray(value)) return 'list';
  return hasEntries(value) ? 'object' : 'nothing';
}

/** Returns the value as one of another kind, with as much of it as that kind can hold. */
export function asKind(value: unknown, kind: ValueKind): unknown {
  if (kindOfValue(value) === kind) return value;
  return AS_KIND[kind](value);
}

const isNothing = (value: unknown) => value === undefined || value === null;

const isEmpty = (value: unknown) => hasEntries(value) && Object.keys(value).length === 0;

const AS_KIND: Record<ValueKind, (value: unknown) => unknown> = {
  text: (value) => (isNothing(value) || isEmpty(value) ? '' : JSON.stringify(value)),
  number: (value) => (typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : 0),
  truth: (value) => value === 'true' || value === 1,
  list: (value) => (isNothing(value) || value === '' ? [] : [value]),
  object: () => ({}),
  nothing: () => null,
};

/** Returns the object with another name for the entry at this place; undefined if another entry has the name. */
export function renamedKey(object: object, at: number, name: string): Record<string, unknown> | undefined {
  const entries = Object.entries(object);
  if (entries.some(([key], place) => key === name && place !== at)) return undefined;
  return Object.fromEntries(entries.map(([key, value], place) => [place === at ? name : key, value]));
}

/** Returns a name that no entry has: `key`, `key 2`. */
export function freeKey(object: object): string {
  let name = 'key';
  for (let count = 2; Object.hasOwn(object, name); count += 1) name = `key_${count}`;
  return name;
}

/** Whether a value is an object, and no list. */
export function isKeyed(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasEntries(value) && !Array.isArray(value);
}
