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
const unusable = (why: string) => new RegExp(`^rules\\[0\\]\\.value: invalid pattern: .*${why}`);

const triggers: HostileCase[] = [
  rule('(a+)+$', { pattern: '^(a+)+$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('(a|aa)+$', { pattern: '^(a|aa)+$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('(a|a)*b', { pattern: '(a|a)*b', in: a(50_000), gives: false }),
  rule('(a|a)*[bc]', { pattern: '(a|a)*[bc]', in: a(50_000), gives: false }),
  rule('(.*a){12}[bc]', { pattern: '(.*a){12}[bc]', in: a(20_000), gives: false }),
  rule('(a*)*[bc]', { pattern: '(a*)*[bc]', in: a(50_000), gives: false }),
  rule('looks in loops', {
    pattern: '^(?:(?=(a+)+b?)a)*$',
    in: () => `${filled('a', 5_000)}!`,
    gives: false,
  }),
  rule('(.*a){12}', { pattern: '(.*a){12}b', in: a(20_000), gives: false }),
  rule('([a-zA-Z]+)*', { pattern: '^([a-zA-Z]+)*$', in: () => `${filled('a', 50_000)}!`, gives: false }),
  rule('a thousand words', { pattern: words, in: () => filled('w', 100_000), gives: false }),
  rule('a word list again and again', {
    pattern: `(?:${words}|a+b)*[cd]`,
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
  rule('groups that came before, in loops', {
    pattern: '(a*)(a*)\\2*\\1[bc]',
    in: a(1_000_000),
    stops: BEYOND,
  }),
  rule('a loop of loops with a group that came before', {
    pattern: '^(?:(a+)+|\\1b)*$',
    in: () => `${filled('a', 50_000)}!`,
    stops: /its search (?:takes longer|needs too much memory)/,
  }),
  rule('groups that call each other', {
    pattern: '^(?<x>a\\g<x>?\\g<x>?|b)$',
    in: () => `${filled('a', 50_000)}!`,
    stops: /its search (?:takes longer|needs too much memory)|calls groups too often/,
  }),
  rule('a group that calls itself first', {
    pattern: '(?<x>\\g<x>a|b)',
    in: a(1_000),
    stops: /its search (?:takes longer|needs too much memory)|calls groups too often/,
  }),
  rule('a group that only calls itself', {
    pattern: '(?<x>a\\g<x>)',
    stops: unusable('never ending recursion'),
  }),
  rule('a class of five thousand sets', {
    pattern: `[${'[a][b]'.repeat(1_600)}]`,
    stops: unusable('more than 200 sets'),
  }),
  rule('classes in classes', {
    pattern: `${'['.repeat(4_000)}a${']'.repeat(4_000)}`,
    stops: unusable('nested too deeply'),
  }),
  rule('one character of ten thousand', {
    pattern: `[${numbers(9_000)
      .map((n) => String.fromCodePoint(0x4e00 + n))
      .join('')}]{2}z`,
    in: () => filled('一', 1_000_000),
    gives: false,
  }),
  rule('a character that never ends', {
    pattern: '\\X',
    in: () => `e${filled('\u0301', 1_000_000)}`,
    gives: true,
  }),
  rule('two hundred looks back', {
    pattern: `${'(?<=a.*)'.repeat(200)}b`,
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('a{1000} of a{1000}', { pattern: '(?:a{1000}){1000}', gives: false }),
  rule('a hundred times a hundred times a hundred', {
    pattern: '((a{100}){100}){100}',
    stops: unusable('too large'),
  }),
  rule('a repetition beyond all counts', {
    pattern: 'a{1000000000}',
    stops: unusable('too big number'),
  }),
  rule('a program that is too large', {
    pattern: '(?:[a-z]x){0,1000}'.repeat(150),
    stops: unusable('too large'),
  }),
  rule('too many groups', { pattern: '(a)'.repeat(500), stops: unusable('more than 200 groups') }),
  rule('groups in groups', {
    pattern: `${'('.repeat(4_000)}${')'.repeat(4_000)}`,
    stops: unusable('nested too deeply'),
  }),
  rule('groups that never close', { pattern: '('.repeat(9_000), stops: unusable('nested too deeply') }),
  rule('classes that never close', { pattern: '['.repeat(9_000), stops: unusable('nested too deeply') }),
  rule('stars of stars', {
    pattern: `${'('.repeat(800)}a${')*'.repeat(800)}`,
    stops: unusable('nested too deeply'),
  }),
  rule('a pattern that is too long', {
    pattern: 'a'.repeat(10_001),
    stops: unusable('longer than 10000 characters'),
  }),
  rule('a group that came before', { pattern: '(a)\\1', in: a(1_000_000), gives: true }),
  rule('a look ahead in the middle', { pattern: '(?=a)(?=a)b', in: a(1_000_000), gives: false }),
  rule('a look that denies', { pattern: '(?!a)b', in: a(1_000_000), gives: false }),
  rule('an atomic group', { pattern: '(?>a+)[bc]', in: a(250_000), gives: false }),
  rule('an atomic group in a million letters', {
    pattern: '(?>a+)[bc]',
    in: a(1_000_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('a greedy quantifier', { pattern: 'a++[bc]', in: a(1_000_000), gives: false }),
  rule('a condition', { pattern: '(a)?(?(1)b|c)', in: a(125_000), gives: false }),
  rule('a condition in half a million letters', {
    pattern: '(a)?(?(1)b|c)',
    in: a(500_000),
    fastEnough: false,
    stops: BEYOND,
  }),
  rule('a class of no script', { pattern: '\\p{Nope}', stops: unusable('invalid character property name') }),
  rule('a class the wrong way round', { pattern: '[z-a]', stops: unusable('empty range') }),
  rule('half of a character', { pattern: '\ud800', in: a(1_000), gives: false }),
  rule('nothing at all', { pattern: '', in: a(100_000), gives: true }),
  {
    name: 'trigger: a hundred thousand patterns',
    prepare: () => numbers(100_000).map((n) => `(?:a?){300}[bc]${n}`),
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
  extraction('a look to the end for each match', {
    pattern: 'a(?:.*b)?',
    in: a(1_000_000),
    stops: /its search takes longer|found more than 50000 times/,
  }),
  extraction('a lazy look to the end for each match', {
    pattern: 'a(?:[^b]*?b)?',
    in: a(1_000_000),
    stops: /its search takes longer|found more than 50000 times/,
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
  extraction('many groups for each match', {
    pattern: '(a)'.repeat(200),
    in: a(200_000),
    fastEnough: 415,
    stops: BEYOND,
  }),
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
    stops: /MATCH: the pattern .* cannot be used: too large/,
  }),
  formula('MATCH: a program that is too large', '=MATCH("a", REPEAT("(?:[a-z]x){0,1000}", 20))', {
    stops: /MATCH: the pattern .* cannot be used: too large/,
  }),
  formula('MATCH: a pattern that is too long', '=MATCH("a", REPEAT("a", 2001))', {
    stops: /MATCH: the pattern is longer than 2000 characters/,
  }),
  formula('MATCH: a back reference', '=MATCH(t, "(a*)(a*)\\\\2\\\\1[bc]")', {
    event: () => ({ t: filled('a', 500_000) }),
    stops: FORMULA_BEYOND,
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
    stops: /more than 100000 matches|takes longer/,
  }),
  formula('REGEX_SPLIT: a look to the end for each match', '=SIZE(REGEX_SPLIT(t, "a(?:.*b)?"))', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: /more than 100000 matches|takes longer/,
  }),
  formula('REGEX_EXTRACT: a pattern found everywhere', '=SIZE(REGEX_EXTRACT(t, "a"))', {
    event: () => ({ t: filled('a', 900_000) }),
    stops: /REGEX_EXTRACT: more than 100000 matches|takes longer/,
  }),
  formula(
    'REGEX_REPLACE: a replacement of a million groups',
    '=SIZE(REGEX_REPLACE(t, "(a)", REPEAT("\\\\1", 1000000)))',
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
