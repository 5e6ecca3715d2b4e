const MOST_CHARACTERS = 160;

/** What differs between errors of one kind, in the order in which it is replaced. A status such as 404 stays: it is the kind. */
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

/** Returns what errors of one kind have in common: ids, addresses, times, quoted text and numbers are taken away. */
export function errorKindOf(error: string | null): string {
  const text = (error ?? '').slice(0, 10 * MOST_CHARACTERS);
  const kind = VARYING.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text);
  return kind.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS) || 'no error was told';
}
