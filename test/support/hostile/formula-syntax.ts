import { MAX_FORMULA_MS } from '../../../src/language/formula/formula-limits.js';
import { checkedFormula, formula, type HostileFamily, neededByFormula } from './hostile-case.js';
import { numbers } from './hostile-data.js';

const DEEP = /nested deeper than 100/;
const names = (count: number) => numbers(count).map((index) => `a${index}`);

/** Formulas that take long to read. */
export const formulaSyntax: HostileFamily = {
  name: 'formulas that are hard to read',
  limitMs: MAX_FORMULA_MS,
  cases: [
    formula('parentheses without end', `=${'('.repeat(100_000)}`, { stops: DEEP }),
    formula('brackets without end', `=${'['.repeat(100_000)}`, { stops: DEEP }),
    formula('braces without end', `=${'{a:'.repeat(50_000)}`, { stops: DEEP }),
    formula('calls without end', `=${'NOT('.repeat(50_000)}`, { stops: DEEP }),
    formula('denials without end', `=${'!'.repeat(100_000)}TRUE`, { stops: DEEP }),
    formula('signs without end', `=${'-'.repeat(100_000)}1`, { stops: DEEP }),
    formula('words of denial without end', `=${'NOT '.repeat(100_000)}TRUE`, { stops: DEEP }),
    formula('lambdas without end', `=${'LAMBDA(x,'.repeat(50_000)}`, { stops: DEEP }),
    formula('indexes in indexes without end', `=a${'[a'.repeat(50_000)}`, { stops: DEEP }),
    formula('a hundred calls', `=${'IF(TRUE,'.repeat(95)}1${')'.repeat(95)}`, { gives: 1 }),
    formula('blocks without end', '<% if TRUE %>'.repeat(4_000), {
      stops: /More than 100 blocks inside each other/,
    }),
    formula('loops without end', '<% for x in y %>'.repeat(4_000), {
      stops: /More than 100 blocks inside each other/,
    }),
    formula('too many pills', '<<1>>'.repeat(6_000), { stops: /More than 5000 pills and blocks/ }),
    formula('pills that are too long together', `<<"${'x'.repeat(15_000)}">>`.repeat(30), {
      stops: /More than 300000 characters in pills and blocks/,
    }),
    formula('a pill that is too long', `<<"${'x'.repeat(30_000)}">>`, {
      stops: /longer than 20000 characters/,
    }),
    formula('a text that is too long', `=${' '.repeat(1_000_001)}1`, {
      stops: /longer than 1000000 characters/,
    }),
    formula('a million values', `=[${'1,'.repeat(499_000)}]`, {
      stops: /More than 300000 names, values and marks/,
    }),
    formula('a million marks', `=1${'-1'.repeat(499_000)}`, {
      stops: /More than 300000 names, values and marks/,
    }),
    formula('a million empty texts', `=[${'"",'.repeat(330_000)}]`, {
      stops: /More than 300000 names, values and marks/,
    }),
    formula('a million indexes', `=a${'[1]'.repeat(330_000)}`, {
      stops: /More than 300000 names, values and marks/,
    }),
    formula('a number without end', `=${'9'.repeat(900_000)}`, { says: /^9{900}/ }),
    formula('a name without end', `=${'a'.repeat(900_000)}`, { gives: null }),
    formula('a function without end', `=${'A'.repeat(900_000)}()`, {
      stops: /^Unknown function A{100} \(line 1, column 2\)$/,
    }),
    formula('a word that cannot stand there', `=1 ${'a'.repeat(900_000)}`, {
      stops: /^"a{100}" stands here where an operator is expected/,
    }),
    formula('a text without its end', `="${'x'.repeat(900_000)}`, {
      stops: /The text starting here has no closing quote/,
    }),
    formula('a block that is none', `<% ${'x'.repeat(15_000)} %>`, {
      stops: /^<% x{49}%> is not if, elsif, else, endif, for or endfor/,
    }),
    formula('escapes without end', `=SIZE("${'\\\\'.repeat(450_000)}")`, { gives: 450_000 }),
    formula('a chain of sums', `=1${' + 1'.repeat(20_000)}`, { gives: 20_001 }),
    formula('a chain of texts', `=SIZE("x"${' & "y"'.repeat(5_000)})`, { gives: 5_001 }),
    formula('a chain of alternatives', `=FALSE${' || FALSE'.repeat(20_000)} || 7`, { gives: 7 }),
    formula('a chain of keys', `=a${'.b'.repeat(20_000)}`, { gives: null }),
    formula('a chain of pipes', `=1${' |> % + 1'.repeat(10_000)}`, { gives: 10_001 }),
    formula('a list of many', `=SIZE([${'1,'.repeat(50_000)}])`, { gives: 50_000 }),
    formula('openings that never close', '<<'.repeat(200_000), { gives: '<<'.repeat(200_000) }),
    formula('openings of both kinds that never close', '<<<%'.repeat(100_000), {
      gives: '<<<%'.repeat(100_000),
    }),
    formula('openings and quotes that close at the very end', `${'<<" '.repeat(200_000)}>>`, {
      stops: /longer than 20000 characters|no closing quote/,
    }),
    formula('closings alone', '>>%>'.repeat(100_000), { gives: '>>%>'.repeat(100_000) }),
    checkedFormula('a check of a name that has not been closed', `=CREDENTIAL.{${'a '.repeat(100_000)}`, {
      says: /the formula ends|nothing is wrong/,
    }),
    neededByFormula('the names of fifty thousand references', `=[${names(50_000).join(',')}]`, 50_000),
    neededByFormula(
      'forty thousand lambdas within fifty thousand names',
      `=LAMBDA(${names(50_000).join(',')}, [${'LAMBDA(x,1),'.repeat(30_000)}])`,
      0,
    ),
  ],
};
