import type Joi from 'joi';

/** The parts of joi's `describe()` that say which names a value may have. */
interface Description {
  type?: string;
  flags?: { unknown?: boolean };
  keys?: Record<string, Description>;
  patterns?: unknown[];
  renames?: unknown[];
  items?: Description[];
  matches?: Condition[];
  whens?: Condition[];
}

/** An alternative, or a condition with what it adds to the schema. */
interface Condition {
  schema?: Description;
  then?: Description;
  otherwise?: Description;
}

/** The names that a value may have, as far as a schema says it. */
export interface SchemaKeys {
  /** Whether other names may stand beside them. */
  isOpen: boolean;
  /** The schema keys of each name. */
  names: ReadonlyMap<string, SchemaKeys>;
  /** The schema keys of an element, if the value is a list. */
  element: SchemaKeys | undefined;
}

/** Any value at all. */
export const ANYTHING: SchemaKeys = { isOpen: true, names: new Map(), element: undefined };

const read = new WeakMap<Joi.Schema, SchemaKeys>();

/** Returns the names that `schema` knows, at any depth; alternatives count together. */
export function knownKeys(schema: Joi.Schema): SchemaKeys {
  const found = read.get(schema);
  if (found !== undefined) return found;
  const made = keysIn([schema.describe()]);
  read.set(schema, made);
  return made;
}

function keysIn(descriptions: readonly Description[]): SchemaKeys {
  const forms = descriptions.flatMap(formsOf);
  const objects = forms.filter(({ type }) => type === 'object');
  const items = forms.flatMap((form) => form.items ?? []);
  const names = new Set(objects.flatMap(({ keys = {} }) => Object.keys(keys)));
  return {
    isOpen: objects.length === 0 || objects.some(takesOthers) || forms.some(({ type }) => type === 'any'),
    names: new Map(
      [...names].map((name) => [name, keysIn(objects.flatMap((one) => one.keys?.[name] ?? []))]),
    ),
    element: items.length === 0 ? undefined : keysIn(items),
  };
}

/** A schema, its alternatives, and what its conditions add. */
function formsOf(description: Description): Description[] {
  const conditions = [...(description.matches ?? []), ...(description.whens ?? [])];
  const others = conditions.flatMap(({ schema, then: yes, otherwise }) => [schema, yes, otherwise]);
  return [description, ...others.flatMap((one) => (one === undefined ? [] : formsOf(one)))];
}

function takesOthers({ flags, keys, patterns, renames }: Description): boolean {
  return keys === undefined || flags?.unknown === true || patterns !== undefined || renames !== undefined;
}
