import { jsonFilters } from '../../../filters/json-filters.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord, textOf } from '../../../values/values.js';
import { boundedTextOf } from '../values/bounded-text.js';
import { type FunctionCall, type FunctionTable, Lambda } from '../formula-function.js';
import { flatItems, itemsFrom, lambdaFrom } from '../values/selectors.js';
import { viaFilter } from '../via-filter.js';
import { isWhole } from '../../../../platform/json/exact-arithmetic.js';
import { isNumeric } from '../../../../platform/json/exact-number.js';
import { orderedObject } from '../../../../platform/json/ordered-object.js';

type Entries = Record<string, unknown>;

/** Functions on objects. NULL is an empty one; keys keep their order. */
export const objectFunctions: FunctionTable = {
  OBJECT: {
    takes: 'key and value…',
    gives: 'an object of alternating keys and values, like `{a: 1}`; empty without arguments',
    example: ['OBJECT("domain", "x.org", "n", 1)', { domain: 'x.org', n: 1 }],
    run: (values) => {
      if (values.length % 2 === 1) throw new TemplateError('the last key has no value');
      return orderedObject(
        values.flatMap((key, index) => (index % 2 === 0 ? [[textOf(key), values[index + 1]]] : [])),
      );
    },
  },
  GET: {
    takes: 'value, path, other?',
    gives:
      'the value at the path, or the other value; for a list without such an element, the value of its first element that has one',
    example: ['GET({a: [{b: 1}]}, "a[0].b")', 1],
    run: viaFilter(jsonFilters.get),
  },
  SET: {
    takes: 'object, key, value',
    gives: 'the object with the value under the key',
    example: ['SET({a: 1}, "b", 2)', { a: 1, b: 2 }],
    run: ([object, key, value], call) =>
      orderedObject([...Object.entries(copiedFrom(object, call)), [textOf(key), value]]),
  },
  MERGE: {
    takes: 'object, more…',
    gives: 'one object with all keys; for duplicate keys, the last wins',
    example: ['MERGE({a: 1, b: 1}, {b: 2})', { a: 1, b: 2 }],
    run: (objects, call) => {
      const merged = new Map<string, unknown>();
      for (const object of objects) {
        for (const [key, value] of Object.entries(copiedFrom(object, call))) merged.set(key, value);
      }
      return orderedObject([...merged]);
    },
  },
  DEEP_MERGE: {
    takes: 'object, more…',
    gives: 'the same, also merging nested objects',
    example: ['DEEP_MERGE({a: {x: 1}}, {a: {y: 2}})', { a: { x: 1, y: 2 } }],
    run: (objects, call) =>
      objects.map(entriesFrom).reduce((merged, object) => deepMerged(merged, object, call)),
  },
  KEYS: {
    takes: 'object',
    gives: 'its keys',
    example: ['KEYS({a: 1, b: 2})', ['a', 'b']],
    run: ([object], call) => Object.keys(copiedFrom(object, call)),
  },
  VALUES: {
    takes: 'object',
    gives: 'its values',
    example: ['VALUES({a: 1, b: 2})', [1, 2]],
    run: ([object], call) => Object.values(copiedFrom(object, call)),
  },
  ENTRIES: {
    takes: 'object',
    gives: 'a list of `{key, value}`',
    example: ['ENTRIES({a: 1})', [{ key: 'a', value: 1 }]],
    run: ([object], call) => Object.entries(copiedFrom(object, call)).map(([key, value]) => ({ key, value })),
  },
  FROM_ENTRIES: {
    takes: 'list',
    gives: 'an object of a list of `{key, value}` or of pairs `[key, value]`',
    example: ['FROM_ENTRIES([["a", 1], {key: "b", value: 2}])', { a: 1, b: 2 }],
    run: ([list], { step }) => {
      const keyText = boundedTextOf();
      return orderedObject(
        itemsFrom(list).map((entry) => {
          step();
          if (Array.isArray(entry)) return [keyText(entry[0]), (entry[1] as unknown) ?? null];
          if (isRecord(entry) && Object.hasOwn(entry, 'key'))
            return [keyText(entry.key), entry.value ?? null];
          throw new TemplateError('an element is neither [key, value] nor {key, value}');
        }),
      );
    },
  },
  HAS_KEY: {
    takes: 'object, key',
    gives: 'TRUE if the object has the key, regardless of its value',
    example: ['HAS_KEY({a: NULL}, "a")', true],
    run: ([object, key]) => Object.hasOwn(entriesFrom(object), textOf(key)),
  },
  PICK: {
    takes: 'object, key, more…',
    gives: 'the object with only these keys; also accepts a list of keys',
    example: ['PICK({a: 1, b: 2, c: 3}, "a", "c")', { a: 1, c: 3 }],
    run: ([object, ...keys], call) => withKeys(object, keySet(keys, call), true),
  },
  OMIT: {
    takes: 'object, key, more…',
    gives: 'the object without these keys; also accepts a list of keys',
    example: ['OMIT({a: 1, b: 2, c: 3}, ["b", "c"])', { a: 1 }],
    run: ([object, ...keys], call) => withKeys(object, keySet(keys, call), false),
  },
  COMPACT_OBJECT: {
    takes: 'object',
    gives: 'the object without keys whose value is NULL',
    example: ['COMPACT_OBJECT({a: 1, b: NULL})', { a: 1 }],
    run: ([object]) => fromEntries(object, (entries) => entries.filter(([, value]) => !isNothing(value))),
  },
  MAP_VALUES: {
    takes: 'object, lambda',
    gives: 'the object with each value replaced by the result of the lambda',
    example: ['MAP_VALUES({a: 1, b: 2}, LAMBDA(value, key, value * 10))', { a: 10, b: 20 }],
    run: ([object, given], { step }) => {
      const lambda = lambdaFrom(given);
      return fromEntries(object, (entries) =>
        entries.map(([key, value]) => {
          step();
          return [key, lambda.call([value, key])];
        }),
      );
    },
  },
  MAP_KEYS: {
    takes: 'object, lambda',
    gives: 'the object with each key replaced by the result of the lambda',
    example: ['MAP_KEYS({a: 1}, LAMBDA(key, UPCASE(key)))', { A: 1 }],
    run: ([object, given], { step }) => {
      const lambda = lambdaFrom(given);
      const keyText = boundedTextOf();
      return fromEntries(object, (entries) =>
        entries.map(([key, value]) => {
          step();
          return [keyText(lambda.call([key, value])), value];
        }),
      );
    },
  },
  INVERT: {
    takes: 'object',
    gives: 'an object with keys and values (as text) swapped',
    example: ['INVERT({a: "x"})', { x: 'a' }],
    run: ([object]) => {
      const keyText = boundedTextOf();
      return fromEntries(object, (entries) => entries.map(([key, value]) => [keyText(value), key]));
    },
  },
  SORT_KEYS: {
    takes: 'object',
    gives: 'the object with its keys in order',
    example: ['KEYS(SORT_KEYS({b: 1, a: 2}))', ['a', 'b']],
    run: ([object]) =>
      fromEntries(object, (entries) => entries.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))),
  },
  TYPE: {
    takes: 'value',
    gives:
      'the type of a value: `String`, `Integer`, `Float`, `TrueClass`, `FalseClass`, `NilClass`, `Array` or `Hash`',
    example: ['TYPE(12)', 'Integer'],
    run: ([value]) => typeName(value),
  },
};

function typeName(value: unknown): string {
  if (isNothing(value)) return 'NilClass';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  if (isNumeric(value)) return isWhole(value) ? 'Integer' : 'Float';
  if (value instanceof Lambda) return 'Proc';
  return Array.isArray(value) ? 'Array' : 'Hash';
}

/** @throws TemplateError for a value that is not an object. */
function entriesFrom(value: unknown): Entries {
  if (isNothing(value)) return {};
  if (!isRecord(value) || value instanceof Lambda)
    throw new TemplateError(`an object is required, not a ${typeName(value)}`);
  return value;
}

/** Copying a key costs less than a step. */
const KEYS_COPIED_IN_A_STEP = 16;

/** Returns an object whose keys will be copied, and counts the steps for that. */
function copiedFrom(object: unknown, { step }: FunctionCall): Entries {
  const entries = entriesFrom(object);
  step(Math.ceil(Object.keys(entries).length / KEYS_COPIED_IN_A_STEP));
  return entries;
}

function fromEntries(
  object: unknown,
  change: (entries: [string, unknown][]) => [string, unknown][],
): Entries {
  const entries = Object.entries(entriesFrom(object));
  if (entries.length > MAX_LIST_ELEMENTS)
    throw new TemplateError(`an object of ${entries.length} keys is too large`);
  return orderedObject(change(entries));
}

function keySet(keys: unknown[], call: FunctionCall): Set<string> {
  const keyText = boundedTextOf();
  return new Set(flatItems(keys, call).map((key) => keyText(key)));
}

function withKeys(object: unknown, named: Set<string>, keep: boolean): Entries {
  return fromEntries(object, (entries) => entries.filter(([key]) => named.has(key) === keep));
}

function deepMerged(left: Entries, right: Entries, call: FunctionCall, depth = 0): Entries {
  if (depth > 100) throw new TemplateError('the objects are nested too deeply');
  const merged = new Map(Object.entries(left));
  for (const [key, value] of Object.entries(right)) {
    call.step();
    const before = merged.get(key);
    const both = isRecord(before) && isRecord(value);
    merged.set(key, both ? deepMerged(before, value, call, depth + 1) : value);
  }
  return orderedObject([...merged]);
}
