import { MAX_FORMULA_MS } from '../../../src/language/formula/formula-limits.js';
import { responseBody } from '../../../src/agents/http-request/response-body.js';
import { buildXml } from '../../../src/agents/http-request/xml-payload.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { type Expected, formula, type HostileCase, type HostileFamily } from './hostile-case.js';
import { filled, LONGEST, nestedList, numbers } from './hostile-data.js';

type Given = Expected & { text: () => string };

const read =
  (call: string) =>
  (name: string, { text, ...expected }: Given): HostileCase =>
    formula(`${name} (${call})`, `=${call.replace('%', 't')}`, { ...expected, event: () => ({ t: text() }) });

const json = read('SIZE(JSON_PARSE(%))');
const csv = read('SIZE(CSV_PARSE(%))');
const table = read('SIZE(CSV_PARSE_TO_OBJECTS(%))');
const xml = read('SIZE(TO_JSON(XML_PARSE(%)))');

/** The body that an HTTP action reads from a response: it stays text where it is not parsed. */
const responseCase = (name: string, { text, type, ...expected }: Given & { type: string }): HostileCase => ({
  name: `answer: ${name}`,
  prepare: () => Buffer.from(text()),
  run: (bytes: Buffer) => typeof responseBody(bytes, type).body,
  expected,
});

/** Returns the length of the XML that an HTTP action sends, in characters. */
const payload = (name: string, given: Expected & { object: () => JsonObject }): HostileCase => {
  const { object, ...expected } = given;
  return {
    name: `payload: ${name}`,
    prepare: object,
    run: (prepared: JsonObject) => buildXml(prepared).length,
    expected: 'stops' in expected ? { error: 'PermanentJobError', ...expected } : expected,
  };
};

const INVALID = (why: string) => new RegExp(`^XML_PARSE: not valid XML: .*${why}`);
const NOT_WELL_FORMED = INVALID('not well-formed');
const TOO_MUCH = INVALID('more than 200000 tags, attributes and references');

/** JSON, CSV and XML, in formulas and as answers of other servers. */
export const documents: HostileFamily = {
  name: 'documents made to be hard to read',
  limitMs: MAX_FORMULA_MS,
  cases: [
    json('brackets without end', {
      text: () => filled('[', LONGEST),
      stops: /JSON_PARSE: JSON nested deeper than 1200 levels cannot be read/,
    }),
    json('objects in objects', {
      text: () => filled('{"a":', 1_000_000),
      stops: /JSON_PARSE: JSON nested deeper than 1200 levels cannot be read/,
    }),
    json('millions of objects', {
      text: () => `[${filled('{},', 15_000_000)}{}]`,
      stops: /JSON_PARSE: JSON of more than 2000000 values is too large/,
    }),
    json('millions of numbers', {
      text: () => `[${filled('1,', 15_000_000)}1]`,
      stops: /JSON_PARSE: JSON of more than 2000000 values is too large/,
    }),
    json('quotes without end', { text: () => filled('"', LONGEST), stops: /^JSON_PARSE: not valid JSON: / }),
    json('quotes and backslashes without end', {
      text: () => filled('"\\', LONGEST),
      stops: /^JSON_PARSE: not valid JSON: /,
    }),
    json('line breaks in a text without end', {
      text: () => `"${filled('\n', LONGEST - 2)}"`,
      stops: /takes longer than 1000 ms|result is longer than 16777216/,
    }),
    json('brackets inside of a text', { text: () => `["${filled('[', 3_000_000)}"]`, gives: 1 }),
    read('SIZE(JSON_LINES_PARSE(%))')('lines without end', {
      text: () => filled('1\n', LONGEST),
      stops: /needs too much memory/,
    }),
    read('IS_JSON(%)')('brackets without end', {
      text: () => filled('[', LONGEST),
      stops: /IS_JSON: JSON nested deeper than 1200 levels cannot be read/,
    }),
    csv('commas without end', {
      text: () => filled(',', 4_900_000),
      stops: /CSV_PARSE: a CSV of more than 1000000 fields is too large/,
    }),
    csv('lines without end', {
      text: () => filled('x\n', 1_900_000),
      stops: /CSV_PARSE: a CSV of more than 100000 lines is too long|takes longer/,
    }),
    csv('carriage returns without end', {
      text: () => filled('x\r', 4_900_000),
      stops: /CSV_PARSE: a CSV of more than 1000000 fields is too large/,
    }),
    csv('quotes without end', { text: () => filled('"', 2_000_000), gives: 1 }),
    csv('a quote that never closes', {
      text: () => `"${filled('x', 2_000_000)}`,
      stops: /CSV_PARSE: not valid CSV: Quote Not Closed/,
    }),
    csv('more than is read', {
      text: () => filled('x', 5_000_001),
      stops: /CSV_PARSE: a CSV of 5000001 characters is too long/,
    }),
    read('CSV_PARSE("aaaa", %)')('a separator without end', {
      text: () => filled('a', 1_000_000),
      stops: /CSV_PARSE: a separator can have at most 10 characters/,
    }),
    table('twenty thousand columns of a hundred thousand lines', {
      text: () =>
        `${numbers(20_000)
          .map((n) => `c${n}`)
          .join(',')}\n${filled('x\n', 180_000)}`,
      stops:
        /CSV_PARSE_TO_OBJECTS: (?:a CSV of more than 1000000 fields is too large|The formula takes longer)/,
    }),
    table('columns that all objects have', { text: () => '__proto__,constructor\n1,2', gives: 1 }),
    xml('tags that never close', {
      text: () => filled('<a>', 500_000),
      stops: INVALID('nested deeper than 200 levels'),
    }),
    xml('tags without end', { text: () => `<a>${filled('<b/>', 4_000_000)}</a>`, stops: TOO_MUCH }),
    xml('tags in tags', {
      text: () => `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`,
      stops: INVALID('nested deeper than 200 levels'),
    }),
    xml('attributes without end', {
      text: () =>
        `<a ${numbers(300_000)
          .map((n) => `a${n}="1"`)
          .join(' ')}/>`,
      stops: TOO_MUCH,
    }),
    xml('attributes without values', { text: () => `<a ${filled('b ', 4_000_000)}/>`, stops: TOO_MUCH }),
    xml('spaces in a tag', { text: () => `<a${filled(' ', 500_000)}/>`, gives: 8 }),
    xml('more spaces in a tag', { text: () => `<a${filled(' ', 3_000_000)}/>`, gives: 8 }),
    xml('references without end', { text: () => `<a>${filled('&amp;', 4_000_000)}</a>`, stops: TOO_MUCH }),
    xml('numeric references without end', {
      text: () => `<a>${filled('&#65;', 4_000_000)}</a>`,
      stops: TOO_MUCH,
    }),
    xml('ampersands without end', { text: () => `<a>${filled('&', 4_000_000)}</a>`, stops: TOO_MUCH }),
    xml('comments without end', { text: () => `<a>${filled('<!-- -->', 4_000_000)}</a>`, stops: TOO_MUCH }),
    xml('a comment that never ends', {
      text: () => `<a><!--${filled('x', 4_000_000)}</a>`,
      stops: INVALID('not well-formed'),
    }),
    xml('more than is read', {
      text: () => `<a>${filled('x', 10_500_000)}</a>`,
      stops: INVALID('longer than 10485760 characters'),
    }),
    xml('a name without end', {
      text: () => `<${filled('b', 2_000_000)}>`,
      stops: NOT_WELL_FORMED,
    }),
    xml('an entity that is a file', {
      text: () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      stops: INVALID('declarations inside the document is not read'),
    }),
    xml('an entity that is an address', {
      text: () => '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x">%x;]><a/>',
      stops: INVALID('declarations inside the document is not read'),
    }),
    xml('a document type without end', {
      text: () => `<!DOCTYPE ${filled('[', 3_000_000)}`,
      stops: NOT_WELL_FORMED,
    }),
    xml('carriage returns without end', {
      text: () => `<a>${filled('\r', 3_000_000)}</a>`,
      gives: 6_000_008,
    }),
    xml('a tag that is a prototype', {
      text: () => '<__proto__><polluted>1</polluted></__proto__>',
      gives: 30,
    }),
    xml('a tag that is a class', {
      text: () => '<a><constructor>1</constructor></a>',
      gives: 25,
    }),
    payload('millions of values', {
      object: () => ({ a: { b: numbers(3_000_000) } }),
      stops: /^payload: more than 200000 values are too many for XML$/,
    }),
    payload('marks without end', {
      object: () => ({ a: filled('&', LONGEST) }),
      stops: /^payload: more than 10485760 characters are too many for XML$/,
    }),
    payload('a value that is too deep', {
      object: () => numbers(200).reduce<JsonObject>((inner) => ({ a: inner }), {}),
      stops: /^payload: nested too deep for XML$/,
    }),
    payload('a list of lists', {
      object: () => ({ a: nestedList(200) }),
      stops: /^payload: "a" is a list of lists, which XML does not have$/,
    }),
    payload('a name without end', {
      object: () => ({ [`<${'x'.repeat(1_000_000)}`]: 1 }),
      stops: /^payload: "<x{99}" cannot be the name of an XML element$/,
    }),
    payload('a name that closes', {
      object: () => ({ 'a><script>': 1 }),
      stops: /^payload: "a><script>" cannot be the name of an XML element$/,
    }),
    responseCase('XML that never closes', {
      type: 'text/xml',
      text: () => filled('<a>', 500_000),
      gives: 'string',
    }),
    responseCase('XML of too many tags', {
      type: 'application/xml',
      text: () => `<a>${filled('<b/>', 4_000_000)}</a>`,
      gives: 'string',
    }),
    responseCase('XML with a file', {
      type: 'text/xml',
      text: () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      gives: 'string',
    }),
    responseCase('JSON that is too deep', {
      type: 'application/json',
      text: () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      gives: 'string',
    }),
    responseCase('JSON in no JSON type', {
      type: 'text/plain',
      text: () => filled('[', 3_000_000),
      gives: 'string',
    }),
    responseCase('a character set that is none', {
      type: 'text/plain; charset=__proto__',
      text: () => 'x',
      gives: 'string',
    }),
  ],
};
