import { barsByTime, barsByValue } from '../../../src/console/pages/records/chart/record-bars.js';
import { csvOf } from '../../../src/console/pages/records/download/csv.js';
import { addressOfRecords, recordQueryIn } from '../../../src/console/pages/records/query/record-query.js';

const record = (id: number, timestamp: string, rest: object = {}) => ({
  id,
  'Story name': null,
  Timestamp: timestamp,
  ...rest,
});

test('the address keeps the whole list, and drops what it names wrongly', () => {
  const address =
    'type=7&f=25.EQUAL.a.b%26c&f=26.IS_EMPTY.&from=2026-11-01T00%3A00%3A00.000Z&order=26&direction=ASC&columns=25%2C26&tests=true&chart=25&measure=26&page=3';
  expect(addressOfRecords(recordQueryIn(address))).toBe(address);
  expect(recordQueryIn(address).filters[0]).toEqual({ field: 25, operator: 'EQUAL', value: 'a.b&c' });
  expect(
    addressOfRecords(recordQueryIn('type=x&f=25.LIKE.a&f=EQUAL&order=-1&chart=pie&page=0&from=soon')),
  ).toBe('');
});

test.each([
  ['plain', 'plain'],
  [-7.5, '-7.5'],
  [null, ''],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['-2', '-2'],
])('the cell of %j is %s', (value, cell) => expect(csvOf([[value]])).toBe(`${cell}\r\n`));

test('bars by time have no gap, and days begin at midnight of the viewer', () => {
  const records = [record(1, '2026-11-01 23:30:00'), record(2, '2026-11-08 00:30:00', { Score: 2 })];
  const { heights, barSeconds, times } = barsByTime(records, () => 1, -3_600_000);
  expect([heights, barSeconds]).toEqual([[1, 0, 0, 0, 0, 0, 1], 86_400]);
  expect(new Date((times[0] ?? 0) * 1_000).toISOString()).toBe('2026-11-02T11:00:00.000Z');
});

test('bars by value are the highest first, and the rest together', () => {
  const records = ['a', 'b', 'b', '', 'c', 'c', 'c'].map((kind, n) =>
    record(n, '2026-11-01 00:00:00', { kind }),
  );
  expect(barsByValue(records, 'kind', () => 2, 3)).toEqual([
    { name: 'c', height: 6 },
    { name: 'b', height: 4 },
    { name: '2 other values', height: 4 },
  ]);
});
