import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const DECISIONS = 'docs/decisions';
const NUMBER = '0075-';
const ROW_LOCK = /\bFOR UPDATE\b|\bFOR SHARE\b|\bLOCK IN SHARE MODE\b|\.forUpdate\(|\.forShare\(/g;
const NAMED_LOCK = /\b(?:GET|RELEASE)_LOCK\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const sources = ['src', 'workers', 'migrations', 'bin'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .map((name) => path.join(folder, name)),
);

/** The files whose code matches, comments left out, with how often. */
function uses(pattern: RegExp): [file: string, count: number][] {
  return sources
    .map((file): [string, number] => [file, read(file).replaceAll(COMMENT, '').match(pattern)?.length ?? 0])
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const decision = readdirSync(path.join(ROOT, DECISIONS)).find((name) => name.startsWith(NUMBER)) ?? '';

test('each lock of rows is in the table that says why it is right in a cluster', () => {
  const rows = [...read(path.join(DECISIONS, decision)).matchAll(/^\| `(src\/\S+)` \| (\d+) \| (.+) \|$/gm)];
  const listed = rows.map(([, file = '', count]): [string, number] => [file, Number(count)]);
  expect(uses(ROW_LOCK)).toEqual(listed);
});

test('there are no named locks, which hold on one server', () => {
  expect(uses(NAMED_LOCK)).toEqual([]);
});

test('no SELECT that locks reads JSON_TABLE: MySQL refuses that (3569), MariaDB does not', () => {
  const statements = sources.flatMap((file) =>
    [...read(file).matchAll(/`\s*SELECT\b[^`]*`|'\s*SELECT\b[^'\n]*'/g)].map(([sql]) => ({ file, sql })),
  );
  const locking = statements.filter(({ sql }) => sql.match(ROW_LOCK) !== null);
  expect(locking.length).toBeGreaterThan(10);
  expect(locking.filter(({ sql }) => sql.includes('JSON_TABLE'))).toEqual([]);
});
