import type { JsonValue } from '../../src/platform/json.js';
import { evaluateFormula } from '../../src/language/formula/evaluation/evaluate.js';
import { FUNCTIONS } from '../../src/language/formula/functions/all-functions.js';

describe('the functions of formulas', () => {
  it('are at least 150, each with its name once', () => {
    const names = FUNCTIONS.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(150);
    expect(new Set(names).size).toBe(names.length);
  });

  it('work in exactly one way each: with their values, or deciding themselves which are worked out', () => {
    const wrong = FUNCTIONS.filter(({ run, runLazily }) => (run === undefined) === (runLazily === undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('appear by name in their own examples', () => {
    const wrong = FUNCTIONS.filter(({ name, example: [formula] }) => !formula.includes(`${name}(`));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each(FUNCTIONS.map(({ example: [formula, result] }) => ({ formula, result })))(
    '$formula',
    ({ formula, result }) => {
      expect(evaluateFormula(`=${formula}`, {})).toEqual(result);
    },
  );
});

const valueOf = (formula: string, variables: Record<string, JsonValue> = {}) =>
  evaluateFormula(formula, variables);

describe('values with names', () => {
  it.each<[string, JsonValue]>([
    ['TRUNCATE("abcdefgh", length: 5)', 'ab...'],
    ['TRUNCATE("abcdefgh", ending: "!", length: 5)', 'abcd!'],
    ['TRUNCATE("abcdefgh", 5, ending: "!")', 'abcd!'],
    ['"abcdefgh" |> TRUNCATE(%, length: SIZE(%) - 3)', 'ab...'],
    ['FORMAT_NUMBER(1234.5, point: ",", separator: ".")', '1.234,5'],
    ['IF(TRUE, 1, else: 2)', 1],
    ['MATCH("a\nb", "A.B", modifiers: "mi",)', true],
    ['{length: SIZE("ab")}', { length: 2 }],
  ])('%s', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it.each([
    [
      'TRUNCATE("a", size: 5)',
      /^TRUNCATE has no argument named size: only length, ending \(line 1, column 15\)$/,
    ],
    ['UPCASE("a", loud: TRUE)', /^UPCASE has no argument named loud: it has no named arguments/],
    ['TRUNCATE("a", 5, length: 5)', /^TRUNCATE got length twice/],
    ['TRUNCATE("a", length: 5, "b")', /^Unnamed arguments must precede named arguments/],
    ['TRUNCATE(length: 5)', /^TRUNCATE\(text, length\?, ending\?\) got 1 value/],
    ['TRUNCATE("a", length:)', /stands here where a value is expected/],
    ['[a: 1]', /where , or \] is expected/],
    ['LAMBDA(x: 1)', /where , or \) is expected/],
  ])('%s fails', (formula, message) => {
    expect(() => valueOf(formula)).toThrow(message);
  });
});

describe('modifiers of patterns', () => {
  it.each<[string, JsonValue]>([
    ['MATCH("ABC", "b")', false],
    ['MATCH("ABC", "b", "i")', true],
    ['MATCH("ABC", "b", NULL)', false],
    ['MATCH("a\nb", "a.b")', false],
    ['MATCH("a\nb", "a.b", "m")', true],
    ['MATCH("a1[ ]#", "a  \\d # a digit\n [\\[ #]", "x")', true],
    ['MATCH("a b", "a\\ b", "x")', true],
    ['REGEX_EXTRACT("hello & HELLO", "hello", "i")', ['hello', 'HELLO']],
    ['REGEX_EXTRACT("A1 a2", "(a)(?=\\d)", "i")', [['A'], ['a']]],
    ['REGEX_REPLACE("aA", "a", "b", "i")', 'bb'],
    ['REGEX_FIND("ID=4", "id=(\\d)", "i")', '4'],
    ['REGEX_GROUPS("ID=4", "id=(?<n>\\d)", "i").n', '4'],
    ['REGEX_SPLIT("1X2x3", "x", "i")', ['1', '2', '3']],
  ])('%s', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it('are i, m and x only', () => {
    expect(() => valueOf('MATCH("a", "a", "ig")')).toThrow(/MATCH: the modifiers are i, m and x, not "ig"/);
  });
});

describe('DATE_PARSE', () => {
  it('gives all parts of a time', () => {
    expect(valueOf('DATE_PARSE("01/02/2023", "%d/%m/%Y")')).toEqual({
      iso8601: '2023-02-01T00:00:00+00:00',
      iso8601_milliseconds: '2023-02-01T00:00:00.000+00:00',
      unix_timestamp: 1675209600,
      unix_timestamp_milliseconds: 1675209600000,
      year: 2023,
      month: 2,
      month_name: 'February',
      day: 1,
      day_of_week: 3,
      day_name: 'Wednesday',
      hour: 0,
      minute: 0,
      second: 0,
      millisecond: 0,
      timezone: 'UTC',
      utc_offset: '+00:00',
      utc_offset_seconds: 0,
    });
  });

  it.each([
    ['"01/02/2023", "%m/%d/%Y"', '2023-01-02T00:00:00+00:00'],
    ['"20230405T060708Z", "%Y%m%dT%H%M%S%z"', '2023-04-05T06:07:08+00:00'],
    ['"Feb 3 21, 12:05 am", "%b %d %y, %I:%M %p"', '2021-02-03T00:05:00+00:00'],
    ['"Wed,  3 March 2021 1:05pm tail", "%a, %e %B %Y %l:%M%P"', '2021-03-03T13:05:00+00:00'],
    ['"2023-060", "%Y-%j"', '2023-03-01T00:00:00+00:00'],
    ['"2024-366", "%Y-%j"', '2024-12-31T00:00:00+00:00'],
    ['"2024-03-05 24:00", "%F %R"', '2024-03-06T00:00:00+00:00'],
    ['"2024-03-05 12:30 am", "%F %I:%M %p"', '2024-03-05T00:30:00+00:00'],
    ['"1700000000", "%s", "Europe/Paris"', '2023-11-14T23:13:20+01:00'],
    ['"2023-07-01 10:00", "%F %R", "America/New_York"', '2023-07-01T10:00:00-04:00'],
    ['"2023-07-01 10:00 +0200", "%F %R %z", "America/New_York"', '2023-07-01T04:00:00-04:00'],
    ['"2023-01-01 10:00", timezone: "Europe/Paris"', '2023-01-01T10:00:00+01:00'],
    ...[
      '2023-01-01 10:00 UTC+2',
      'Sun, 01 Jan 2023 08:00:00 UT',
      'Sun Jan 01 2023 10:00:00 GMT+0200 (EET)',
      'Sun Jan 01 03:00:00 EST 2023',
      '1 Jan 2023 10:00 AM +0200',
      '20230101T100000+0200',
      '2023-01-01T10:00:00.5+02',
    ].map((text): [string, string] => [`"${text}", timezone: "Asia/Tokyo"`, '2023-01-01T17:00:00+09:00']),
    ['"20240305", timezone: "Asia/Tokyo"', '2024-03-05T00:00:00+09:00'],
    ['"05-03-2024", timezone: "Asia/Tokyo"', '2024-03-05T00:00:00+09:00'],
    ['"2023-01-01T10:00Z", NULL, "Europe/Paris"', '2023-01-01T11:00:00+01:00'],
    ['"2023-01-01T10:00+03:00"', '2023-01-01T10:00:00+03:00'],
    ['1700000000', '2023-11-14T22:13:20+00:00'],
  ])('reads %s', (values, expected) => {
    expect(valueOf(`DATE_PARSE(${values}).iso8601`)).toBe(expected);
  });

  it('does not make the formats of a zone again for each time', () => {
    const formula = 'DATE_PARSE("2023-01-01 10:00", timezone: "Europe/Lisbon").iso8601';
    valueOf(formula);
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    expect(valueOf(formula)).toBe('2023-01-01T10:00:00+00:00');
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('gives what other functions take for a time', () => {
    const parsed = 'DATE_PARSE("01/02/2023 10:30", "%d/%m/%Y %H:%M")';
    expect(valueOf(`DATE(${parsed}, "%d %b %H:%M", "Europe/Paris")`)).toBe('01 Feb 11:30');
    expect(valueOf(`DATE_ADD(${parsed}, 1, "day")`)).toBe('2023-02-02T10:30:00Z');
  });

  it.each([
    ['"31/02/2023", "%d/%m/%Y"', /DATE_PARSE: there is no such date or time of day/],
    ['"2024-03-05 19:30", "%Y-%m-%d %I:%M"', /there is no such date or time of day/],
    ['"2024-03-05 00:30", "%Y-%m-%d %I:%M"', /there is no such date or time of day/],
    ['"2024-03-05 24:59:59", "%F %T"', /there is no such date or time of day/],
    ['"2024-03-05 24:00:00.001", "%F %T.%L"', /there is no such date or time of day/],
    ['"2023-366", "%Y-%j"', /there is no such date or time of day/],
    ['"2024-999", "%Y-%j"', /there is no such date or time of day/],
    ['"2024-000", "%Y-%j"', /there is no such date or time of day/],
    ['"2023", "%d/%m/%Y"', /DATE_PARSE: "2023" does not have the form "%d\/%m\/%Y"/],
    ['"5 2023", "%i %Y"', /DATE_PARSE: a time cannot be parsed with %i/],
    ['"53 2023", "%V %G"', /there is no such date or time of day/],
    ['"2023-01-01", "%F", "Nowhere/City"', /unknown time zone "Nowhere\/City"/],
    ['"999999999999999", "%s"', /the time is out of range/],
    ['"999999999999999", "%s", "Asia/Tokyo"', /the time is out of range/],
    ['"999999999999999999", "%Q"', /the time is out of range/],
    ['8640000000000000, timezone: "Asia/Tokyo"', /the time is out of range/],
    ['-8640000000000000, timezone: "-05:00"', /the time is out of range/],
    ['"soon"', /DATE_PARSE: "soon" is not a time/],
  ])('refuses %s', (values, message) => {
    expect(() => valueOf(`DATE_PARSE(${values})`)).toThrow(message);
  });
});

describe('PARSE_URL', () => {
  it.each<[string, JsonValue]>([
    [
      '"http://www.x.org/test?foo=bar&baz=a&baz=b#123"',
      {
        scheme: 'http',
        host: 'www.x.org',
        domain: 'x.org',
        tld: 'org',
        path: '/test',
        port: 80,
        query: { foo: 'bar', baz: ['a', 'b'] },
        fragment: '123',
      },
    ],
    [
      '"https://s3.us-east-2.amazonaws.com", include_public_suffix_domains: TRUE',
      {
        scheme: 'https',
        host: 's3.us-east-2.amazonaws.com',
        domain: 'amazonaws.com',
        tld: 'com',
        path: '',
        port: 443,
        query: null,
        fragment: null,
      },
    ],
    ['"nonsense"', null],
    ['NULL', null],
  ])('%s', (values, expected) => {
    expect(valueOf(`PARSE_URL(${values})`)).toEqual(expected);
  });

  it.each([
    ['https://a.b.example.co.uk', 'example.co.uk', 'co.uk'],
    ['https://me.github.io/', 'me.github.io', 'github.io'],
    ['https://s3.us-east-2.amazonaws.com', null, 's3.us-east-2.amazonaws.com'],
    ['https://10.0.0.1:8443/', null, null],
    ['https://[::1]/', null, null],
    ['https://localhost/', null, null],
    ['https://t.co', 't.co', 'co'],
  ])('%s has the domain %s of %s', (url, domain, tld) => {
    expect(valueOf('PARSE_URL(url)', { url })).toMatchObject({ domain, tld });
  });
});

describe('other functions', () => {
  it.each<[string, JsonValue]>([
    ['OBJECT()', {}],
    ['ARRAY()', []],
    ['INDEX_OF(["a", "b"], "b")', 1],
    ['INDEX_OF(["a"], LAMBDA(x, i, i > 4))', null],
    ['INDEX_OF("foobar", "bar")', 3],
    ['INDEX_OF(missing, LAMBDA(x, TRUE))', null],
    ['IN_CIDR("10.1.2.3", "10.0.0.0/8")', true],
    ['IN_CIDR(["10.1.2.3", "11.0.0.1"], "10.0.0.0/8")', false],
    ['IN_CIDR([], "10.0.0.0/8")', false],
    ['ESTIMATED_TOKEN_COUNT([{n: "a"}, {n: "b"}])', 6],
    ['ROUND(SIN(ASIN(0.5)), 6)', 0.5],
    ['ROUND(COS(ACOS(0.5)), 6)', 0.5],
    ['ROUND(TAN(ATAN(0.5)), 6)', 0.5],
  ])('%s', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it.each([
    ['OBJECT("a")', /OBJECT: the last key has no value/],
    ['ACOS(2)', /ACOS: the result is not a representable number/],
    ['ESTIMATED_TOKEN_COUNT(REPEAT("a", 1000001))', /at most 1000000 characters are estimated/],
    ['CHUNK_ARRAY([1], 0)', /CHUNK_ARRAY: the size must be at least 1/],
  ])('%s fails', (formula, message) => {
    expect(() => valueOf(formula)).toThrow(message);
  });
});

describe('L4: APPEND', () => {
  it.each<[string, JsonValue]>([
    ['APPEND("a", "b", "c")', 'abc'],
    ['APPEND("https://", d, "/p", 1, NULL, true)', 'https://example.com/p1true'],
    ['APPEND(missing, "b")', 'b'],
    ['"a" |> APPEND(%, "b", "c")', 'abc'],
  ])('puts any number of texts together: %s', (formula, result) => {
    expect(evaluateFormula(`=${formula}`, { d: 'example.com' })).toBe(result);
  });
});
