import { hasEntries } from './exact-json.js';

/** The server takes bodies of 500 levels; a value stands some levels below. Browsers follow a few thousand. */
export const MOST_LEVELS = 480;

/** Whether a value of JSON has more lists and objects inside each other than the server takes. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(hasEntries);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MOST_LEVELS) return true;
    level = level.flatMap((each): unknown[] => Object.values(each)).filter(hasEntries);
  }
  return false;
}
