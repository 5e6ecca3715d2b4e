import type { JsonValue } from '../../platform/json.js';
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
  /** What a test that takes it expects in this place: the value found, or all of the action's list. */
  instead: JsonValue;
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
 * Returns the sentence of a difference: `Open ticket, request 1, body.title: expected "High", found "Low"`. `surplus` is the
 * first item that is not expected.
 */
export function differenceText(
  difference: Omit<TestDifference, 'text' | 'instead'>,
  surplus?: JsonValue,
): string {
  const { action, kind, index, path, expected, found } = difference;
  const item = ITEMS[kind];
  if (index === null) {
    const counts = `${action}: expected ${counted(Number(expected), item)}, found ${Number(found)}`;
    return surplus === undefined ? counts : `${counts}: ${valueText(surplus)}`;
  }
  const place = [action, `${item} ${index + 1}`, ...(path === '' ? [] : [path])].join(', ');
  return `${place}: expected ${expectedText(expected)}, found ${valueText(found)}`;
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
