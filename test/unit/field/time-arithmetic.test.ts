import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import { renderLiquid } from '../../support/render-liquid.js';

const render = (expression: string) => renderLiquid(`{{ ${expression} }}`);
const valueOf = (formula: string) => evaluateFormula(`=${formula}`, {});

describe('A13: DATE_DIFF does not depend on the order, and knows months and years', () => {
  it.each([
    ['DATE_DIFF("2024-03-01", "2024-01-01").days', 60],
    ['DATE_DIFF("2024-03-01", "2024-01-01").days > 30', true],
    ['DATE_DIFF("2024-01-01", "2024-03-01").days', 60],
    ['DATE_DIFF("2024-03-01", "2024-01-01", "days")', 60],
    ['DATE_DIFF("2024-03-01", "2024-01-01", "days", FALSE)', -60],
    ['DATE_DIFF("2024-03-01", "2024-01-01", absolute: FALSE).days', -60],
    ['DATE_DIFF("2024-03-01", "2024-01-01", FALSE).days', -60],
    ['DATE_DIFF("2024-01-31", "2024-03-01", "months")', 1],
    ['DATE_DIFF("2024-01-31", "2024-02-29", "month")', 1],
    ['DATE_DIFF("2020-02-29", "2024-02-28", "years")', 3],
    ['DATE_DIFF("2024-02-29", "2020-02-29", "years")', 4],
    ['DATE_DIFF("2024-01-01T00:00:00.000000001Z", "2024-01-02", "days")', 0],
  ])('%s is %j', (formula, value) => {
    expect(valueOf(formula)).toBe(value);
  });

  it('gives the whole in each unit, and units that add up', () => {
    expect(valueOf('DATE_DIFF("2023-11-03T10:00:00-05:00", "2023-11-03T13:30:45-04:00")')).toEqual({
      seconds: 9045,
      minutes: 150.75,
      hours: 2.51,
      days: 0.1,
      weeks: 0.01,
      units: { years: 0, months: 0, weeks: 0, days: 0, hours: 2, minutes: 30, seconds: 45 },
    });
    expect(valueOf('DATE_DIFF("2025-01-23T13:30:45", "2025-01-23T10:00:00", absolute: FALSE)')).toEqual({
      seconds: -12_645,
      minutes: -210.75,
      hours: -3.51,
      days: -0.15,
      weeks: -0.02,
      units: { years: 0, months: 0, weeks: 0, days: 0, hours: -3, minutes: -30, seconds: -45 },
    });
    expect(valueOf('DATE_DIFF("2022-01-31", "2024-03-10T01:02:03Z").units')).toEqual({
      years: 2,
      months: 1,
      weeks: 1,
      days: 3,
      hours: 1,
      minutes: 2,
      seconds: 3,
    });
  });
});

describe('C15: clock changes are read by one rule in all zones', () => {
  it.each([
    // Skipped: later by the skipped duration.
    ['2024-03-10 02:30', 'America/New_York', '2024-03-10T03:30:00-04:00'],
    ['2024-03-31 01:30', 'Europe/London', '2024-03-31T02:30:00+01:00'],
    ['2024-03-31 02:30', 'Europe/Berlin', '2024-03-31T03:30:00+02:00'],
    ['2024-10-06 02:15', 'Australia/Lord_Howe', '2024-10-06T02:45:00+11:00'],
    ['2024-10-06 02:30', 'Australia/Sydney', '2024-10-06T03:30:00+11:00'],
    ['2011-12-30 12:00', 'Pacific/Apia', '2011-12-31T12:00:00+14:00'],
    // Repeated: the first occurrence.
    ['2024-11-03 01:30', 'America/New_York', '2024-11-03T01:30:00-04:00'],
    ['2024-10-27 01:30', 'Europe/London', '2024-10-27T01:30:00+01:00'],
    ['2024-10-27 02:30', 'Europe/Berlin', '2024-10-27T02:30:00+02:00'],
    ['2024-04-07 02:30', 'Australia/Sydney', '2024-04-07T02:30:00+11:00'],
    ['2024-11-03 00:30', 'America/Havana', '2024-11-03T00:30:00-04:00'],
    // Neither.
    ['2024-07-01 12:00', 'America/New_York', '2024-07-01T12:00:00-04:00'],
  ])('%s in %s is %s', (text, zone, time) => {
    expect(valueOf(`DATE_PARSE("${text}", "%Y-%m-%d %H:%M", "${zone}").iso8601`)).toBe(time);
    expect(valueOf(`DATE_PARSE("${text}", timezone: "${zone}").iso8601`)).toBe(time);
  });

  it('words follow it too', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-07T12:00:00Z'));
    expect(valueOf('DATE("tomorrow at 2:30", "%FT%T%:z", "America/New_York")')).toBe(
      '2026-03-08T03:30:00-04:00',
    );
    jest.restoreAllMocks();
  });
});

describe('C31: strptime and strftime know the rest of Ruby', () => {
  it.each([
    ['"12:30 2024-01-05", "%I:%M %Y-%m-%d"', '2024-01-05T12:30:00'],
    ['"12:30 AM 2024-01-05", "%I:%M %p %Y-%m-%d"', '2024-01-05T00:30:00'],
    ['"20 24-01-05", "%C %y-%m-%d"', '2024-01-05T00:00:00'],
    ['"19240105", "%C%y%m%d"', '1924-01-05T00:00:00'],
    ['"2024-1-5", "%EY-%Om-%Od"', '2024-01-05T00:00:00'],
    ['"2024-W10-3", "%G-W%V-%u"', '2024-03-06T00:00:00'],
    ['"2024 10 Tue", "%Y %U %a"', '2024-03-12T00:00:00'],
    ['"2024 10 0", "%Y %W %w"', '2024-03-10T00:00:00'],
    ['"20240105030405123", "%Y%m%d%H%M%S%L"', '2024-01-05T03:04:05'],
    ['"1704423845.5", "%s.%N"', '2024-01-05T03:04:05'],
    ['"+09", "%:::z"', undefined],
  ])('strptime reads %s', (values, time) => {
    const read = `DATE_PARSE(${values}).iso8601`;
    if (time === undefined) expect(valueOf(read)).toMatch(/\+00:00$/);
    else expect(valueOf(read)).toBe(`${time}+00:00`);
  });

  it.each([
    ['%:::z', '+05:30'],
    ['%::z', '+05:30:00'],
    ['%10z', '+000000530'],
    ['%_10z', '      +530'],
    ['%#p %#P %^b %#B', 'am AM JAN JANUARY'],
    ['%Ey %Od %EY %OH %Ez', '24 05 2024 08 %Ez'],
    ['%9N %12N %3N', '123456789 123456789000 123'],
    ['%5u %_5w %010A %-d %0_4e', '00005     5 0000Friday 5    5'],
    ['%^c %12F', 'FRI JAN  5 08:34:05 2024   2024-01-05'],
  ])('strftime writes %s', (format, text) => {
    expect(render(`'2024-01-05T08:34:05.123456789+05:30' | date: '${format}'`)).toBe(text);
  });
});

describe('C36: years before 0 are shown as such', () => {
  it.each([
    ['DATE_PARSE("-0009-07-29").iso8601', '-0009-07-29T00:00:00+00:00'],
    ['DATE_PARSE("-9-07-29", "%Y-%m-%d").iso8601', '-0009-07-29T00:00:00+00:00'],
    ['DATE("-0009-07-29", "%F %C %y %G")', '-0009-07-29 -1 91 -0009'],
    ['DATE("0000-01-01", "%F")', '0000-01-01'],
    ['DATE("+012024-01-05", "%F")', '12024-01-05'],
    ['DATE_ADD("0001-03-01", -2, "years")', '-0001-03-01T00:00:00Z'],
  ])('%s is %s', (formula, text) => {
    expect(valueOf(formula)).toBe(text);
  });
});

describe('A22: strftime has the parts of Ruby', () => {
  it.each([
    ['%#p', 'pm'],
    ['%Ey', '24'],
    ['%Od', '05'],
    ['%:::z', '+00'],
    ['%Q %i', '1704466445000 %i'],
  ])('%s', (format, text) => {
    expect(render(`'2024-01-05T14:54:05Z' | date: '${format}'`)).toBe(text);
  });
});
