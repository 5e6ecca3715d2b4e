import { MAX_SEARCH_MS } from '../../../src/agents/pattern.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { runType } from '../agent-context.js';
import { type Expected, formula, type HostileCase, type HostileFamily } from './hostile-case.js';
import { filled, numbers } from './hostile-data.js';

const BEYOND = new RegExp(`its search takes longer than ${MAX_SEARCH_MS} ms`);
const FORMULA_BEYOND = /The formula takes longer than 1000 ms/;
const PERMANENT = { error: 'PermanentJobError' };

const words = numbers(1_500)
  .map((n) => `w${n}`)
  .join('|');

type Given = Expected & { pattern: string; in?: () => string };

/** A trigger's rule; gives whether it held. */
const rule = (name: string, { pattern, in: text, ...expected }: Given): HostileCase => ({
  name: `trigger: ${name}`,
  prepare: () => text?.() ?? 'x',
  run: async (path: string) => {
    const { payloads } = await runType('Trigger', { rules: [{ type: 'regex', path, value: pattern }] });
    return (payloads[0] as JsonObject).rule_matched;
  },
  expected: 'stops' in expected ? { ...PERMANENT, ...expected } : expected,
});

/** An extraction; gives how often the pattern was found. */
const extraction = (name: string, { pattern, in: text, ...expected }: Given): HostileCase => ({
  name: `extract: ${name}`,
  prepare: () => text?.() ?? 'x',
  run: async (path: string) => {
    const options = {
      mode: 'extract',
      matchers: [{ path, regexp: pattern, to: 'found' }],
      emit_no_match: true,
    };
    const { payloads } = await runType('EventTransformation', options);
    return ((payloads[0] as JsonObject).found as unknown[]).length;
  },
  expected: 'stops' in expected ? { ...PERMANENT, ...expected } : expected,
});

const a = (count: number) => () => filled('a', count);
const unusable = (why: string) => new RegExp(`^rules\\[0\\]\\.value: this pattern cannot be used: .*${why}`);

const triggers: HostileCase[] = [
  rule('(a+)+$', { pattern: '^(a+)+$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('(a|aa)+$', { pattern: '^(a|aa)+$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('(a|a)*b', { pattern: '(a|a)*b', in: a(50_000), gives: false }),
  rule('(.*a){12}', { pattern: '(.*a){12}b', in: a(20_000), gives: false }),
  rule('([a-zA-Z]+)*', { pattern: '^([a-zA-Z]+)*$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('a thousand words', { pattern: words, in: () => filled('w', 100_000), gives: false }),
  rule('a word list again and again', {
    pattern: `(?:${words}|a+b)*c`,
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('letters of all scripts', {
    pattern: '\\p{L}{900}\\p{N}',
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('anything, five thousand times', {
    pattern: `${'.*'.repeat(4_900)}b`,
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('two hundred looks back', {
    pattern: `${'(?<=a.*)'.repeat(200)}b`,
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('a{1000} of a{1000}', { pattern: '(?:a{1000}){1000}', stops: unusable('invalid repeat count') }),
  rule('a hundred times a hundred times a hundred', {
    pattern: '((a{100}){100}){100}',
    stops: unusable('invalid repeat count'),
  }),
  rule('a repetition beyond all counts', {
    pattern: 'a{1000000000}',
    stops: unusable('invalid repeat count'),
  }),
  rule('a program that is too large', { pattern: '[a-z]{0,1000}'.repeat(150), stops: unusable('too large') }),
  rule('too many groups', { pattern: '(a)'.repeat(500), stops: unusable('more than 200 groups') }),
  rule('groups in groups', {
    pattern: `${'('.repeat(4_000)}${')'.repeat(4_000)}`,
    stops: unusable('expression nests too deeply'),
  }),
  rule('groups that never close', { pattern: '('.repeat(9_000), stops: unusable('missing closing') }),
  rule('classes that never close', { pattern: '['.repeat(9_000), stops: unusable('missing closing') }),
  rule('stars of stars', {
    pattern: `${'('.repeat(800)}a${')*'.repeat(800)}`,
    stops: unusable('expression nests too deeply'),
  }),
  rule('a pattern that is too long', {
    pattern: 'a'.repeat(10_001),
    stops: unusable('longer than 10000 characters'),
  }),
  rule('a group that came before', { pattern: '(a)\\1', stops: unusable('invalid escape sequence') }),
  rule('a look ahead in the middle', { pattern: '(?=a)(?=a)b', stops: unusable('unsupported Perl syntax') }),
  rule('a look that denies', { pattern: '(?!a)b', stops: unusable('unsupported Perl syntax') }),
  rule('an atomic group', { pattern: '(?>a+)b', stops: unusable('unsupported Perl syntax') }),
  rule('a greedy quantifier', { pattern: 'a++b', stops: unusable('invalid nested repetition operator') }),
  rule('a condition', { pattern: '(a)?(?(1)b|c)', stops: unusable('unsupported Perl syntax') }),
  rule('a class of no script', { pattern: '\\p{Nope}', stops: unusable('invalid character class range') }),
  rule('a class the wrong way round', { pattern: '[z-a]', stops: unusable('invalid character class range') }),
  rule('half of a character', { pattern: '\ud800', in: a(1_000), gives: false }),
  rule('nothing at all', { pattern: '', in: a(100_000), gives: true }),
  {
    name: 'trigger: a hundred thousand patterns',
    prepare: () => numbers(100_000).map((n) => `(?:a?){300}b${n}`),
    run: async (value: string[]) => {
      const { payloads } = await runType('Trigger', {
        rules: [{ type: 'regex', path: 'a'.repeat(1_000), value }],
      });
      return payloads;
    },
    expected: { ...PERMANENT, stops: /^rules\[0\](?:\.value)?: .*longer than 2000 ms/ },
  },
  {
    name: 'trigger: a hundred thousand texts looked for in a long one',
    prepare: () => ({ path: filled('ab', 4_000_000), value: numbers(100_000).map((n) => `b${n}`) }),
    run: async (given: { path: string; value: string[] }) =>
      (await runType('Trigger', { rules: [{ type: 'in', ...given }] })).payloads,
    expected: { ...PERMANENT, stops: /^rules\[0\]: the rules take longer than 2000 ms/ },
  },
  {
    name: 'trigger: a text that is almost in another',
    prepare: () => ({ path: filled('a', 2_000_000), value: `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}` }),
    run: async (given: { path: string; value: string }) =>
      (await runType('Trigger', { rules: [{ type: 'in', ...given }] })).payloads,
    expected: { gives: [{ rule_matched: false }] },
  },
];

const extractions: HostileCase[] = [
  extraction('(a+)+$', { pattern: '(a+)+$', in: () => `${filled('a', 50_000)}!`, gives: 0 }),
  extraction('a look to the end for each match', { pattern: 'a(?:.*b)?', in: a(1_000_000), stops: BEYOND }),
  extraction('a lazy look to the end for each match', {
    pattern: 'a(?:[^b]*?b)?',
    in: a(1_000_000),
    stops: BEYOND,
  }),
  extraction('a lookahead to the end for each match', {
    pattern: 'a(?=.*)',
    in: a(500_000),
    stops: /its search takes longer|found more than 50000 times/,
  }),
  extraction('a pattern found everywhere', {
    pattern: 'a',
    in: a(1_000_000),
    stops: /^matchers\[0\]\.regexp: .*found more than 50000 times/,
  }),
  extraction('nothing, found everywhere', {
    pattern: '(?:)*',
    in: a(1_000_000),
    stops: /found more than 50000 times/,
  }),
  extraction('many groups for each match', { pattern: '(a)'.repeat(200), in: a(200_000), stops: BEYOND }),
  extraction('empty groups', {
    pattern: `(a)${'()'.repeat(300)}`,
    in: a(20_000),
    stops: /more than 200 groups/,
  }),
];

const inFormulas: HostileCase[] = [
  formula('MATCH: (a+)+$', '=MATCH(t, "^(a+)+$")', {
    event: () => ({ t: `${filled('a', 30_000)}!` }),
    gives: false,
  }),
  formula('MATCH: a pattern that is too large', '=MATCH("a", "((a{100}){100}){100}")', {
    stops: /MATCH: the pattern .* cannot be used: .*invalid repeat count/,
  }),
  formula('MATCH: a program that is too large', '=MATCH("a", REPEAT("[a-z]{0,1000}", 20))', {
    stops: /MATCH: the pattern is too large/,
  }),
  formula('MATCH: a pattern that is too long', '=MATCH("a", REPEAT("a", 2001))', {
    stops: /MATCH: the pattern is longer than 2000 characters/,
  }),
  formula('MATCH: a back reference', '=MATCH("aa", "(a)\\\\1")', {
    stops: /MATCH: the pattern .* cannot be used: .*invalid escape sequence/,
  }),
  formula('MATCH: too many groups', '=MATCH("a", REPEAT("(a)", 300))', {
    stops: /MATCH: the pattern .* cannot be used: it has more than 200 groups/,
  }),
  formula('MATCH: groups that never close', '=MATCH("a", REPEAT("(", 1900))', {
    stops: /^MATCH: the pattern "\({200}…" cannot be used: /,
  }),
  formula('MATCH: a text that is too long', '=MATCH(t, "(?:a?){300}b")', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: /MATCH: a text of 900000 characters is too long for this pattern/,
  }),
  formula('MATCH: letters of all scripts', '=MATCH(t, "\\\\p{L}{900}\\\\p{N}")', {
    event: () => ({ t: filled('ä', 55_000) }),
    fastEnough: false,
    stops: FORMULA_BEYOND,
  }),
  formula(
    'MATCH: another pattern for each element',
    '=SIZE(MAP(RANGE(1, 1000), LAMBDA(x, MATCH("a", "(?i)[\\\\p{L}\\\\p{N}]{900}" & x))))',
    { fastEnough: 1_000, stops: FORMULA_BEYOND },
  ),
  formula('REGEX_EXTRACT: a look to the end for each match', '=SIZE(REGEX_EXTRACT(t, "a(?:.*b)?"))', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: FORMULA_BEYOND,
  }),
  formula('REGEX_SPLIT: a look to the end for each match', '=SIZE(REGEX_SPLIT(t, "a(?:.*b)?"))', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: FORMULA_BEYOND,
  }),
  formula('REGEX_EXTRACT: a pattern found everywhere', '=SIZE(REGEX_EXTRACT(t, "a"))', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: /REGEX_EXTRACT: more than 100000 matches|takes longer/,
  }),
  formula(
    'REGEX_REPLACE: a replacement of a million groups',
    '=SIZE(REGEX_REPLACE(t, "(a)", REPEAT("$1", 1000000)))',
    { event: () => ({ t: filled('a', 100_000) }), stops: /the result is too long|takes longer/ },
  ),
  formula('REGEX_ESCAPE: marks without end', '=SIZE(REGEX_ESCAPE(t))', {
    event: () => ({ t: filled('*', 1_000_000) }),
    gives: 2_000_000,
  }),
];

/** Patterns of triggers, extractions and formulas. */
export const patterns: HostileFamily = {
  name: 'patterns that would backtrack or grow',
  limitMs: MAX_SEARCH_MS,
  cases: [...triggers, ...extractions, ...inFormulas],
};
