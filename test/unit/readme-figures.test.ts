import { readFileSync } from 'node:fs';
import path from 'node:path';

const textOf = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8');

/** The text of a section, without its heading. */
const section = (text: string, heading: string) =>
  text.split(`\n## ${heading}\n`)[1]?.split('\n## ', 1)[0] ?? '';

const README = section(textOf('README.md'), 'How fast, on what');
const RESULTS = section(textOf('docs/understand/performance.md'), 'Results');

const cellsOf = (row: string) => row.split('|').map((cell) => cell.trim());
const numbersIn = (text: string): string[] => text.match(/\d[\d,.]*/g) ?? [];

/** The place of each of the README's figures in the results. */
const ROWS: [string, string][] = [
  ['Runs accepted and completed, 64 connections', '| 1 | runs a second'],
  ['A backlog of 100,000 drained', '| 7 | '],
  ['99 % of webhook responses, 64 connections', '| 2 | p99 of the response at 64 connections'],
  ['A run whose end the caller waits for, half of them', "| 3 | p50 of a run's response, 1 in flight"],
  ['A chain of 10 actions on a quiet system, webhook to exit', '| 4 | '],
  ['Throughput with 10 million stored events, relative to an empty database', '| 10 | '],
  ['Memory of an idle web process, of a worker', '| 13 | '],
  ['Memory of a worker under full load', '| 7 | '],
];

test('the figures of the README are results of the bench', () => {
  const rows = README.split('\n').filter((line) => line.startsWith('| '));
  const figures = rows.map(cellsOf).map(([, what = '', figure = '']) => ({ what, figure }));
  expect(figures.slice(1).map(({ what }) => what)).toEqual(ROWS.map(([what]) => what));
  for (const { what, figure } of figures.slice(1)) {
    const begin = new Map(ROWS).get(what)!;
    const results = RESULTS.split('\n').filter((line) => line.startsWith(begin));
    expect(results).toHaveLength(1);
    expect(numbersIn(figure).length).toBeGreaterThan(0);
    expect(numbersIn(results[0]!)).toEqual(expect.arrayContaining(numbersIn(figure)));
  }
});

test('the machine of the README is that of the results', () => {
  const machine = /2 cores \(EPYC\), \d+ GiB, Node [\d.]+, MariaDB \d+\.\d+/;
  expect(machine.exec(RESULTS)?.[0]).toBe(machine.exec(README)?.[0]);
  expect(README).toMatch(machine);
});
