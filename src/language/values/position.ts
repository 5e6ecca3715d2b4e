import type { TemplateProblem } from '../../platform/text/template-error.js';

type Position = Pick<TemplateProblem, 'line' | 'column'>;

/** Returns line and column of a character of `source`, both from 1. */
export function positionAt(source: string, offset: number): Position {
  return positionsIn(source)(offset);
}

/** The same for many characters of one text: it is split into lines once. */
export function positionsIn(source: string): (offset: number) => Position {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = lineAt(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Returns the index of the last line that starts at or before `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
