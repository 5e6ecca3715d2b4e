import { mapSteps, type Steps } from '../steps.js';
import { stringifyJson } from './exact-number.js';

/** Lists of fewer items are written in one step. */
const MANY = 100;
/** Objects within objects are looked through to this depth for long lists. */
const DEPTH = 3;

/** The steps of `stringifyJson`: one for each item of a long list. Undefined for what has no JSON. */
export function* jsonSteps(value: unknown, depth = DEPTH): Steps<string | undefined> {
  if (Array.isArray(value) && value.length > MANY) {
    const items = yield* mapSteps(value, (item: unknown) => textOf(item) ?? 'null');
    return `[${items.join(',')}]`;
  }
  if (!isPlain(value) || !hasLongList(value, depth)) return textOf(value);
  const texts: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    const text = yield* jsonSteps(item, depth - 1);
    if (text !== undefined) texts.push(`${stringifyJson(key)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function hasLongList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length > MANY;
  return depth > 0 && isPlain(value) && Object.values(value).some((item) => hasLongList(item, depth - 1));
}

function textOf(value: unknown): string | undefined {
  return stringifyJson(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}
