import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import { findSeparator } from '../../../src/platform/text/csv-separator.js';

const rows = (t: string) => evaluateFormula('=CSV_PARSE(t)', { t });
const objects = (t: string, separator?: string) =>
  separator === undefined
    ? evaluateFormula('=CSV_PARSE_TO_OBJECTS(t)', { t })
    : evaluateFormula('=CSV_PARSE_TO_OBJECTS(t, s)', { t, s: separator });

describe.each(['A6', 'C13'])('%s: the separator of a CSV is found', () => {
  it.each<[string, unknown]>([
    [
      'date;temperature;place\n2011-01-01;1;Galway',
      [{ date: '2011-01-01', temperature: '1', place: 'Galway' }],
    ],
    ['a;b\n1;2', [{ a: '1', b: '2' }]],
    ['a\tb\n1\t2', [{ a: '1', b: '2' }]],
    ['a|b\n1|2', [{ a: '1', b: '2' }]],
    ['a,b\n1,2', [{ a: '1', b: '2' }]],
    ['sep=;\r\na;b\r\n1,5;2', [{ a: '1,5', b: '2' }]],
    ['\uFEFFsep=,\na,b;c\n1,2', [{ a: '1', 'b;c': '2' }]],
    ['a\n1\n2', [{ a: '1' }, { a: '2' }]],
    ['\uFEFFa;b\r1;2\r', [{ a: '1', b: '2' }]],
    ['"a;b";"c"\n"1,2";"x\ny"', [{ 'a;b': '1,2', c: 'x\ny' }]],
  ])('%j', (text, expected) => {
    expect(objects(text)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['decimal commas without names', '1,5;2,5\n3,1;4,2', ';'],
    ['decimal commas below names', 'a;b\n1,5;2,5\n3,5;4,5\n5,5;6,5', ';'],
    ['names of people', 'Name;Ort\nMüller, Hans;Berlin\nMeier, Eva;Bonn', ';'],
    ['a comma in every row of a file of tabs', 'text, long\tid\na, b\t1\nc, d\t2', '\t'],
    ['semicolons in texts', 'name,note\nx,a; b\ny,c; d', ','],
    ['quoted semicolons', '"a;b","c;d"\n"e;f","g;h"', ','],
    ['a quote behind a space', 'a; b\n1; "x; y"\n2; "z, z"', ';'],
    ['addresses', 'id,url\n1,https://x.org/a;b|c\n2,https://x.org/d;e|f', ','],
    ['European dates', 'Datum;Zeit;Betrag\n01.02.2024;12:30;1.234,56\n02.02.2024;12:31;7,00', ';'],
    ['rows of other lengths', 'a,b,c\n1,2\n1;x,2,3,4', ','],
    ['a title above the table', 'Report, November\n\na;b;c\n1;2;3\n4;5;6', ';'],
    ['one row', 'a|b|c', '|'],
    ['one column of texts', 'note\nfirst; second\nthird; fourth', ','],
    ['nothing', '', ','],
    ['a quote that never closes', 'a;b\n"1;2\n3;4', ';'],
  ])('%s', (_, text, separator) => {
    expect(findSeparator(text).separator).toBe(separator);
  });

  it('one that is given is used, and a line that names another is no row', () => {
    expect(objects('a;b,c\n1;2,3', ',')).toEqual([{ 'a;b': '1;2', c: '3' }]);
    expect(objects('sep=,\na;b\n1;2', ';')).toEqual([{ a: '1', b: '2' }]);
  });
});

describe.each(['A6', 'C34'])('%s: spaces round a field of a CSV do not count', () => {
  it.each<[string, unknown]>([
    [
      'first, second, third\n1, 2, 3',
      [
        ['first', 'second', 'third'],
        ['1', '2', '3'],
      ],
    ],
    [
      'id, note\n7, "x, y"',
      [
        ['id', 'note'],
        ['7', 'x, y'],
      ],
    ],
    ['A,"B" ,C', [['A', 'B', 'C']]],
    ['A;  " B " ; C ', [['A', ' B ', 'C']]],
    ['a\t\t b\t"c\td"\t', [['a', '', 'b', 'c\td', '']]],
    ['a,"say ""hi""" , "x\r\ny"\r\n', [['a', 'say "hi"', 'x\r\ny']]],
    ['a b , c d', [['a b', 'c d']]],
  ])('%j', (text, expected) => {
    expect(rows(text)).toEqual(expected);
  });

  it.each<[string, unknown]>([['quotes in a text are text', [['a', '5" pipe', 'b "c" d']]]])(
    '%s',
    (_, expected) => {
      expect(rows('a,5" pipe, b "c" d')).toEqual(expected);
    },
  );

  it('a text behind quotes makes them text', () => {
    expect(rows('a, b ,c\n"1"x,2,"3"')).toEqual([
      ['a', 'b', 'c'],
      ['"1"x', '2', '3'],
    ]);
  });

  it('a quote that is not closed is an error with its line', () => {
    expect(() => rows('a,b\n1,"2\n3')).toThrow(/not valid CSV: Quote Not Closed.* at line 3/);
  });
});

describe('A6: no field of a CSV is lost', () => {
  it.each<[string, unknown]>([
    ['a,b\n1,2,3,4', [{ a: '1', b: '2', column_3: '3', column_4: '4' }]],
    [
      'a,b\n1,2,\n3',
      [
        { a: '1', b: '2' },
        { a: '3', b: '' },
      ],
    ],
    ['a,a,b,a\n1,2,3,4', [{ a: '1', a_2: '2', b: '3', a_3: '4' }]],
    ['a,a_2,a\n1,2,3', [{ a: '1', a_2: '2', a_3: '3' }]],
    ['a,,\n1,2,3', [{ a: '1', '': '2', _2: '3' }]],
    ['column_2\n1,2', [{ column_2: '1', column_3: '2' }]],
    ['2024;2023\n1;2', [{ '2024': '1', '2023': '2' }]],
    ['__proto__,constructor\n1,2', [JSON.parse('{"__proto__":"1","constructor":"2"}')]],
  ])('%j', (text, expected) => {
    expect(objects(text)).toEqual(expected);
  });

  it('many columns of one name cost no more than others', () => {
    const names = 'a,'.repeat(50_000);
    expect(evaluateFormula('=SIZE(KEYS(CSV_PARSE_TO_OBJECTS(t)[0]))', { t: `${names}b\n1,2` })).toBe(50_001);
  });
});

describe('A6: a CSV that is written is read as it was', () => {
  const table = [
    ['sep=;', 'b'],
    ['a;b', 'c|d'],
    [' x ', 'say "hi"'],
    ['line\nbreak', 'tab\tbed'],
    ['1,5', ''],
  ];

  it.each([',', ';', '|', '\t'])('with %j', (s) => {
    expect(evaluateFormula('=CSV_PARSE(LISTS_TO_CSV(t, s))', { t: table, s })).toEqual(table);
    const list = [
      { 'x;y': 'a;b', z: '' },
      { 'x;y': 'c;d', z: ' e' },
    ];
    expect(evaluateFormula('=CSV_PARSE_TO_OBJECTS(OBJECTS_TO_CSV(t, s))', { t: list, s })).toEqual(list);
  });

  it('of one column, too', () => {
    const column = [['a;b'], [''], ['c;d']];
    expect(evaluateFormula('=CSV_PARSE(LISTS_TO_CSV(t))', { t: column })).toEqual(column);
  });
});
