import type { JsonValue } from '../src/json.js';
import { evaluateFormula } from '../src/templates/formula/evaluate.js';
import { FUNCTIONS } from '../src/templates/formula/functions/all-functions.js';

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
      /^TRUNCATE has no value with the name size: only length, ending \(line 1, column 15\)$/,
    ],
    ['UPCASE("a", loud: TRUE)', /^UPCASE has no value with the name loud: its values have no names/],
    ['TRUNCATE("a", 5, length: 5)', /^TRUNCATE is given length twice/],
    ['TRUNCATE("a", length: 5, "b")', /^A value without a name stands before those with names/],
    ['TRUNCATE(length: 5)', /^TRUNCATE\(text, length\?, ending\?\) is given 1 value/],
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
    expect(() => valueOf('MATCH("a", "a", "ig")')).toThrow(
      /MATCH: the modifiers are i, m and x; "ig" has others/,
    );
  });
});
