import { array, assert, constantFrom, date, oneof, property, string } from 'fast-check';
import { parseDate } from '../../src/language/dates/parse-date.js';
import { strftime } from '../../src/language/dates/strftime.js';
import { utc } from '../../src/language/dates/zoned-time.js';

const NOW_MS = Date.parse('2024-05-15T14:20:30.500Z');

const shown = (text: string, format = '%Y-%m-%dT%H:%M:%S%z') => {
  const time = parseDate(text, NOW_MS);
  return time === undefined ? undefined : strftime(time, format);
};

describe('a date in numbers', () => {
  it.each([
    ['05-03-2024', '2024-03-05'],
    ['03/04/2024', '2024-04-03'],
    ['25/12/2023', '2023-12-25'],
    ['25-12-2023', '2023-12-25'],
    ['31.12.2023', '2023-12-31'],
    ['1.2.2023', '2023-02-01'],
    ['2023/12/25', '2023-12-25'],
    ['2024-3-5', '2024-03-05'],
    ['2024-03', '2024-03-01'],
    ['29/02/2024', '2024-02-29'],
  ])('has its day first unless its year is: %s is %s', (text, day) => {
    expect(shown(text, '%F')).toBe(day);
  });

  it.each(['12-25-2023', '12/25/2023', '29/02/2023', '31/04/2024', '00/01/2024', '25/12-2023', '5/3/24'])(
    'is none where there is no such day: %s',
    (text) => expect(shown(text)).toBeUndefined(),
  );

  it.each([
    ['25/12/2023 10:20:30', '2023-12-25T10:20:30+0000'],
    ['25.12.2023, 10:20 PM', '2023-12-25T22:20:00+0000'],
    ['25-12-2023T10:20:30.5Z', '2023-12-25T10:20:30+0000'],
    ['05-03-2024 10:20 -0500', '2024-03-05T10:20:00-0500'],
    ['2023/12/25 10:20', '2023-12-25T10:20:00+0000'],
  ])('may have a time behind it: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });
});

describe('a date with the name of its month', () => {
  it.each([
    ['Mon, 25 Dec 2023 10:20 AM EST', '2023-12-25T10:20:00-0500'],
    ['Wed, 03 Jul 2024 04:05:06 pdt', '2024-07-03T04:05:06-0700'],
    ['Thu Feb 03 10:00:00 CST 2022', '2022-02-03T10:00:00-0600'],
    ['Wed, 03 Feb 2021 04:05:06 GMT', '2021-02-03T04:05:06+0000'],
    ['Wed Feb 03 2021 04:05:06 GMT+0200 (CET)', '2021-02-03T04:05:06+0200'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37+0000'],
    ['Tue, 05 Mar 2024 10:00:00 UT', '2024-03-05T10:00:00+0000'],
    ['Tue, 05 Mar 2024 UT', '2024-03-05T00:00:00+0000'],
    ['2024-03-05 10:00 UTC+2', '2024-03-05T10:00:00+0200'],
    ['2024-03-05 10:00 GMT+2', '2024-03-05T10:00:00+0200'],
    ['5 Mar 2024 10:00 GMT-3', '2024-03-05T10:00:00-0300'],
    ['5 Mar 2024 10:00 UTC+5:30', '2024-03-05T10:00:00+0530'],
    ['5 Mar 2024 10:00 UTC-0930', '2024-03-05T10:00:00-0930'],
    ['03/Feb/2021:04:05:06 +0100', '2021-02-03T04:05:06+0100'],
    ['Feb 3, 2021, 12:05:06 AM', '2021-02-03T00:05:06+0000'],
    ['March 5th, 2021', '2021-03-05T00:00:00+0000'],
    ['10:00 3 Feb 2021', '2021-02-03T10:00:00+0000'],
    ['March 2024', '2024-03-01T00:00:00+0000'],
    ['2021 Feb 3', '2021-02-03T00:00:00+0000'],
  ])('keeps the offset of its zone: %s is %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it('is of this year where it names none', () => {
    expect(shown('Dec 25 10:20:30')).toBe('2024-12-25T10:20:30+0000');
    expect(shown('3 April')).toBe('2024-04-03T00:00:00+0000');
  });

  it.each([
    '31 Feb 2021',
    'Feb 3 2021 25:00',
    'Feb 3 2021 13 pm',
    'Feb 3 2021 10:61',
    'marching orders 2021',
    'foo 2024',
  ])('is none where the calendar or the clock never shows it: %s', (text) =>
    expect(shown(text)).toBeUndefined(),
  );
});

describe('any text', () => {
  const piece = constantFrom(
    ...'now today 5 05 31 2024 99 Mar march EST Z UTC +02:00 -0500 10:20 10:20:30.5 am p.m. T - / . , : ( ) at of'.split(
      ' ',
    ),
    ' ',
  );
  const text = oneof(
    string({ maxLength: 120 }),
    array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')),
  );

  it('is a moment that can be shown, or none', () => {
    assert(
      property(text, (given) => {
        const time = parseDate(given, NOW_MS);
        return time === undefined || !/NaN/.test(strftime(time, '%F %T %z'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read again as it was shown, in any of the forms', () => {
    const moment = date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true });
    const format = constantFrom(
      '%d/%m/%Y %H:%M:%S',
      '%d-%m-%Y %H:%M:%S',
      '%d.%m.%Y %I:%M:%S %p',
      '%a, %d %b %Y %T %z',
      '%B %-d, %Y %r',
      '%Y/%m/%d %T',
      '%FT%TZ',
      '%c',
    );
    assert(
      property(moment, format, (at, form) => {
        const epochMs = Math.floor(at.getTime() / 1_000) * 1_000;
        const text = strftime(utc(epochMs), form);
        expect(parseDate(text, NOW_MS)?.epochMs).toBe(epochMs);
      }),
    );
  });
});
