import type { JsonValue } from '../../platform/json.js';
import { isEqualJson } from '../../platform/json/equal-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { counted } from '../../platform/text/counted.js';
import { shortened } from '../../platform/text/shortened.js';
import { asMatcher, type TestKind } from '../../stories/face.js';

/** A difference between what a test expects and what the run did. */
export interface TestDifference {
  kind: TestKind;
  /** Name of the action. */
  action: string;
  /** Position in the action's list, from 0; null: the length of the list differs. */
  index: number | null;
  /** Within the item; empty: the item itself. */
  path: string;
  /** A value or matcher; of a list its length. Null: nothing is expected. */
  expected: JsonValue;
  /** Undefined: there is none. */
  found: JsonValue | undefined;
  /** A test that takes what was found expects this here: the value found, or all of the action's list. */
  instead: JsonValue;
  /** Why the action did nothing, or what it should not have done; null: the reason is not known, or stands in the values. */
  cause: string | null;
  /** The sentence for people. */
  text: string;
}

/** Most characters of a value in a sentence. */
const MOST_SHOWN = 120;

/** One item of each kind. */
const ITEMS: Record<TestKind, string> = {
  events: 'event',
  requests: 'request',
  mails: 'mail',
  records: 'record',
  errors: 'error',
};

/**
 * Returns the sentence of a difference: `Open ticket, request 1, body.title: expected "High", found "Low"`. `surplus`: the
 * items that are not expected, of a list that is too long.
 */
export function differenceText(
  difference: Omit<TestDifference, 'text' | 'instead'>,
  surplus: readonly JsonValue[] = [],
): string {
  const { action, kind, index, path, expected, found, cause } = difference;
  const item = ITEMS[kind];
  if (index === null) {
    const counts = `${action}: expected ${countText(Number(expected), item)}, found ${found === 0 ? 'none' : Number(found)}`;
    return `${counts}${surplusText(surplus)}${cause === null ? '' : `, because ${cause}`}`;
  }
  const place = [action, `${item} ${index + 1}`, ...(path === '' ? [] : [path])].join(', ');
  return `${place}: expected ${expectedText(expected)}, found ${valueText(found)}`;
}

const countText = (count: number, item: string) => (count === 0 ? `no ${item}` : counted(count, item));

function surplusText([first, ...others]: readonly JsonValue[]): string {
  if (first === undefined) return '';
  const isRepeated = others.length > 0 && others.every((each) => isEqualJson(each, first));
  return `${isRepeated ? ', all alike' : ''}: ${valueText(first)}`;
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shortened(stringifyJson(value), MOST_SHOWN);
}

function expectedText(expected: JsonValue): string {
  const matcher = asMatcher(expected);
  if (matcher === undefined) return valueText(expected);
  if ('$any' in matcher) return 'any value';
  if ('$absent' in matcher) return 'nothing';
  if ('$type' in matcher) return `a value of type ${matcher.$type}`;
  if ('$pattern' in matcher) return `a text that matches ${shortened(matcher.$pattern, MOST_SHOWN)}`;
  if ('$contains' in matcher) return `a value that contains ${valueText(matcher.$contains)}`;
  return `exactly ${valueText(matcher.$equal)}`;
}
