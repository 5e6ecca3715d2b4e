/** Separators that are found by themselves; of two that fit as well, the first is used. A comma is the commonest in texts. */
const SEPARATORS = ['\t', ';', '|', ','] as const;
const COMMA = ',';
const TAB = '\t';

/** As much of a text is looked at. */
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 200;
/** From so many columns on, rows below a title show the separator, though the title has none. */
const TABLE_COLUMNS = 3;
const TABLE_ROWS = 3;

/** The separator of a CSV, and where its rows begin: behind a first line such as `sep=;`. */
export interface FoundSeparator {
  separator: string;
  start: number;
}

/** Finds the separator of a CSV: that of a first line `sep=;` (Excel), else the one that divides its rows most evenly. */
export function findSeparator(text: string): FoundSeparator {
  const [line, separator] = /^\uFEFF?"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  if (line !== undefined && separator !== undefined) return { separator, start: line.length };
  return { separator: mostEven(countsOf(text)), start: 0 };
}

/** Returns how often each separator stands in each row of the sample, outside of quotes. */
function countsOf(text: string): number[][] {
  const rows: number[][] = [];
  const end = Math.min(text.length, SAMPLE_CHARACTERS);
  let row = SEPARATORS.map(() => 0);
  let isBlank = true;
  let atStart = true;
  /** Whether only white space stands behind a separator that is no tab: a tab there aligns the columns. */
  let isPadding = false;
  for (let at = 0; at < end && rows.length < SAMPLE_ROWS; at += 1) {
    const character = text.charAt(at);
    if (character === '\n' || character === '\r') {
      if (!isBlank) rows.push(row);
      row = SEPARATORS.map(() => 0);
      isBlank = true;
      atStart = true;
      isPadding = false;
      continue;
    }
    if (character === TAB && isPadding) continue;
    const separator = SEPARATORS.indexOf(character as (typeof SEPARATORS)[number]);
    isPadding = (separator >= 0 && character !== TAB) || (isPadding && isSpace(character));
    if (separator >= 0) {
      row[separator] = (row[separator] ?? 0) + 1;
      atStart = true;
    } else if (character === '"' && atStart) {
      at = endOfQuotes(text, at, end);
      atStart = false;
    } else if (!isSpace(character)) atStart = false;
    isBlank &&= isSpace(character);
  }
  // The last row may be cut off by the end of the sample.
  if (!isBlank && (end === text.length || rows.length === 0)) rows.push(row);
  return rows;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\u00A0' || character === '\uFEFF';
}

/** Returns the place of the quote that closes a field, or the end. Two quotes are one character of the field. */
function endOfQuotes(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    if (text.charAt(at) !== '"') continue;
    if (text.charAt(at + 1) !== '"') return at;
    at += 1;
  }
  return end;
}

function mostEven(rows: number[][]): string {
  let best: string = COMMA;
  let bestShare = 0;
  for (const [index, separator] of SEPARATORS.entries()) {
    const share = shareOfEven(rows.map((row) => row[index] ?? 0));
    if (share > bestShare) {
      best = separator;
      bestShare = share;
    }
  }
  return best;
}

/** Returns which share of the rows has as many separators as the first; 0 if the separator does not divide the rows. */
function shareOfEven(counts: number[]): number {
  const [first = 0] = counts;
  if (first > 0) return counts.filter((count) => count === first).length / counts.length;
  const last = counts.at(-1) ?? 0;
  const table = counts.slice(counts.indexOf(last));
  const isTable =
    last + 1 >= TABLE_COLUMNS && table.length >= TABLE_ROWS && table.every((count) => count === last);
  return isTable ? table.length / counts.length : 0;
}
