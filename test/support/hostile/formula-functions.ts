import { gzipSync } from 'node:zlib';
import { MAX_FORMULA_MS } from '../../../src/language/formula/formula-limits.js';
import { formula, type HostileFamily } from './hostile-case.js';
import { filled, LONGEST, numbers } from './hostile-data.js';

const MEMORY = /needs too much memory/;
const TIME = /takes longer than 1000 ms/;
const LONG = /(?:the result is longer than 16777216|[Aa] text of \d+) characters|takes longer than 1000 ms/;

/** Functions on what costs them most. */
export const formulaFunctions: HostileFamily = {
  name: 'functions on large and awkward values',
  limitMs: MAX_FORMULA_MS,
  cases: [
    formula('a replacement that grows', '=REPLACE(t, "", t)', {
      event: () => ({ t: filled('ab ', 300_000) }),
      stops: LONG,
    }),
    formula('a range without end', '=RANGE(1, 1000000000000)', {
      stops: /RANGE: a list of 1000000000000 elements is too long/,
    }),
    formula('a range over all numbers', '=RANGE(-1e308, 1e308)', {
      stops: /RANGE: a list of Infinity elements is too long/,
    }),
    formula('a range in steps of nearly nothing', '=RANGE(1, 2, -1e-320)', { stops: /RANGE: the step is 0/ }),
    formula('a text repeated without end', '=REPEAT("abc", 1000000000)', {
      stops: /REPEAT: a text of 3000000000 characters is too long/,
    }),
    formula('a text padded without end', '=PAD_LEFT("a", 1e12)', {
      stops: /PAD_LEFT: a text of 1000000000000 characters is too long/,
    }),
    formula('random text without end', '=RANDOM_STRING(1e9)', {
      stops: /RANDOM_STRING: at most 10000 characters/,
    }),
    formula('a random number of all numbers', '=RANDOM_NUMBER(0, 1e300)', {
      stops: /RANDOM_NUMBER: the highest number is below the lowest, or the range is too large/,
    }),
    formula('parts of no size', '=CHUNK([1, 2], 0.5)', { stops: /CHUNK: the size must be at least 1/ }),
    formula('a time with an endless format to read it by', '=DATE_PARSE("2024", REPEAT("%Y", 1000))', {
      stops: /DATE_PARSE: a time and its format can have at most 1000 characters/,
    }),
    formula(
      'white space without end in a time',
      '=DATE_PARSE(REPEAT("x ", 450), REPEAT("x %n", 200)).timezone',
      {
        gives: 'UTC',
      },
    ),
    formula('an address of nothing but a query', '=PARSE_URL("https://x/?" & t)', {
      event: () => ({ t: filled('a&', 1_000_000) }),
      gives: null,
    }),
    formula('a host of many names', '=PARSE_URL("https://" & t & "x/").tld', {
      event: () => ({ t: filled('a.', 90_000) }),
      gives: 'x',
    }),
    formula('a pattern with brackets that never close', '=MATCH("a", t, "x")', {
      event: () => ({ t: filled('[', 2_000) }),
      stops: /MATCH: the pattern .* cannot be used/,
    }),
    formula('parts of one element again and again', '=MAP(RANGE(1, 5000), LAMBDA(x, CHUNK_ARRAY(l, 1)))', {
      event: () => ({ l: numbers(50_000) }),
      stops: /too much memory|longer than 1000 ms/,
    }),
    formula('a date with an endless format', '=DATE("now", REPEAT("%c", 1000))', {
      stops: /DATE: the format is too long/,
    }),
    formula('a time out of range', '=DATE_ADD("now", 1e300, "years")', {
      stops: /DATE_ADD: the time is out of range/,
    }),
    formula('a unit that all objects have', '=DATE_ADD("now", 1, "constructor")', {
      stops: /DATE_ADD: "constructor" is not a unit of time such as "days"/,
    }),
    formula('a unit that is a long text', '=START_OF("now", t)', {
      event: () => ({ t: filled('day', 1_000_000) }),
      stops: /^START_OF: "(?:day)+da" is not a unit of time such as "days" \(line 1, column 2\)$/,
    }),
    formula('a time that is a long text', '=YEAR(t)', {
      event: () => ({ t: filled('1', 1_000_000) }),
      stops: /^YEAR: "1{50}" is not a time \(line 1, column 2\)$/,
    }),
    formula('a zone that is a long text', '=IN_ZONE("now", t)', {
      event: () => ({ t: filled('a/', 1_000_000) }),
      stops: /^IN_ZONE: unknown time zone "(?:a\/){50}" \(line 1, column 2\)$/,
    }),
    formula('a number beyond all numbers', '=1e308 * 10', {
      stops: /the result is not a representable number/,
    }),
    formula('a power beyond all numbers', '=POWER(10, 4000)', {
      stops: /POWER: numbers of more than 1000 digits can be passed on but not calculated with/,
    }),
    formula('a root of less than nothing', '=SQRT(-1)', {
      stops: /SQRT: the result is not a representable number/,
    }),
    formula('the logarithm of nothing', '=LOG(0)', {
      stops: /LOG: the result is not a representable number/,
    }),
    formula('a rest of nothing', '=5 % 0', { stops: /divided by 0/ }),
    formula('a number rounded to all digits', '=ROUND(1e300, 1e300)', { gives: 1e300 }),
    formula('the largest number in binary', '=SIZE(TO_BASE(1e308, 2))', { gives: 1024 }),
    formula('a base that is none', '=TO_BASE(5, 1e308)', {
      stops: /TO_BASE: the base must be a number from 2 to 36/,
    }),
    formula('digits without end in a base', '=FROM_BASE(t, 36)', {
      event: () => ({ t: filled('z', LONGEST) }),
      gives: null,
    }),
    formula('zeros without end in a base', '=FROM_BASE(t, 36)', {
      event: () => ({ t: `-${filled('0', 4_000_000)}` }),
      gives: null,
    }),
    formula('digits without end as a number', '=NUMBER(t)', {
      event: () => ({ t: filled('9', LONGEST) }),
      gives: null,
    }),
    formula('a separator that is a long text', '=SIZE(FORMAT_NUMBER(999999999999, 20, t, t))', {
      event: () => ({ t: filled('x', 5_000_000) }),
      stops: LONG,
    }),
    formula('a separator of a table that is a long text', '=OBJECTS_TO_CSV([{a: 1, b: 2}], t)', {
      event: () => ({ t: filled('x', 5_000_000) }),
      stops: /OBJECTS_TO_CSV: a separator can have at most 10 characters/,
    }),
    formula('a part that is almost there', '=INCLUDES(t, p) || INDEX_OF(t, p) || COUNT_OF(t, p)', {
      event: () => ({ t: filled('a', 2_000_000), p: `${filled('a', 2_000)}b${filled('a', 2_000)}` }),
      gives: 0,
    }),
    formula('line breaks alone', '=SIZE(LINES(t))', {
      event: () => ({ t: filled('\n', LONGEST) }),
      stops: MEMORY,
    }),
    formula('every character as an element', '=MAP(RANGE(1, 9), LAMBDA(x, SPLIT(t, "")))', {
      event: () => ({ t: filled('a', 5_000_000) }),
      stops: MEMORY,
    }),
    formula('a long text backwards', '=LEFT(REVERSE(t), 3)', {
      event: () => ({ t: filled('a😀', 3_000_000) }),
      gives: '😀a😀',
    }),
    formula('nearly all of a text', '=SIZE(LEFT(t, 3000000)) + SIZE(RIGHT(t, 3000000))', {
      event: () => ({ t: filled('a', 4_000_000) }),
      gives: 6_000_000,
    }),
    formula('titles without end', '=SIZE(TITLECASE(t))', {
      event: () => ({ t: filled('a ', LONGEST) }),
      fastEnough: 16_777_214,
      stops: TIME,
    }),
    formula('words without end', '=SNAKECASE(t)', {
      event: () => ({ t: filled('aB', LONGEST) }),
      stops: LONG,
    }),
    formula('titles of words without end', '=TITLEIZE(t)', {
      event: () => ({ t: filled('aB', LONGEST) }),
      stops: LONG,
    }),
    formula('names as long as a text', '=TO_XML(SET({}, t, 1))', {
      event: () => ({ t: filled('_', LONGEST) }),
      stops: /TO_XML: a name of more than 1000 characters is too long/,
    }),
    formula('text that XML escapes', '=TO_XML({a: t})', {
      event: () => ({ t: filled('&', LONGEST) }),
      stops: LONG,
    }),
    formula('small words without end', '=CAMELCASE(t)', {
      event: () => ({ t: filled('a ', 4_000_000) }),
      stops: /CAMELCASE: a text of more than 100000 words is too long/,
    }),
    formula('characters to choose from without end', '=SIZE(RANDOM_STRING(10000, t))', {
      event: () => ({ t: filled('ab', 4_000_000) }),
      gives: 10_000,
    }),
    formula('an address without end', '=IS_URL(t) || IS_IP(t) || IS_EMAIL(t)', {
      event: () => ({ t: filled('http://é.', 5_000_000) }),
      gives: false,
    }),
    formula('a network that is a long text', '=IN_CIDR("10.0.0.1", t)', {
      event: () => ({ t: filled('10.0.0.0/', 1_000_000) }),
      stops: /^IN_CIDR: ".{100}" is not a network such as 10\.0\.0\.0\/8 \(line 1, column 2\)$/,
    }),
    formula('dots made harmless without end', '=DEFANG(t)', {
      event: () => ({ t: filled('a.', LONGEST) }),
      stops: LONG,
    }),
    formula('dots restored without end', '=SIZE(REFANG(t))', {
      event: () => ({ t: filled('[.]', LONGEST) }),
      fastEnough: 5_592_405,
      stops: TIME,
    }),
    formula('a token of dots', '=JWT_DECODE(t)', {
      event: () => ({ t: filled('.', LONGEST) }),
      stops: /JWT_DECODE: not a token/,
    }),
    formula('a token of brackets', '=JWT_DECODE("e30." & t)', {
      event: () => ({ t: Buffer.from('['.repeat(100_000)).toString('base64url') }),
      stops: /JWT_DECODE: JSON nested deeper than 1200 levels cannot be read/,
    }),
    formula('a signature by a property', '=JWT_SIGN({a: 1}, "k", "constructor")', {
      stops: /JWT_SIGN: the algorithm "constructor" is not HS256/,
    }),
    formula('an archive larger than any text', '=GUNZIP(BASE64_DECODE(t))', {
      event: () => ({ t: gzipSync(Buffer.alloc(100_000_000)).toString('base64') }),
      stops: /GUNZIP: cannot be unpacked: it contains more than 16777216 bytes/,
    }),
    formula('an archive of bytes that are no text', '=SIZE(GUNZIP(BASE64_DECODE(t)))', {
      event: () => ({ t: gzipSync(Buffer.alloc(2_000_000, 0x80)).toString('base64') }),
      gives: 2_000_000,
    }),
    formula('an archive that is none', '=GUNZIP(t)', {
      event: () => ({ t: filled('x', 1_000_000) }),
      stops: /GUNZIP: cannot be unpacked: incorrect header check/,
    }),
    formula('digits that are no text', '=SIZE(HEX_DECODE(t))', {
      event: () => ({ t: filled('80', 2_000_000) }),
      gives: 1_000_000,
    }),
    formula('digits with spaces without end', '=SIZE(HEX_DECODE(t))', {
      event: () => ({ t: filled('8 ', LONGEST) }),
      // Their number is odd: who is fast enough comes to that.
      stops: /takes longer than 1000 ms|HEX_DECODE: not hexadecimal digits/,
    }),
    formula('names and values without end', '=QUERY_PARSE(t)', {
      event: () => ({ t: filled('a=1&', LONGEST) }),
      stops: /QUERY_PARSE: \d+ names and values exceed the limit/,
    }),
    formula('random elements of a long list', '=SIZE(SHUFFLE(l))', {
      event: () => ({ l: numbers(90_000) }),
      gives: 90_000,
    }),
    formula('a sum of what is no number', '=SUM(l)', {
      event: () => ({ l: [filled('x', 1_000_000)] }),
      stops: /^SUM: "x{50}…" is not a number/,
    }),
    formula('a message without end', '=ERROR(t)', {
      event: () => ({ t: filled('x', LONGEST) }),
      stops: /^ERROR: x{1000} \(line 1, column 2\)$/,
    }),
    formula('an object key without end', '=KEYS(OBJECT(t, 1)) |> SIZE(FIRST(%))', {
      event: () => ({ t: filled('x', 4_000_000) }),
      gives: 4_000_000,
    }),
    formula('a prompt with an endless name', '=PROMPT(t)', {
      event: () => ({ t: filled('x', 1_000_000) }),
      stops: /^PROMPT: .*prompt/i,
    }),
    formula('a credential with an endless name', '=CREDENTIAL[t]', {
      event: () => ({ t: filled('x', 1_000_000) }),
      stops: /^This team has no credential "x{200}…?"/,
    }),
  ],
};
