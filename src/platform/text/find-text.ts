/**
 * Comparisons that the platform's search may come to at worst: it looks at the whole searched text again for
 * many places, so that two texts of some megabytes, made for it, would take hours.
 */
const MAX_COMPARISONS = 500_000_000;

/** Where `search` stands first in `text`, or -1. */
export function firstPlace(text: string, search: string): number {
  return isQuick(text, search) ? text.indexOf(search) : (overlappingPlaces(text, search).next().value ?? -1);
}

/** Where `search` stands last in `text`, or -1. */
export function lastPlace(text: string, search: string): number {
  if (isQuick(text, search)) return text.lastIndexOf(search);
  let last = -1;
  for (const place of overlappingPlaces(text, search)) last = place;
  return last;
}

/** The parts of `text` between the places where `separator` stands; its characters where that is empty. */
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

/** How often `search` stands in `text`, without overlaps; between all characters where it is empty. */
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

/** Every place, by Knuth, Morris and Pratt: no character of `text` is looked at more than twice. */
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

/** For each length of a start of `search`: how long the longest shorter start is that this one ends with. */
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
