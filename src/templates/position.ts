import type { TemplateProblem } from './template.js';

/** Line and column of a character of `source`, both from 1. */
export function positionAt(source: string, offset: number): Pick<TemplateProblem, 'line' | 'column'> {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
