import { hasEntries, LongNumber } from '../../text/exact-json.js';
import { valueAt } from '../../ui/json-view/value-path.js';

/** The value that is looked for: at a path, anywhere, or both empty for all. */
export interface Wanted {
  path: string;
  value: string;
}

/** Returns the first place of a value in a payload, as text: `body.alerts[0].id`; undefined: nowhere. */
export function placeOf(payload: unknown, value: string): string | undefined {
  const stack: [path: string, inside: unknown][] = [['', payload]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [path, inside] = next;
    if (textOf(inside) === value) return path;
    if (hasEntries(inside)) stack.push(...placesIn(path, inside).toReversed());
  }
  return undefined;
}

function placesIn(path: string, list: object): [string, unknown][] {
  const isList = Array.isArray(list);
  return Object.entries(list).map(([key, inside]) => {
    if (isList) return [`${path}[${key}]`, inside];
    return [path === '' ? key : `${path}.${key}`, inside];
  });
}

/** Whether a payload has the value, as text, at the path; without a value any at the path, without a path anywhere. */
export function hasValue(payload: unknown, { path, value }: Wanted): boolean {
  if (path !== '') {
    const found = valueAt(payload, path);
    return value === '' ? found !== undefined : textOf(found) === value;
  }
  return value === '' || isAnywhere(payload, value);
}

/**
 * Returns the events of a page, newest first, that a search has compared: those before the first whose payload the page
 * left out. The next page begins with that one. A payload too large for any page stays, or the search would not go on.
 */
export function comparedPart<Listed extends { incomplete: boolean }>(page: readonly Listed[]): Listed[] {
  const end = page.findIndex(({ incomplete }, index) => incomplete && index > 0);
  return page.slice(0, end === -1 ? page.length : end);
}

/** Whether an event of a list has the value, or may have it: its payload was left out. */
export function mayHaveValue(event: { payload: unknown; incomplete: boolean }, wanted: Wanted): boolean {
  return event.incomplete || hasValue(event.payload, wanted);
}

/** Returns a plain value as text; undefined for a list, an object and an absent one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof LongNumber) return value.text;
  const isPlain = value === null || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : undefined;
}

function isAnywhere(payload: unknown, value: string): boolean {
  const stack = [payload];
  for (let next = stack.pop(); stack.length > 0 || next !== undefined; next = stack.pop()) {
    if (textOf(next) === value) return true;
    if (hasEntries(next)) for (const inside of Object.values(next)) stack.push(inside);
  }
  return false;
}
