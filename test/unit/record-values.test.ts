import * as fc from 'fast-check';
import { readFieldValue, readTyped, valueText } from '../../src/data/records/field-value.js';
import { sortKeyOf } from '../../src/data/records/search/sort-key.js';
import { parseIsoTime } from '../../src/platform/time/iso-time.js';

const bytesOf = (type: Parameters<typeof sortKeyOf>[0], value: string | number) => {
  const { key, fullText } = sortKeyOf(type, value);
  return fullText ?? key ?? Buffer.alloc(0);
};

/** A number as it is shown, without an exponent. */
function shownAs(value: number): string {
  const [whole = '', exponent = '0'] = String(value).split('e');
  const [before = '', after = ''] = whole.split('.');
  return exponent === '0' ? whole : before + after.padEnd(Number(exponent), '0');
}

describe('sort keys', () => {
  it('order numbers by size', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        expect(Math.sign(Buffer.compare(bytesOf('NUMBER', a), bytesOf('NUMBER', b)))).toBe(
          Math.sign(a < b ? -1 : a > b ? 1 : 0),
        );
      }),
    );
  });

  it('order texts by code point, not by UTF-16 unit', () => {
    expect(Buffer.compare(bytesOf('TEXT', '\uffff'), bytesOf('TEXT', '😀'))).toBe(-1);
    expect(Buffer.compare(bytesOf('TEXT', 'a'), bytesOf('TEXT', 'a '))).toBe(-1);
  });

  it('order times as time goes by', () => {
    const times = [
      '0001-01-01 00:00:00',
      '1969-12-31 23:59:59',
      '1970-01-01 00:00:00',
      '9999-12-31 23:59:59',
    ];
    const shuffled = times
      .toReversed()
      .toSorted((a, b) => Buffer.compare(bytesOf('TIMESTAMP', a), bytesOf('TIMESTAMP', b)));
    expect(shuffled).toEqual(times);
  });

  it('keep a text whole beside its key when it is longer', () => {
    expect(sortKeyOf('TEXT', 'x'.repeat(512)).fullText).toBeNull();
    const { key, fullText } = sortKeyOf('TEXT', 'x'.repeat(513));
    expect([key?.length, fullText?.length]).toEqual([512, 513]);
    expect(sortKeyOf('TEXT', '')).toEqual({ key: null, fullText: null });
  });
});

describe('values', () => {
  it('read back as they are shown', () => {
    const text = { resultType: 'TEXT', fixedValues: [] } as const;
    const number = { resultType: 'NUMBER', fixedValues: [] } as const;
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (word, amount) => {
          const typed = readFieldValue({ ...text, fixedValues: [] }, word);
          expect(typed).toEqual({ value: word === '' ? null : word });
          const shown = valueText(amount + 0);
          expect(readFieldValue({ ...number, fixedValues: [] }, shown)).toEqual({ value: amount + 0 });
        },
      ),
    );
  });
});

describe('numbers beyond 2^53', () => {
  const number = { resultType: 'NUMBER', fixedValues: [] } as const;
  const read = (raw: unknown) => readFieldValue({ ...number, fixedValues: [] }, raw);
  const refused = { problem: expect.stringMatching(/^must be a number; beyond ±9007199254740991 /) };

  it.each<[unknown, number]>([
    [9_007_199_254_740_991, 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992],
    ['9007199254740994.00', 9_007_199_254_740_994],
    ['1e20', 1e20],
    ['+100000000000000000000', 1e20],
    ['.00012E+25', 1.2e21],
    ['-1.7976931348623157e308', -1.797_693_134_862_315_7e308],
  ])('%j is kept', (raw, value) => {
    expect(read(raw)).toEqual({ value });
  });

  it.each([
    9_007_199_254_740_992,
    '9007199254740993',
    '9007199254740993.5',
    '100000000000000000001',
    '1152921504606846976',
    1e300,
    '1e309',
    '1'.repeat(1_001),
    `${'1'.repeat(900_000)}x`,
  ])('%j would be another number, and is refused', (raw) => {
    expect(read(raw)).toEqual(refused);
    expect(readTyped('NUMBER', raw)).toEqual(refused);
  });

  it('are no text of themselves either once they were JSON numbers', () => {
    expect(readFieldValue({ resultType: 'TEXT', fixedValues: [] }, 2 ** 53)).toEqual({
      problem: expect.stringContaining('must be a text'),
    });
  });

  it('are shown with the digits they were given with', () => {
    const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String);
    fc.assert(
      fc.property(digits, (text) => {
        const { value } = read(text) as { value?: number };
        if (value !== undefined)
          expect(BigInt(value).toString() === text || shownAs(value) === text).toBe(true);
        else expect(shownAs(Number(text))).not.toBe(text);
      }),
    );
  });
});

describe('ISO 8601 times', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T10:05', '2026-11-21T10:05:00.000Z'],
    ['2026-11-21 10:05:06', '2026-11-21T10:05:06.000Z'],
    ['2026-11-21T10:05:06.7899Z', '2026-11-21T10:05:06.789Z'],
    ['2026-11-21T10:05:06,5z', '2026-11-21T10:05:06.500Z'],
    ['2026-11-21T10:05:06+02:30', '2026-11-21T07:35:06.000Z'],
    ['2026-11-21T10:05:06-0230', '2026-11-21T12:35:06.000Z'],
    ['2026-11-21T10:05:06+02', '2026-11-21T08:05:06.000Z'],
    ['2026-11-21T10:05:06 02:00', '2026-11-21T08:05:06.000Z'],
    ['20261121T100506Z', '2026-11-21T10:05:06.000Z'],
    ['2026-W47-6', '2026-11-21T00:00:00.000Z'],
    ['2020W536T10:05Z', '2021-01-02T10:05:00.000Z'],
    ['2025-W01-1T00:00+01:00', '2024-12-29T23:00:00.000Z'],
    ['2026-325T10:05:06Z', '2026-11-21T10:05:06.000Z'],
    ['2024366', '2024-12-31T00:00:00.000Z'],
    ['0099-060', '0099-03-01T00:00:00.000Z'],
    ['0099-03-01', '0099-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-21T24:00', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T10:05:06.123456789012Z', '2026-11-21T10:05:06.123Z'],
  ])('%s is %s', (text, time) => {
    expect(parseIsoTime(text)?.toISOString()).toBe(time);
  });

  it.each([
    '',
    'now',
    '1',
    '2026',
    '2026-13-01',
    '2026-00-01',
    '2026-02-29',
    '2026-11-21T24:00:01',
    '2026-11-21T24:00:00.5',
    '2026-11-21T25:00',
    '2026-11-21T12:00:60Z',
    '2026-11-21T23:59:61Z',
    '9999-12-31T24:00:00Z',
    '2026-11-21T10:60',
    '2026-11-21T10:00:00+24:00',
    '2026-11-21Z',
    '2026-W47',
    '2026-W00-1',
    '2026-W54-1',
    '2025-W53-1',
    '2026-W47-8',
    '2026-000',
    '2026-366',
    '2026-325Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-11-21T10:00:00Z; DROP',
  ])('%j is none', (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
  });
});
