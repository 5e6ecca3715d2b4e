/** Characters of an error that decide its kind. */
export const KIND_CHARS = 500;
const MOST_CHARS = 160;

/** Parts that differ between errors of one kind, in the order in which they are replaced. A status such as 404 stays: it is the kind. */
const VARYING: [RegExp, string][] = [
  [/https?:\/\/[^\s"'`<>]+/gi, '<address>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '<address>'],
  [/"[^"]*"/g, '"…"'],
  [/'[^']*'/g, "'…'"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>'],
  [/(?<![\d.])(?!\b[1-5]\d\d\b)\d+(?:\.\d+)?/g, '#'],
];

/**
 * Returns what errors of one kind have in common: ids, addresses, times, quoted text and numbers are taken away. Takes the
 * first `KIND_CHARS` characters of an error; an empty one was not told.
 */
export function errorKindOf(error: string): string {
  const text = firstOf(error, KIND_CHARS);
  const kind = VARYING.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text);
  return firstOf(kind.replace(/\s+/g, ' ').trim(), MOST_CHARS) || 'no error message';
}

/** Cuts between characters, never within a surrogate pair: a kind is part of addresses. */
function firstOf(text: string, characters: number): string {
  return text.length > characters ? Array.from(text).slice(0, characters).join('') : text;
}
