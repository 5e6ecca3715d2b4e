import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonValue } from '../../../src/platform/json.js';

const valueOf = (formula: string, variables: Record<string, JsonValue> = {}) =>
  evaluateFormula(formula, variables);
const parsed = (t: string, more = '') => valueOf(`=YAML_PARSE(t${more})`, { t });

const STANDS_FOR_MUCH = /not valid YAML: its aliases stand for more than 500000 values/;
const NESTED = /not valid YAML: nested deeper than 200 levels/;
const repeated = (text: string, count: number) => Array.from({ length: count }, () => text).join();

/** Seven values, each made of the one before. */
function growing(made: (before: string) => string): string {
  const lines = 'bcdefgh'.split('').map((name, at) => `${name}: &${name} ${made('abcdefgh'.charAt(at))}`);
  return ['a: &a {k: 1}', ...lines].join('\n');
}

describe('A23: YAML is read and written', () => {
  it.each<[string, string, JsonValue]>([
    [
      'the documented example',
      '---\ntimeout: 10\nqueues:\n- one\n- two\n- three\nscheduler:\n  max_workers: 10\n',
      { timeout: 10, queues: ['one', 'two', 'three'], scheduler: { max_workers: 10 } },
    ],
    [
      'words for TRUE and FALSE',
      'a: yes\nb: off\nc: "yes"\nd: ~\ne:',
      { a: true, b: false, c: 'yes', d: null, e: null },
    ],
    ['words that are texts in Ruby', '{y: n, b: Y}', { y: 'n', b: 'Y' }],
    ['numbers', 'a: 0x1f\nb: 1_000\nc: 010\nd: 1.5\ne: -2', { a: 31, b: 1000, c: 8, d: 1.5, e: -2 }],
    ['numbers without end', 'a: .inf\nb: .nan', { a: 'Infinity', b: 'NaN' }],
    ['texts of several lines', 'a: |\n  x\n  y\nb: >\n  x\n  y\n', { a: 'x\ny\n', b: 'x y\n' }],
    [
      'references',
      'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2',
      { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } },
    ],
    ['keys that are no texts', '1: a\ntrue: b\n[x, y]: c', { 1: 'a', true: 'b', '["x","y"]': 'c' }],
    [
      'names of JavaScript',
      '__proto__: 1\nconstructor: 2',
      JSON.parse('{"__proto__":1,"constructor":2}') as JsonValue,
    ],
    ['the first of several documents', 'a: 1\n---\na: 2', { a: 1 }],
    ['times as they are written', 'LinkedDate: 2007-04-01 12:00:00', { LinkedDate: '2007-04-01 12:00:00' }],
    ['symbols as they are written', '- :foo', [':foo']],
    ['bytes', 'a: !!binary aGVsbG8=', { a: 'hello' }],
    ['a set', '!!set {a, b}', ['a', 'b']],
    ['an empty text', '', null],
    ['a text alone', 'hello', 'hello'],
  ])('reads %s', (_, text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    ['2007-04-01 12:00:00', '2007-04-01 12:00:00 UTC'],
    ['2007-04-01T12:00:00+02:00', '2007-04-01 10:00:00 UTC'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-15 02:59:43 UTC'],
    ['2007-04-01', '2007-04-01'],
    ['"2007-04-01 12:00:00"', '2007-04-01 12:00:00'],
  ])('reads the time %s if it is asked to', (text, expected) => {
    expect(parsed(`t: ${text}`, ', parse_date_or_time: TRUE')).toEqual({ t: expected });
  });

  it('reads times and symbols in version 2', () => {
    const text =
      '---\nNestedObject:\n  LinkedDate: 2007-04-01 12:00:00\n  List:\n  - :foo\n  - bar\n  - ":x"\n';
    expect(parsed(text, ', version: 2')).toEqual({
      NestedObject: { LinkedDate: '2007-04-01 12:00:00 UTC', List: ['foo', 'bar', ':x'] },
    });
  });

  it.each<[JsonValue, string]>([
    [{ city: 'Melbourne', post_code: 3000 }, '---\ncity: Melbourne\npost_code: 3000\n'],
    [{ a: [1, { b: null }], c: {}, d: [] }, '---\na:\n- 1\n- b:\nc: {}\nd: []\n'],
    [['yes', '012', '1', 'a: b', ''], '---\n- "yes"\n- "012"\n- "1"\n- "a: b"\n- ""\n'],
    ['hello', '--- hello\n'],
  ])('writes %j', (value, expected) => {
    expect(valueOf('=TO_YAML(v)', { v: value })).toBe(expected);
    expect(valueOf('=YAML_PARSE(TO_YAML(v))', { v: value })).toEqual(value);
  });

  it.each([
    ['foo: bar', '', true],
    ['foo: bar- foo:', '', false],
    ['LinkedDate: 2007-04-01 12:00:00', ', parse_date_or_time: TRUE', true],
    ['hello', ', strict: TRUE', false],
    ['a: 1', ', strict: TRUE', true],
  ])('IS_YAML of %j%s is %s', (t, more, expected) => {
    expect(valueOf(`=IS_YAML(t${more})`, { t })).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    ['what is no YAML', 'a: [1', /^YAML_PARSE: not valid YAML: .*at line 1, column \d+/],
    ['a name that nobody gave', 'a: *x', /not valid YAML: Unresolved alias/],
    ['references that grow', growing((name) => `[${repeated(`*${name}`, 9)}]`), STANDS_FOR_MUCH],
    ['merged maps that grow', growing((name) => `{<<: [${repeated(`*${name}`, 9)}]}`), STANDS_FOR_MUCH],
    [
      'a long list that is repeated',
      `- &a [${repeated('1', 1_000)}]\n${'- *a\n'.repeat(900)}`,
      STANDS_FOR_MUCH,
    ],
    ['more references than can be found', `- &a x\n${'- *a\n'.repeat(12_000)}`, STANDS_FOR_MUCH],
    ['a reference in its own anchor', 'a: &a [*a]', NESTED],
    [
      'references that nest',
      Array.from({ length: 300 }, (_, at) => `- &x${at + 1} [${at === 0 ? 1 : `*x${at}`}]`).join('\n'),
      NESTED,
    ],
    ['what is too long', 'a'.repeat(300_000), /YAML can have at most 262144 characters/],
    ...['[', '{a: ', '- ', '? ', '[{a: '].map((open): [string, string, RegExp] => [
      `nesting without end of ${open}`,
      open.repeat(20_000),
      NESTED,
    ]),
    [
      'maps that nest by their indentation',
      Array.from({ length: 600 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      NESTED,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => parsed(text)).toThrow(message);
  });
});

describe('A1: numbers and keys of YAML stay as they are', () => {
  it.each([
    ['id: 7615917337495251231\nneg: -9007199254740993', '{"id":7615917337495251231,"neg":-9007199254740993}'],
    ['d: 0.12345678901234567891', '{"d":0.12345678901234567891}'],
    ['8080: a\n443: b', '{"8080":"a","443":"b"}'],
  ])('%j', (text, json) => {
    expect(valueOf('=TO_JSON(YAML_PARSE(t))', { t: text })).toBe(json);
    expect(valueOf('=TO_JSON(YAML_PARSE(TO_YAML(YAML_PARSE(t))))', { t: text })).toBe(json);
  });
});

describe('A23: a table in Markdown', () => {
  const objects = [
    { name: 'John Smith', age: 45, city: 'Melbourne' },
    { name: 'a|b', age: null, city: 'two\nlines' },
  ];
  it.each([
    [
      '',
      '| name | age | city |\n| --- | --- | --- |\n| John Smith | 45 | Melbourne |\n| a\\|b |  | two<br>lines |',
    ],
    [', ["name", "zip"]', '| name | zip |\n| --- | --- |\n| John Smith |  |\n| a\\|b |  |'],
    [', headers: ["city"]', '| city |\n| --- |\n| Melbourne |\n| two<br>lines |'],
  ])('of objects%s', (more, expected) => {
    expect(valueOf(`=OBJECTS_TO_MARKDOWN_TABLE(objects${more})`, { objects })).toBe(expected);
  });

  it('is empty without objects, and refuses what is none', () => {
    expect(valueOf('=OBJECTS_TO_MARKDOWN_TABLE([])')).toBe('');
    expect(() => valueOf('=OBJECTS_TO_MARKDOWN_TABLE([1], ["a"])')).toThrow(
      'every element must be an object',
    );
  });
});
