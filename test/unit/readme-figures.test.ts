import { readFileSync } from 'node:fs';
import path from 'node:path';

const textOf = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8');

/** The cells of the one row of a table that begins so. */
function rowOf(text: string, begin: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith(begin));
  expect(rows).toHaveLength(1);
  return rows[0]!
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

test('the figures of the README are results of the bench', () => {
  const results = textOf('docs/performance.md').split('\n## Results\n')[1]!;
  const [machine] = /^.+, \w+ \d{4}(?=\. )/m.exec(results)!;
  const product = (begin: string) => rowOf(results, begin)[3]!;
  expect(rowOf(textOf('README.md'), `| ${machine.split(' ', 1)[0]!} cores`)).toEqual([
    machine,
    product('| 1 | runs a second'),
    product('| 2 | p99 of the response at 64 connections'),
    product('| 13 | second start; memory of idle processes').split('; ')[1],
  ]);
});
