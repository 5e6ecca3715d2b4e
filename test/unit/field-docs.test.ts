import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/understand/field.md'), 'utf8');
const ENTRY = /'([ABC]\d+): /g;
/** Tests that hold for several entries: `describe.each(['A7', 'C5'])('%s: …'`. */
const ENTRIES = /\.each\(\[((?:'[ABC]\d+'(?:, )?)+)\]\)\('%s: /g;

interface Row {
  id: string;
  kind: string;
  since: string;
  tests: string[];
}

const rows: Row[] = [...PAGE.matchAll(/^\| ([ABC]\d+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', kind = '', since = '', tests = '']) => ({
    id,
    kind,
    since,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

/** Each test file with the entries that its tests are named by. */
function namedTests(): [id: string, file: string][] {
  return ['unit', 'api', 'engine'].flatMap((kind) => {
    const folder = `test/${kind}/field`;
    return readdirSync(path.join(ROOT, folder)).flatMap((name) => {
      const text = readFileSync(path.join(ROOT, folder, name), 'utf8');
      const listed = [...text.matchAll(ENTRIES)].flatMap(([, list = '']) => list.match(/[ABC]\d+/g) ?? []);
      const ids = new Set([...[...text.matchAll(ENTRY)].map(([, id = '']) => id), ...listed]);
      return [...ids].map((id): [string, string] => [id, `${kind}/${name.replace(/\.test\.ts$/, '')}`]);
    });
  });
}

/** An entry of version 0.12.0: of the second attack, of clients, of edges, of languages. */
const OPENED = String.raw`(?:[SIL]\d+|A\d+ clients)`;

/** Each test file below `test` with the entries of 0.12.0 that its tests are named by. */
function namedByOpened(): string[] {
  const folder = path.join(ROOT, 'test');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const ids = [...text.matchAll(new RegExp(`['\`"](${OPENED}): `, 'g'))].map(([, id = '']) => id);
      return [...new Set(ids)].map((id) => `${id} ${file.replace(/\.test\.ts$/, '')}`);
    });
}

/** The entries of a letter: `A1` to the last one. */
const upTo = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

describe('the page on what people really send', () => {
  it('has each entry once, with the version since which it is right', () => {
    expect(rows.map(({ id }) => id)).toEqual([...upTo('A', 23), ...upTo('B', 17), ...upTo('C', 36)]);
    expect(rows.filter(({ since }) => !/^\d+\.\d+\.\d+$/.test(since))).toEqual([]);
  });

  it('names the tests of each entry, all of them and no others', () => {
    const listed = rows.flatMap(({ id, tests }) => tests.map((file) => `${id} ${file}`));
    expect(listed.toSorted()).toEqual(
      namedTests()
        .map(([id, file]) => `${id} ${file}`)
        .toSorted(),
    );
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('names the tests of what strangers opened in 0.12.0, all of them and no others', () => {
    const listed = [...PAGE.matchAll(new RegExp(`^\\| (${OPENED}) \\| .+ \\| (.+) \\|$`, 'gm'))].flatMap(
      ([, id = '', tests = '']) => [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => `${id} ${file}`),
    );
    expect(listed.toSorted()).toEqual(namedByOpened().toSorted());
  });
});
