/**
 * Most comparisons left to V8's search, in the worst case: it is quadratic, so that two texts of some megabytes, made
 * for that purpose, would take hours.
 */
const MAX_COMPARISONS = 500_000_000;

/** Returns the first index of `search` in `text`, or -1. */
export function firstPlace(text: string, search: string): number {
  return isQuick(text, search) ? text.indexOf(search) : (overlappingPlaces(text, search).next().value ?? -1);
}

/** Returns the last index of `search` in `text`, or -1. */
export function lastPlace(text: string, search: string): number {
  if (isQuick(text, search)) return text.lastIndexOf(search);
  let last = -1;
  for (const place of overlappingPlaces(text, search)) last = place;
  return last;
}

/** Splits `text` at each `separator`; at an empty one into its characters. */
export function splitText(text: string, separator: string): string[] {
  if (isQuick(text, separator)) return text.split(separator);
  const parts: string[] = [];
  let position = 0;
  for (const place of overlappingPlaces(text, separator)) {
    if (place < position) continue;
    parts.push(text.slice(position, place));
    position = place + separator.length;
  }
  return [...parts, text.slice(position)];
}

/** Counts `search` in `text`, without overlaps; an empty text counts at each position between characters. */
export function countText(text: string, search: string): number {
  if (search === '') return text.length + 1;
  if (!isQuick(text, search)) return splitText(text, search).length - 1;
  let count = 0;
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) count += 1;
  return count;
}

function isQuick(text: string, search: string): boolean {
  const [longer, shorter] = [text.length, search.length];
  return shorter < 2 || shorter > longer || longer * shorter <= MAX_COMPARISONS;
}

/** Yields every index, by Knuth, Morris and Pratt: no character of `text` is compared more than twice. */
function* overlappingPlaces(text: string, search: string): Generator<number, undefined> {
  const fallbacks = fallbacksOf(search);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && (matched === search.length || search.charCodeAt(matched) !== code)) {
      matched = fallbacks[matched - 1] ?? 0;
    }
    if (search.charCodeAt(matched) === code) matched += 1;
    if (matched === search.length) yield at + 1 - matched;
  }
  return undefined;
}

/** For each prefix of `search`: the length of the longest shorter prefix that it ends with. */
function fallbacksOf(search: string): Int32Array {
  const fallbacks = new Int32Array(search.length);
  let matched = 0;
  for (let at = 1; at < search.length; at += 1) {
    const code = search.charCodeAt(at);
    while (matched > 0 && search.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0;
    if (search.charCodeAt(matched) === code) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
}
