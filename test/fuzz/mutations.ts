import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import type { Randomness } from '../chaos/randomness.js';
import { NUMBERS, TEXTS } from './values.js';

const DEEP = 40;

/** Returns the value with one thing in it changed, so that it is nearly what it was. */
export function mutated(random: Randomness, value: JsonValue): JsonValue {
  const goesIn = random.between(0, 3) > 0;
  if (goesIn && Array.isArray(value) && value.length > 0) {
    const at = random.between(0, value.length);
    return value.map((part, index) => (index === at ? mutated(random, part) : part));
  }
  if (isJsonObject(value)) return mutatedObject(random, value, goesIn);
  return rubbish(random);
}

/** A key more, a key less, or another value of one key. */
function mutatedObject(random: Randomness, value: JsonObject, goesIn: boolean): JsonValue {
  const keys = Object.keys(value);
  if (!goesIn || keys.length === 0) return { ...value, [random.pick(NAMES)]: rubbish(random) };
  const key = random.pick(keys);
  if (random.between(0, 3) > 0) return { ...value, [key]: mutated(random, value[key] ?? null) };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
}

const NAMES = ['unknown', 'id', 'team_id', 'constructor', '__proto__', 'options', 'draft_id', ''];

/** Returns any JSON value, of no schema. */
export function rubbish(random: Randomness): JsonValue {
  const makers: (() => JsonValue)[] = [
    () => null,
    () => random.pick([true, false]),
    () => random.pick(NUMBERS),
    () => random.pick(TEXTS),
    () => [],
    () => ({}),
    () => [rubbish(random), rubbish(random)],
    () => ({ [random.pick(TEXTS)]: rubbish(random) }),
    () => Array.from({ length: DEEP }).reduce<JsonValue>((inner) => [inner], 1),
  ];
  return random.pick(makers)();
}

/** Bodies that are no JSON, or not what their type says. */
export const BROKEN_BODIES = [
  '',
  '{',
  '{"a":1}}',
  "{'a':1}",
  '[1,',
  'a=b',
  '{"a":1,"a":2}',
  '\uFEFF{}',
  '1',
  '"a"',
];
