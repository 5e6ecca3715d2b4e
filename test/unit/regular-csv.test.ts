import * as fc from 'fast-check';
import { tolerantRows } from '../../src/language/filters/lists/csv-table.js';
import { readRegularCsv } from '../../src/language/filters/lists/regular-csv.js';
import { findSeparator } from '../../src/platform/text/csv-separator.js';
import { evaluateFormula } from '../../src/language/formula/evaluation/evaluate.js';

const untimed = { checkTime: () => undefined };
const regular = (text: string, delimiter = ',', most = 1_000) =>
  readRegularCsv(text, { delimiter, most, ...untimed });

describe('a CSV whose quotes stand round whole fields', () => {
  it.each<[string, string[][]]>([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa , "b" \r\n\r\n  \r\n"1\n,""x""",\r',
      [
        ['a', 'b'],
        ['1\n,"x"', ''],
      ],
    ],
    ['""', [['']]],
    ['', []],
    ['a,', [['a', '']]],
    ['\u00A0a\u2003,\tb\t', [['a', 'b']]],
  ])('L7: %j is read', (text, rows) => {
    expect(regular(text)).toEqual(rows);
  });

  it.each(['a"b', '"a" b', '"a', 'a,b"', '"a""'])('L7: %j is left to the tolerant reader', (text) => {
    expect(regular(text)).toBeUndefined();
  });

  it('L7: is read as the tolerant reader reads it', () => {
    const part = fc.constantFrom(
      'a',
      'b1',
      ',',
      ';',
      '"',
      '""',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\r',
      '\u00A0',
      '\uFEFF',
    );
    const csv = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(csv, fc.constantFrom(',', ';', '\t', '||', ' '), (text, delimiter) => {
        const rows = regular(text, delimiter);
        if (rows !== undefined) expect(rows).toEqual(tolerantRows(text, delimiter, untimed));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a CSV whose columns are aligned', () => {
  it.each([
    ['name,\tage\nann,\t3', [{ name: 'ann', age: '3' }]],
    ['name, \t\tage\nann,\t3', [{ name: 'ann', age: '3' }]],
    ['name;\tage\nann;\t3', [{ name: 'ann', age: '3' }]],
    ['name|\tage|\tid\nann|\t3|\t1', [{ name: 'ann', age: '3', id: '1' }]],
  ])('L8: %j has the separator before the tabs', (text, expected) => {
    expect(evaluateFormula('=CSV_PARSE_TO_OBJECTS(t)', { t: text })).toEqual(expected);
  });

  it.each([
    'a\tb\n1\t2',
    'text, long\tid\na, b\t1\nc, d\t2',
    'a\t\tb\n1\t\t2',
    'name\tnote\nann\ta,\nbob\tb,',
  ])('L8: %j has tabs', (text) => {
    expect(findSeparator(text).separator).toBe('\t');
  });
});
