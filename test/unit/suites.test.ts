import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gate, suites } from '../suites.json';
import { SUITES, filesOf, suitesFor, suitesOf, suitesToRun } from '../support/suites.js';

const ROOT = path.resolve(__dirname, '../..');
const named = (folder: string) =>
  readdirSync(path.join(ROOT, 'test', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.test\.ts$/, ''));

test('every test of a whole system belongs to the gate or to one suite', () => {
  expect(filesOf(SUITES).toSorted()).toEqual(named('system').toSorted());
});

test('every suite names rooms that are there, whose changes call for it', () => {
  for (const { rooms } of Object.values(suites)) {
    for (const room of rooms) {
      const file = path.join(ROOT, room);
      expect(readdirSync(path.dirname(file))).toContain(path.basename(file));
    }
  }
  expect(suitesFor(['src/language/filters/date-filters.ts'])).toEqual(['languages']);
  expect(suitesFor(['src/languages.ts', 'CHANGELOG.md'])).toEqual([]);
  expect(suitesFor(['test/system/galera.test.ts'])).toEqual(['database-clusters']);
});

test('a list names suites that are there', () => {
  expect(suitesOf('doors,floods')).toEqual(['doors', 'floods']);
  expect(suitesOf('all')).toEqual(SUITES);
  expect(() => suitesOf('windows')).toThrow('There is no suite "windows". There are: gate, ');
});

test.each([
  ['gate', []],
  ['gate', ['--maxWorkers=2', '--json', '--testTimeout=5']],
  ['doors', ['--suites=doors', 'access-matrix']],
  ['all', ['access-matrix']],
  ['all', ['-t', 'stories as software']],
  ['all', ['-t=stories as software', '--json']],
  ['all', ['--testNamePattern', 'stories as software']],
  ['all', ['--testNamePattern=stories as software']],
  ['all', ['--testPathPatterns=shadow-replay']],
])('runs the suites "%s" for the arguments %j', (suites, given) => {
  expect(suitesToRun(given)).toBe(suites);
});

test('every promise has a test that each change must pass', () => {
  const inGate = new Set([...gate, ...['unit', 'api', 'engine'].flatMap(named)]);
  const page = readFileSync(path.join(ROOT, 'docs/understand/promises.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?:P?\d+) \|/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  const unguarded = rows.filter((row) => {
    const files = [...row.matchAll(/`([^`›]+) ›/g)].map(([, file = '']) => file);
    return !files.some((file) => inGate.has(file));
  });
  expect(unguarded).toEqual([]);
});
