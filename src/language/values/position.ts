import type { TemplateProblem } from '../template-error.js';

type Position = Pick<TemplateProblem, 'line' | 'column'>;

/** Line and column of a character of `source`, both from 1. */
export function positionAt(source: string, offset: number): Position {
  return positionsIn(source)(offset);
}

/** The same for many characters of one text, whose lines are looked for once. */
export function positionsIn(source: string): (offset: number) => Position {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = lineAt(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The index of the last line that starts at `offset` or before it. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
