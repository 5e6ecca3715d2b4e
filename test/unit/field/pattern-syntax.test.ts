import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { runType } from '../../support/agent-context.js';

const NBSP = '\u00a0';
const event = { s: 'Zoë Müller, Öl', n: `a${NBSP}b`, t: 'x' };

/** Each case is a formula and its value. */
const formulas = (table: [string, JsonValue][]) =>
  it.each(table)('%s gives %j', (formula, expected) => {
    expect(evaluateFormula(`=${formula}`, event)).toEqual(expected);
  });

/** Returns a trigger rule's result for a text. */
async function holds(pattern: string, path: string): Promise<unknown> {
  const { payloads } = await runType('Trigger', {
    rules: [{ type: 'regex', path, value: pattern, case_sensitive: true }],
  });
  return (payloads[0] as JsonObject).rule_matched;
}

/** Returns the matches of an extraction. */
async function extracted(pattern: string, path: string): Promise<unknown> {
  const options = {
    mode: 'extract',
    matchers: [{ path, regexp: pattern, to: 'found' }],
    emit_no_match: true,
  };
  return ((await runType('EventTransformation', options)).payloads[0] as JsonObject).found;
}

describe('A8: parts of patterns that are Unicode in Ruby', () => {
  formulas([
    ['REGEX_EXTRACT(s, "[[:alpha:]]+")', ['Zoë', 'Müller', 'Öl']],
    ['REGEX_REPLACE(n, "[[:space:]]+", "_")', 'a_b'],
    ['MATCH(s, "\\bÖl\\b")', true],
    ['REGEX_EXTRACT("hello", "[a-z&&[^aeiou]]+")', ['h', 'll']],
    ['TRY(MATCH(s, "\\p{Alpha}"), "error")', true],
    ['REGEX_EXTRACT("ÀÉ1", "[[:upper:]]")', ['À', 'É']],
    ['REGEX_EXTRACT("٣ 4", "[[:digit:]]")', ['٣', '4']],
    ['REGEX_EXTRACT("«a»", "[[:punct:]]")', ['«', '»']],
    ['REGEX_EXTRACT("жук kob", "[[:word:]]+")', ['жук', 'kob']],
    ['REGEX_EXTRACT("жук kob", "\\w+")', ['kob']],
    ['REGEX_EXTRACT("жук kob", "(?u)\\w+")', ['жук', 'kob']],
    ['MATCH("un café noir", "\\bcafé\\b")', true],
    ['MATCH("décafé", "\\Bcafé\\b")', true],
    ['REGEX_EXTRACT("aBc", "\\p{Upper}|\\p{lowercase_letter}")', ['a', 'B', 'c']],
    ['REGEX_EXTRACT("e\u0301x", "\\X")', ['e\u0301', 'x']],
    ['REGEX_EXTRACT("ab", "(?x) a # first\n b")', ['ab']],
    ['MATCH("safe text", "^(?!.*x).*$")', false],
    ['MATCH("safe one", "^(?!.*x).*$")', true],
  ]);

  it.each([
    ['^(?!.*(?:spam|phish)).*$', 'an invoice', true],
    ['^(?!.*(?:spam|phish)).*$', 'a phishing mail', false],
    ['\\A(?=.*\\d)(?=.*[[:upper:]])\\S{8,}\\z', 'Pässword1', true],
    ['\\bÖl\\b', 'das Öl hier', true],
    ['^[[:alpha:] ]+$', 'Zoë Müller', true],
  ])('a rule with %s of "%s" is %s', async (pattern, path, expected) => {
    expect(await holds(pattern, path)).toBe(expected);
  });
});

describe('C11: patterns of Ruby that were read as something else', () => {
  formulas([
    ['REGEX_EXTRACT("hello", "[[ab]&&[ac]]+")', []],
    ['REGEX_EXTRACT("abcab", "[[ab]&&[ac]]+")', ['a', 'a']],
    ['REGEX_EXTRACT("abcd", "[[ab]c]+")', ['abc']],
    ['REGEX_EXTRACT("über", "[[:alpha:]]+")', ['über']],
    ['REGEX_EXTRACT("über", "\\bber\\b")', []],
    ['REGEX_EXTRACT("abc\n", "c\\Z")', ['c']],
    ['REGEX_REPLACE("abc\n", "c\\Z", "d")', 'abd\n'],
    ['REGEX_EXTRACT("2024-05", "(?<y>\\d+)-(\\d+)")', [['2024']]],
    ['REGEX_REPLACE("2024-05", "(?<y>\\d+)-(\\d+)", "\\k<y>/")', '2024/'],
    ['REGEX_EXTRACT("1.22.3", "(?<n>\\d+)\\.\\g<n>")', [['22']]],
    ['REGEX_EXTRACT("(a(b))c", "(?<p>\\((?:[^()]|\\g<p>)*\\))")', [['(a(b))']]],
    ['REGEX_EXTRACT("foobar foobaz", "foo(?!bar)\\w+")', ['foobaz']],
    ['REGEX_EXTRACT("a b", "\\p{^Space}")', ['a', 'b']],
    ['REGEX_EXTRACT("fax", "[\\H]")', ['x']],
    ['REGEX_EXTRACT("ab", "a(?#then)b")', ['ab']],
    ['REGEX_EXTRACT("é1", "(?a)[[:alpha:]]|\\d")', ['1']],
    ['REGEX_EXTRACT("xxxxx", "x{2}*")', ['xxxx', '', '']],
    ['REGEX_EXTRACT("hello", "(.)\\1")', [['l']]],
    ['REGEX_EXTRACT("aab", "a++b|(?>a|ab)c")', ['aab']],
    ['REGEX_EXTRACT("ab-c", "(a)?(?(1)b|c)")', [['a'], [null]]],
    ['REGEX_REPLACE("price: 5", "price: \\K\\d", "6")', 'price: 6'],
    ['REGEX_EXTRACT("1,22", "(?<=,)\\d+|(?<!\\d|,)\\d")', ['1', '22']],
    ['REGEX_GROUPS("v=2", "(?<k>\\w)=(?<v>\\d)|(?<v>x)")', { k: 'v', v: '2' }],
  ]);

  it('are found alike by extractions', async () => {
    expect(await extracted('(?<user>[^@\\s]+)@(\\w+)', 'bob@x, eve@y')).toEqual([
      ['bob'],
      [', eve'.slice(2)],
    ]);
    expect(await extracted('\\b\\p{Lu}\\p{Ll}+', 'das Öl der Ähre')).toEqual(['Öl', 'Ähre']);
    expect(await extracted('(["\'])(.*?)\\1', "\"it's\" 'so'")).toEqual([
      ['"', "it's"],
      ["'", 'so'],
    ]);
  });

  it.each(['(?~ab)', '\\k<a+1>', '\\p{Nope}', '(?<a>x\\g<a>)', '[a-\\d]'])(
    '%s is refused by name',
    (pattern) => {
      expect(() => evaluateFormula(`=MATCH("x", p)`, { p: pattern })).toThrow(
        /MATCH: the pattern .* cannot be used: /,
      );
    },
  );
});
