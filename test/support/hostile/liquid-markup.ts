import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import {
  checkedLiquid,
  type HostileCase,
  type HostileFamily,
  liquid,
  neededByLiquid,
} from './hostile-case.js';
import { numbers } from './hostile-data.js';

/** Nothing but a piece of markup again and again, as long as a template may be. */
const MASSES: [piece: string, says: RegExp][] = [
  ['{{', /not closed/],
  ['{{ a', /not closed/],
  ['{% ', /not closed/],
  ['{{ a | b ', /not closed/],
  ["{{ ' ", /not closed/],
  ['{{ " }} ', /more than 5000 tags/],
  ['{{ a }}', /more than 5000 tags/],
  ['{% if a %}', /more than 5000 tags/],
  ['{% raw %}', /not closed/],
  ['{%comment%}', /not closed/],
  ['{{a|c:', /not closed/],
  ['{{"', /not closed/],
  ['{%liquid\n', /not closed/],
  ['{%-', /not closed/],
  ['{% case a %}{% when 1 %}', /more than 5000 tags/],
];

/** The same inside a tag, as long as all tags together may be. */
const INSIDES: [inside: string, says: RegExp][] = [
  ['a ', /nothing is wrong/],
  ['.', /nothing is wrong/],
  ['[', /nested too deeply/],
  ['(', /nested too deeply/],
  ['a[', /nested too deeply/],
  ['(1..', /nested too deeply/],
  ['| f: 1 ', /invalid value expression/],
  ['"', /nothing is wrong/],
  ["' ", /nothing is wrong/],
  ['- ', /nothing is wrong/],
  ['\\"', /nothing is wrong/],
  ['{{', /nothing is wrong/],
  ['a[0]', /nothing is wrong/],
  ['a.b.', /nothing is wrong/],
  ['==', /nothing is wrong/],
  [',', /invalid value expression/],
  ['!', /nothing is wrong/],
];

const massOf = ([piece, says]: (typeof MASSES)[number]): HostileCase =>
  checkedLiquid(`a mass of ${JSON.stringify(piece)}`, piece.repeat(Math.floor(900_000 / piece.length)), {
    says,
  });

const insideOf = ([inside, says]: (typeof INSIDES)[number]): HostileCase => {
  const tag = `{{ ${inside.repeat(Math.floor(47_000 / inside.length))} }}`;
  return checkedLiquid(`tags full of ${JSON.stringify(inside)}`, tag.repeat(6), { says });
};

const names = (count: number, of: string) => numbers(count).map((index) => `${of}${index}`);

/** Templates that take long to read, in Liquid. */
export const liquidMarkup: HostileFamily = {
  name: 'Liquid that is hard to read',
  limitMs: MAX_RENDER_MS,
  cases: [
    ...MASSES.map(massOf),
    ...INSIDES.map(insideOf),
    liquid('a template that is too long', `{{ a }}${' '.repeat(1_100_000)}`, {
      stops: /^The template is longer than 1000000 characters$/,
    }),
    liquid('a tag that is too long', `{{ ${'a'.repeat(60_000)} }}`, {
      stops: /^The template has a tag longer than 50000 characters$/,
    }),
    liquid('tags that are too long together', `{{ ${'a'.repeat(45_000)} }}`.repeat(10), {
      stops: /^The template has more than 300000 characters in its tags$/,
    }),
    liquid('too many tags', '{{ a }}'.repeat(5_001), { stops: /^The template has more than 5000 tags$/ }),
    liquid('deep parentheses', `{% if ${'('.repeat(5_000)}1${')'.repeat(5_000)} %}x{% endif %}`, {
      stops: /nested too deeply/,
    }),
    liquid('deep brackets', `{{ ${'a['.repeat(5_000)}1${']'.repeat(5_000)} }}`, {
      stops: /nested too deeply/,
    }),
    liquid('deep blocks', `${'{% if true %}'.repeat(2_400)}x${'{% endif %}'.repeat(2_400)}`, {
      stops: /nested too deeply/,
    }),
    liquid('deep captures', `${'{% capture x %}'.repeat(2_400)}x${'{% endcapture %}'.repeat(2_400)}`, {
      stops: /nested too deeply/,
    }),
    liquid('deep loops', `${'{% for i in (1..1) %}'.repeat(2_400)}x${'{% endfor %}'.repeat(2_400)}`, {
      stops: /nested too deeply/,
    }),
    liquid('a tag with an endless name', `{% ${'x'.repeat(40_000)} %}`, {
      stops: /^tag "x+….* \(line 1, column 1\)$/,
    }),
    liquid('a long tag that is never closed', `{% if ${'x'.repeat(40_000)} %}`, {
      stops: /^tag \{% if x+….* \(line 1, column 1\)$/,
    }),
    liquid('seven thousand conditions', `[{% if ${'a and '.repeat(7_000)}b %}x{% endif %}]`, { gives: '[]' }),
    liquid('three thousand filters', `{{ "a" ${'| append: "a" '.repeat(3_000)}| size }}`, { gives: '3001' }),
    liquid('twenty thousand keys', `[{{ a${'.b'.repeat(20_000)} }}]`, { gives: '[]' }),
    liquid('ten thousand unknown filters', `{{ "a" ${'| zz'.repeat(10_000)} }}`, { gives: 'a' }),
    checkedLiquid(
      'a check of forty thousand unknown filters',
      `{{ "a" ${'| f: 1 '.repeat(6_500)} }}`.repeat(6),
      {
        says: /^Unknown filter "f": the value is unchanged$/,
      },
    ),
    checkedLiquid('a check of a filter with an endless name', `{{ "a" | ${'f'.repeat(40_000)} }}`, {
      says: /^Unknown filter "f{100}…": the value is unchanged$/,
    }),
    checkedLiquid('lines of a liquid tag', `{% liquid\n${'echo a\n'.repeat(6_500)} %}`.repeat(6), {
      says: /nothing is wrong/,
    }),
    checkedLiquid('blocks of a liquid tag', `{% liquid\n${'if a\n'.repeat(9_000)} %}`, {
      says: /nested too deeply|not closed/,
    }),
    neededByLiquid(
      'the names of four thousand outputs',
      names(4_000, 'a')
        .map((name) => `{{ ${name} }}\n`)
        .join(''),
      4_000,
    ),
    neededByLiquid(
      'the names of twenty thousand arguments',
      numbers(5)
        .map((index) => `{{ x | f: ${names(4_000, `a${index}_`).join(', ')} }}\n`)
        .join(''),
      20_001,
    ),
  ],
};
