import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoryDifference } from './story-diff.js';

/** Bounds of one response. */
const MOST_DIFFERENCES = 2_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Returns the JSON text of a list with the first differences: as many as a response may have. */
export function listedDifferences(all: readonly StoryDifference[]): string {
  return `[${differenceTexts(all).join(',')}]`;
}

/** Returns the JSON texts of the first differences. */
export function differenceTexts(all: readonly StoryDifference[]): string[] {
  const listed: string[] = [];
  let left = MOST_CHARACTERS;
  for (const difference of all.slice(0, MOST_DIFFERENCES)) {
    const text = stringifyJson(difference);
    left -= text.length;
    if (left < 0) break;
    listed.push(text);
  }
  return listed;
}
