import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import { readNumeric } from '../../../src/platform/json/exact-number.js';
import { parseIsoTime } from '../../../src/platform/time/iso-time.js';
import { renderLiquid } from '../../support/render-liquid.js';

const render = (expression: string) => renderLiquid(`{{ ${expression} }}`);
const valueOf = (formula: string) => evaluateFormula(`=${formula}`, {});

describe('A10: a zone has the name that its clocks have', () => {
  it.each([
    ["'2024-07-01T12:00:00Z' | date: '%H:%M %Z', 'Europe/Paris'", '14:00 CEST'],
    ["'2024-07-01T12:00:00Z' | date: '%H:%M %Z', 'Europe/London'", '13:00 BST'],
    ["'2024-07-01 14:00 CEST' | date: '%s'", '1719835200'],
    ["'2024-01-01T12:00:00Z' | date: '%Z', 'Europe/Paris'", 'CET'],
    ["'2024-01-01T12:00:00Z' | date: '%Z', 'Europe/London'", 'GMT'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Europe/Dublin'", 'IST'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Asia/Kolkata'", 'IST'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Asia/Tokyo'", 'JST'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Australia/Sydney'", 'AEST'],
    ["'2024-01-01T12:00:00Z' | date: '%Z', 'australia/sydney'", 'AEDT'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Europe/Helsinki'", 'EEST'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Europe/Moscow'", 'MSK'],
    ["'2010-07-01T12:00:00Z' | date: '%Z', 'Europe/Moscow'", 'MSD'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'America/New_York'", 'EDT'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'America/Sao_Paulo'", '-03'],
    ["'2024-07-01T12:00:00Z' | date: '%Z', 'Asia/Kathmandu'", '+0545'],
    ["'2024-07-01T12:00:00Z' | date: '%+', 'Europe/Berlin'", 'Mon Jul  1 14:00:00 CEST 2024'],
    ["'2024-07-01 14:00 CEST' | date: '%H:%M %z %Z'", '14:00 +0200 CEST'],
  ])('%s is %s', (expression, text) => {
    expect(render(expression)).toBe(text);
  });

  it.each([
    ['DATE("2024-07-01T12:00:00Z", "%Z", "Europe/Rome")', 'CEST'],
    ['DATE_PARSE("2024-07-01 12:00", timezone: "Asia/Seoul").timezone', 'KST'],
    ['DATE_PARSE("2024-07-01 12:00 NZST", "%F %R %Z").iso8601', '2024-07-01T00:00:00+00:00'],
  ])('%s is %s', (formula, text) => {
    expect(valueOf(formula)).toBe(text);
  });
});

describe('C12: %Z names the zone outside America, and UTC', () => {
  it.each([
    ['Europe/Paris', 'CET'],
    ['Asia/Tokyo', 'JST'],
    ['Asia/Kolkata', 'IST'],
    ['Australia/Sydney', 'AEDT'],
    ['Africa/Johannesburg', 'SAST'],
    ['Pacific/Auckland', 'NZDT'],
    ['Asia/Manila', 'PST'],
    ['UTC', 'UTC'],
  ])('of %s in January: %s', (zone, name) => {
    expect(render(`'2024-01-05T03:04:05Z' | date: '%Z', '${zone}'`)).toBe(name);
  });

  it.each(['+00:00', '+0000', '-00:00', 'Z', ' UTC', ' GMT'])('is UTC for a time written with %j', (zone) => {
    expect(render(`'2024-01-05T03:04:05${zone}' | date: '%Z %z'`)).toBe('UTC +0000');
  });
});

describe('C8: abbreviations of zones are read', () => {
  it.each([
    ['Sat, 28 Aug 1999 02:29:34 CET', '1999-08-28T01:29:34Z'],
    ['Fri Jan 05 03:04:05 MSK 2024', '2024-01-05T00:04:05Z'],
    ['2024-07-01 14:00 JST', '2024-07-01T05:00:00Z'],
    ['2024-07-01 14:00 IST', '2024-07-01T08:30:00Z'],
    ['July 1, 2024 2:00 PM AEST', '2024-07-01T04:00:00Z'],
    ['1 Jul 2024 14:00 NZDT', '2024-07-01T01:00:00Z'],
    ['1 Jul 2024 14:00 BRT', '2024-07-01T17:00:00Z'],
    ['1 Jul 2024 14:00:00 hst', '2024-07-02T00:00:00Z'],
    ['Mon, 1 Jul 2024 14:00:00 +0200 (CEST)', '2024-07-01T12:00:00Z'],
    ['2024-01-05 03:04:05.006789 +0000 UTC', '2024-01-05T03:04:05Z'],
    ['Thu Jul 29 1999 16:39:41 GMT+0900 (Japan Standard Time)', '1999-07-29T07:39:41Z'],
    ['10:20 Mar 5 2024', '2024-03-05T10:20:00Z'],
  ])('%s is %s', (text, moment) => {
    expect(render(`'${text}' | date: '%FT%TZ', 'UTC'`)).toBe(moment);
  });

  it('stay text if nobody knows them', () => {
    expect(render("'2024-07-01 14:00 XYZ' | date: '%F'")).toBe('2024-07-01 14:00 XYZ');
    expect(() => valueOf('DATE_PARSE("2024-07-01 14:00 XYZ", "%F %R %Z")')).toThrow(/does not have the form/);
  });

  it.each([
    [
      '"Thu Jul 29 1999 16:39:41 GMT+0900 (Japan Standard Time)", "%a %b %d %Y %H:%M:%S %Z"',
      '1999-07-29T07:39:41',
    ],
    ['"Thu Jul 29 16:39:41 GMT+09 1999", "%a %b %d %H:%M:%S %Z %Y"', '1999-07-29T07:39:41'],
    ['"1999-08-28 02:29 CEST", "%Y-%m-%d %H:%M %Z"', '1999-08-28T00:29:00'],
    ['"1999-08-28 02:29 UTC+2", "%Y-%m-%d %H:%M %z"', '1999-08-28T00:29:00'],
    ['"1999-08-28 02:29 +02:00:30", "%Y-%m-%d %H:%M %::z"', '1999-08-28T00:28:30'],
  ])('by a format: %s', (values, moment) => {
    expect(valueOf(`DATE_PARSE(${values}).iso8601`)).toBe(`${moment}+00:00`);
  });
});

describe('A11: a second keeps its nanoseconds', () => {
  it.each([
    ["'2024-01-05T03:04:05.006789Z' | date: '%Y-%m-%dT%H:%M:%S.%6NZ'", '2024-01-05T03:04:05.006789Z'],
    [
      "'2024-01-05T03:04:05.123456789Z' | date: '%N %9N %3N %L %12N'",
      '123456789 123456789 123 123 123456789000',
    ],
    ["'2024-01-05T03:04:05.1234567+02:00' | date: '%s.%7N'", '1704416645.1234567'],
    ["'1704423845.006789123' | date: '%s.%N'", '1704423845.006789123'],
    ["'1704423845123.4567' | date: '%s.%N'", '1704423845.123456700'],
    ["'-0.000000001' | date: '%FT%T.%N'", '1969-12-31T23:59:59.999999999'],
    ["'2024-01-05T03:04:05.006789Z' | date: '%H:%M:%S.%6N', 'Asia/Tokyo'", '12:04:05.006789'],
    ["'Jan 5 2024 03:04:05.006789 PM' | date: '%T.%6N'", '15:04:05.006789'],
  ])('%s is %s', (expression, text) => {
    expect(render(expression)).toBe(text);
  });

  it.each([
    ['DATE("2024-01-05T03:04:05.006789Z", "%6N")', '006789'],
    ['DATE("2024-01-05T03:04:05.006789Z")', '2024-01-05T03:04:05.006789Z'],
    ['DATE("2024-01-05T03:04:05.000Z")', '2024-01-05T03:04:05Z'],
    ['DATE_ADD("2024-01-05T03:04:05.006789Z", 1, "second")', '2024-01-05T03:04:06.006789Z'],
    ['DATE_ADD("2024-01-05T03:04:05.9999999Z", 0.0005, "seconds")', '2024-01-05T03:04:06.000499900Z'],
    ['DATE_SUBTRACT("2024-03-31T03:04:05.000000001Z", 1, "month")', '2024-02-29T03:04:05.000000001Z'],
    ['IN_ZONE("2024-01-05T03:04:05.1234567Z", "Asia/Tokyo")', '2024-01-05T12:04:05.1234567+09:00'],
    ['START_OF("2024-01-05T03:04:05.1234567Z", "minute")', '2024-01-05T03:04:00Z'],
    ['DATE(DATE_PARSE("2024-01-05T03:04:05.006789Z"), "%N")', '006789000'],
    ['DATE(DATE_PARSE("05.01.2024 03:04:05.000000123", "%d.%m.%Y %H:%M:%S.%N"), "%N")', '000000123'],
    ['DATE_PARSE("2024-01-05T03:04:05.006789Z").nanosecond', 6_789_000],
    ['DATE_PARSE("2024-01-05T03:04:05.006Z").nanosecond', null],
    ['IS_BEFORE("2024-01-05T03:04:05.000000001Z", "2024-01-05T03:04:05.000000002Z")', true],
    ['IS_AFTER("2024-01-05T03:04:05.000000001Z", "2024-01-05T03:04:05.000000001Z")', false],
    ['UNIX_TIMESTAMP_MS("2024-01-05T03:04:05.006789Z")', 1_704_423_845_006],
  ])('%s is %j', (formula, value) => {
    expect(valueOf(formula) ?? null).toBe(value);
  });
});

describe('A11: numbers of JSON keep theirs too', () => {
  it.each([
    ['1704423845.0067891234', '1704423845.006789123'],
    ['1704423845.006789', '1704423845.006789000'],
    ['1704423845006.789123', '1704423845.006789123'],
    ['-0.5', '-1.500000000'],
  ])('%s is %s', (json, text) => {
    expect(evaluateFormula('=DATE(t, "%s.%N")', { t: readNumeric(json) })).toBe(text);
  });
});

describe('A21: compact and other standard times are read', () => {
  it.each([
    ['20240105030405Z', '2024-01-05 03:04'],
    ['20240105030405.0Z', '2024-01-05 03:04'],
    ['20240105030405', '2024-01-05 03:04'],
    ['20240105030405+0100', '2024-01-05 02:04'],
    ['202401050304Z', '2024-01-05 03:04'],
    ['2024010503.5Z', '2024-01-05 03:30'],
    ['2024-005', '2024-01-05 00:00'],
    ['2024-005T03:04:05Z', '2024-01-05 03:04'],
    ['2024005T030405Z', '2024-01-05 03:04'],
    ['2024-W01-5', '2024-01-05 00:00'],
    ['2024W015T0304Z', '2024-01-05 03:04'],
    ['2024-W01', '2024-01-01 00:00'],
    ['2024-01-05T03:04:05Z[UTC]', '2024-01-05 03:04'],
    ['2024-01-05T03:04:05+01:00[Europe/Paris]', '2024-01-05 02:04'],
    ['2024-01-05T03:04:05[America/New_York]', '2024-01-05 08:04'],
    ['/Date(1704423845000)/', '2024-01-05 03:04'],
    ['/Date(1704423845000+0100)/', '2024-01-05 03:04'],
    ['2024-01-05T03', '2024-01-05 03:00'],
    ['1704423845000', '2024-01-05 03:04'],
  ])('%s is %s', (text, time) => {
    expect(render(`'${text}' | date: '%Y-%m-%d %H:%M', 'UTC'`)).toBe(time);
  });

  it.each([
    '2024-366T',
    '2023-366',
    '2023-W53-1',
    '2024-W01-8',
    '20241305030405Z',
    '2024-01-05T03:04:05+99:00',
  ])('stays text where there is no such day: %s', (text) =>
    expect(render(`'${text}' | date: '%Y'`)).toBe(text.startsWith('2024-366') ? '2024' : text),
  );
});

describe('B16: the end of a day and leap seconds are times', () => {
  it.each([
    ['2026-11-24T24:00:00Z', '2026-11-25T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2016-12-31T18:59:60-05:00', '2017-01-01T00:00:00Z'],
    ['20261124T240000+0100', '2026-11-24T23:00:00Z'],
    ['2026-11-24 24:00', '2026-11-25T00:00:00Z'],
  ])('%s is %s in fields of the API and in templates', (text, time) => {
    expect(parseIsoTime(text)).toEqual(new Date(time));
    expect(render(`'${text}' | date: '%FT%TZ', 'UTC'`)).toBe(time);
  });

  it.each(['2026-11-24T24:00:01Z', '2026-11-24T24:01:00Z', '2026-11-24T23:59:61Z'])('%s is none', (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
    expect(render(`'${text}' | date: '%F'`)).toBe(text);
  });
});
