import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FUNCTIONS } from '../../src/language/formula/functions/all-functions.js';

const page = readFileSync(path.resolve(__dirname, '../../docs/build/functions-compared.md'), 'utf8');
const names = FUNCTIONS.map(({ name }) => name);

/** Returns the rows of the table under a heading, as cells. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \|(?: (.+) \|)?$/gm)].map(([, ...cells]) => cells);
}

const namesUnder = (heading: string) => rowsUnder(heading).map(([name = '']) => name);

describe('docs/build/functions-compared.md', () => {
  it("lists each of our functions once, as the platform's or as our own", () => {
    const listed = [
      ...namesUnder('Functions of the platform that exist here'),
      ...namesUnder('Functions of ours'),
    ];
    expect(listed.toSorted()).toEqual(names.toSorted());
  });

  it('lists no function that exists as left out', () => {
    const left = namesUnder('Functions of the platform left out');
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((name) => names.includes(name))).toEqual([]);
  });

  it('says of each function of the platform where it is known from', () => {
    const rows = [
      ...rowsUnder('Functions of the platform that exist here'),
      ...rowsUnder('Functions of the platform left out'),
    ];
    expect(rows.length).toBeGreaterThan(100);
    expect(
      rows.filter(([, source, note]) => !/^(page|index|example|exports|guide)$/.test(source ?? '') || !note),
    ).toEqual([]);
  });

  it('names the family of each of our own functions', () => {
    const families = new Map(FUNCTIONS.map(({ name, family }) => [name, family]));
    const rows = rowsUnder('Functions of ours');
    expect(rows.map(([name, family]) => [name, family])).toEqual(
      rows.map(([name = '']) => [name, families.get(name)]),
    );
  });
});
