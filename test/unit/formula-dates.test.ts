import { array, assert as assertProperty, constantFrom, oneof, property, string } from 'fast-check';
import { evaluateFormula } from '../../src/language/formula/evaluation/evaluate.js';
import { parseDate } from '../../src/language/dates/parse-date.js';
import { parseSpokenDate } from '../../src/language/dates/spoken-date.js';
import { strftime } from '../../src/language/dates/strftime.js';
import { renderLiquid } from '../support/render-liquid.js';

/** A Wednesday. */
const NOW = '2024-05-15T14:20:30.500Z';

const shown = (text: string) => {
  const time = parseSpokenDate(text, Date.parse(NOW));
  return time === undefined ? undefined : strftime(time, '%F %T %z').replace(' +0000', '');
};

const evaluated = (formula: string, now: string) => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
  return evaluateFormula(`=${formula}`, {});
};

describe('a date in words', () => {
  it.each([
    ['7 days ago', '2024-05-08 14:20:30'],
    ['1 days ago', '2024-05-14 14:20:30'],
    ['24 hours ago', '2024-05-14 14:20:30'],
    ['a month ago', '2024-04-15 14:20:30'],
    ['an hour ago', '2024-05-15 13:20:30'],
    ['a second ago', '2024-05-15 14:20:29'],
    ['one year ago', '2023-05-15 14:20:30'],
    ['Two  Weeks AGO', '2024-05-01 14:20:30'],
    ['20 minutes before now', '2024-05-15 14:00:30'],
    ['1 hour from now', '2024-05-15 15:20:30'],
    ['6 months hence', '2024-11-15 14:20:30'],
    ['in 3 hours', '2024-05-15 17:20:30'],
    ['in a minute', '2024-05-15 14:21:30'],
    ['in 90 mins', '2024-05-15 15:50:30'],
    ['3 days ago at 10am', '2024-05-12 10:00:00'],
  ])('may be a distance from now: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it.each([
    ['now', '2024-05-15 14:20:30'],
    ['Today', '2024-05-15 14:20:30'],
    ['yesterday', '2024-05-14 00:00:00'],
    ['Tomorrow', '2024-05-16 00:00:00'],
    ['tomorrow at 10am', '2024-05-16 10:00:00'],
    ['tomorrow at 10:30', '2024-05-16 10:30:00'],
    ['yesterday 12:01 am', '2024-05-14 00:01:00'],
    ['today at noon', '2024-05-15 12:00:00'],
    ['yesterday at midnight', '2024-05-15 00:00:00'],
    ['10:30 tomorrow', '2024-05-16 10:30:00'],
    ['tomorrow at 10am EST', '2024-05-16 10:00:00 -0500'],
  ])('may be a day near this one, with or without a time: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it.each([
    ['monday', '2024-05-20 00:00:00'],
    ['next monday', '2024-05-20 00:00:00'],
    ['this fri', '2024-05-17 00:00:00'],
    ['wednesday', '2024-05-22 00:00:00'],
    ['last wednesday', '2024-05-08 00:00:00'],
    ['last Tuesday', '2024-05-14 00:00:00'],
    ['last thursday at 5pm', '2024-05-09 17:00:00'],
    ['sunday 8:15pm', '2024-05-19 20:15:00'],
  ])('may be a day of the week: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it.each([
    ['last week', '2024-05-06 00:00:00'],
    ['this week', '2024-05-13 00:00:00'],
    ['next week', '2024-05-20 00:00:00'],
    ['last month', '2024-04-01 00:00:00'],
    ['next month', '2024-06-01 00:00:00'],
    ['this year', '2024-01-01 00:00:00'],
    ['next year', '2025-01-01 00:00:00'],
    ['this day', '2024-05-15 00:00:00'],
    ['last day at 10:00', '2024-05-14 10:00:00'],
    ['this hour', '2024-05-15 14:00:00'],
    ['next minute', '2024-05-15 14:21:00'],
  ])('may be the first moment of a period: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it.each([
    ['17th of March 2021', '2021-03-17 00:00:00'],
    ['fourteenth of May 2024', '2024-05-14 00:00:00'],
    ['the twenty-first of June, 2024', '2024-06-21 00:00:00'],
    ['thirtieth of May', '2024-05-30 00:00:00'],
    ['thirty first of May at noon', '2024-05-31 12:00:00'],
    ['second of may 2024', '2024-05-02 00:00:00'],
    ['fifth of may', '2024-05-05 00:00:00'],
    ['March 5th', '2025-03-05 00:00:00'],
    ['December 25th', '2024-12-25 00:00:00'],
    ['March 5', '2025-03-05 00:00:00'],
    ['May 5th 2024 10:20 PM PDT', '2024-05-05 22:20:00 -0700'],
    ['3/4/2024', '2024-04-03 00:00:00'],
    ['12/25/2023', '2023-12-25 00:00:00'],
    ['12/25/2023 10:20', '2023-12-25 10:20:00'],
  ])('may be a day of a month: %s', (text, time) => {
    expect(shown(text)).toBe(time);
  });

  it.each([
    'soon',
    '7 days',
    'in 7 days ago',
    'in 7',
    'ago',
    'a few days ago',
    '7 moons ago',
    '999999 years ago',
    '1000000 days ago',
    'next',
    'next constructor',
    'last moonday',
    'at 10am',
    '10:30',
    'tomorrow at 25:00',
    'tomorrow at 13am',
    '2 hours ago at 10am',
    'this hour at 10am',
    '31st of February',
    'thirty-second of may',
    '12-25-2023',
    '13/32/2023',
    'constructor at 10am',
  ])('is nothing else: %s', (text) => {
    expect(shown(text)).toBeUndefined();
  });

  it('reads what is written in figures as ever', () => {
    const texts = [
      '2024-03-05T10:20:30.123+02:00',
      '20240305',
      '1612345678',
      'Mon, 01 Jan 2024 10:00 AM EST',
      '2024/3/5',
    ];
    for (const text of [...texts, 1_612_345_678, null, { a: 1 }])
      expect(parseSpokenDate(text, 0)).toEqual(parseDate(text, 0));
  });

  it('is a moment that can be shown, or none, for any text', () => {
    const words =
      'last next this in a an one 7 999999 day days weeks month year hour s ago from now hence at 10am 24:00 5th second of twenty may monday noon today -0500 31/12/2024 / ,';
    const text = oneof(
      string({ maxLength: 120 }),
      array(constantFrom(...words.split(' ')), { maxLength: 8 }).map((some) => some.join(' ')),
    );
    assertProperty(
      property(text, (given) => !/NaN|undefined/.test(shown(given) ?? '')),
      { numRuns: 3_000 },
    );
  });
});

describe('a day in words with a zone', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['DATE("tomorrow", "%F", "America/Los_Angeles")', '2026-11-23'],
    ['DATE("yesterday", "%F %T", "America/New_York")', '2026-11-21 00:00:00'],
    ['DATE("friday", "%A", "America/New_York")', 'Friday'],
    ['DATE("this month", "%B", "America/New_York")', 'November'],
    ['DATE("next year", "%Y", "America/New_York")', '2027'],
    ['DATE("tomorrow at 5am", "%F %T %z", "America/Los_Angeles")', '2026-11-23 05:00:00 -0800'],
    ['DATE("tomorrow at 10am EST", "%F %T", "Europe/Paris")', '2026-11-23 16:00:00'],
    ['DATE("2 hours ago", "%T", "America/New_York")', '03:45:00'],
    ['DATE("2 days ago", "%F %T", "America/New_York")', '2026-11-20 05:45:00'],
    ['DATE("tomorrow", "%F", timezone: "America/Los_Angeles")', '2026-11-23'],
    ['DATE("now", timezone: "Asia/Tokyo")', '2026-11-22T19:45:00+09:00'],
    ['NOW(timezone: "Asia/Tokyo")', '2026-11-22T19:45:00+09:00'],
    ['TODAY(timezone: "Pacific/Kiritimati")', '2026-11-23'],
    ['YESTERDAY(timezone: "Pacific/Kiritimati")', '2026-11-22'],
    ['TOMORROW(timezone: "Pacific/Kiritimati")', '2026-11-24'],
    ['DATE("some day", "%F", "Nowhere/City")', 'some day'],
    ['DATE_PARSE("2 hours ago", timezone: "America/New_York").unix_timestamp - UNIX_TIMESTAMP()', -7_200],
    ['DATE_PARSE("yesterday", timezone: "America/New_York").iso8601', '2026-11-21T00:00:00-05:00'],
    ['DATE_PARSE("tomorrow at 10am", timezone: "Asia/Tokyo").iso8601', '2026-11-23T10:00:00+09:00'],
    ['DATE_PARSE("tomorrow at 10am EST", timezone: "Europe/Paris").iso8601', '2026-11-23T16:00:00+01:00'],
    ['DATE_PARSE("2026-11-22 10:00", timezone: "America/New_York").iso8601', '2026-11-22T10:00:00-05:00'],
  ])('is of that zone: %s', (formula, expected) => {
    expect(evaluated(formula, '2026-11-22T10:45:00Z')).toBe(expected);
  });

  it.each([
    // Already the next day in Tokyo, still the last one in Los Angeles.
    ['DATE("tomorrow", "%F", "Asia/Tokyo")', '2026-11-22T20:00:00Z', '2026-11-24'],
    ['DATE("tomorrow", "%F", "America/Los_Angeles")', '2026-11-22T03:00:00Z', '2026-11-22'],
    // Clocks go back on the first of November, forward on the eighth of March.
    ['DATE("tomorrow", "%F %T %z", "America/New_York")', '2026-11-01T05:30:00Z', '2026-11-02 00:00:00 -0500'],
    [
      'DATE("yesterday", "%F %T %z", "America/New_York")',
      '2026-11-02T12:00:00Z',
      '2026-11-01 00:00:00 -0400',
    ],
    ['DATE("tomorrow", "%F %T %z", "America/New_York")', '2026-03-08T06:30:00Z', '2026-03-09 00:00:00 -0400'],
    [
      'DATE("in 2 hours", "%F %T %z", "America/New_York")',
      '2026-03-08T06:30:00Z',
      '2026-03-08 04:30:00 -0400',
    ],
    [
      'DATE("this hour", "%F %T %z", "America/New_York")',
      '2026-11-01T06:30:00Z',
      '2026-11-01 01:00:00 -0500',
    ],
    [
      'DATE("next hour", "%F %T %z", "America/New_York")',
      '2026-11-01T05:30:00Z',
      '2026-11-01 01:00:00 -0500',
    ],
  ])('heeds its clock: %s at %s', (formula, now, expected) => {
    expect(evaluated(formula, now)).toBe(expected);
  });
});

describe('formulas', () => {
  beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.parse(NOW)));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['DATE("7 days ago", "%F")', '2024-05-08'],
    ['DATE("1 days ago")', '2024-05-14T14:20:30Z'],
    ['DATE("tomorrow at 10am", "%F %T", "Europe/Paris")', '2024-05-16 10:00:00'],
    ['UNIX_TIMESTAMP("24 hours ago")', Date.parse('2024-05-14T14:20:30Z') / 1000],
    ['DATE_DIFF(DATE("now"), "2 days ago").days', 2],
    ['DATE_DIFF("2 days ago", DATE("now")).days', 2],
    ['DATE_ADD("yesterday", 1, "day")', '2024-05-15T00:00:00Z'],
    ['IS_BEFORE("last monday", "next monday")', true],
    ['IS_DATE("next week")', true],
    ['IS_DATE("999999 years ago")', false],
    ['DATE("some time ago", "%F")', 'some time ago'],
  ])('read it: %s', (formula, expected) => {
    expect(evaluateFormula(`=${formula}`, {})).toBe(expected);
  });

  it('alone do: in Liquid such a text stays as it is', () => {
    const text = '{{ "7 days ago" | date: "%F" }} {{ "yesterday" | date: "%F" }}';
    expect(renderLiquid(text)).toBe('7 days ago yesterday');
  });
});
