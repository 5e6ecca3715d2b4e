import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createEngine } from '../../src/language/liquid/engine.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderLiquid } from '../support/render-liquid.js';

const liquid = createLiquidLanguage();
const formulas = createFormulaLanguage();
const FAULT = /wrong number of arguments/;

/** Filters of Ruby's Liquid 5.4, each with the numbers of arguments out of 0 to 4 that it takes. */
const ruby = readFileSync(path.resolve(__dirname, '../support/ruby/argument-counts.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [name: string, taken: number[]]);

const callWith = (name: string, count: number) =>
  `{{ "a" | ${name}${count === 0 ? '' : `: ${Array(count).fill('1').join(', ')}`} }}`;

/** Returns which of 0 to 4 arguments the filter takes, by a render and by the check: both must agree. */
function takenOf(name: string): number[] {
  return [0, 1, 2, 3, 4].filter((count) => {
    const text = callWith(name, count);
    const isChecked = !liquid.check(text).some(({ message }) => FAULT.test(message));
    expect([text, messageOf(text).match(FAULT) === null]).toEqual([text, isChecked]);
    return isChecked;
  });
}

function messageOf(text: string): string {
  try {
    renderLiquid(text);
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('the number of arguments that a filter takes', () => {
  it.each(ruby.filter(([name]) => name !== 'date'))("is that of Ruby's Liquid: %s", (name, taken) => {
    expect(takenOf(name)).toEqual(taken);
  });

  it.each<[name: string, taken: number[]]>([
    ['date', [1, 2]],
    ['find', [1, 2]],
    ['find_index', [1, 2]],
    ['has', [1, 2]],
    ['reject', [1, 2]],
    ['sum', [0, 1]],
    ['squish', [0]],
    ['regex_replace', [1, 2]],
    ['date_to_string', [0, 1, 2]],
    ['pop', [0, 1]],
    ['push', [1]],
    ['where_exp', [2]],
    ['hmac_sha256', [1]],
    ['hmac_sha512_base64', [1]],
    ['sha512', [0]],
    ['jsonpath', [0, 1, 2, 3, 4]],
  ])('of other origin is that of its documentation: %s', (name, taken) => {
    expect(takenOf(name)).toEqual(taken);
  });

  it('counts all named arguments as one', () => {
    expect(renderLiquid('{{ false | default: allow_false: true, "x" }}')).toBe('false');
    expect(renderLiquid('{{ "a" | default: "x", allow_false: true, other: 1 }}')).toBe('a');
    expect(messageOf('{{ "a" | upcase: x: 1 }}')).toContain(
      'upcase: wrong number of arguments (given 1, expected 0) (line 1, column 1)',
    );
    expect(messageOf('{{ "a" | default: "x", "y", z: 1 }}')).toContain('(given 3, expected 0 to 2)');
  });

  it('knows every name of the engine that it counts for', () => {
    const { filters } = createEngine();
    expect(ruby.map(([name]) => name).filter((name) => filters[name] === undefined)).toEqual([]);
  });
});

describe('the check of a text', () => {
  it('names every call with a wrong number of arguments, with the place of its tag', () => {
    const text = `a
{% if y | append == 1 %}{% for a in b | slice %}{{ c | upcase: 1 }}{% endfor %}
{% elsif (d | size: 1) > 0 %}{% capture e %}{{ f | default: (g | date) }}{% endcapture %}{% endif %}
{% liquid
  assign h = i | replace_last: 'x'
%}`;
    const found = liquid.check(text).map(({ message, kind, line, column }) => [message, kind, line, column]);
    expect(found).toEqual([
      ['append: wrong number of arguments (given 0, expected 1)', 'filter', 2, 1],
      ['size: wrong number of arguments (given 1, expected 0)', 'filter', 2, 1],
      ['slice: wrong number of arguments (given 0, expected 1 to 2)', 'filter', 2, 25],
      ['upcase: wrong number of arguments (given 1, expected 0)', 'filter', 2, 49],
      ['date: wrong number of arguments (given 0, expected 1 to 2)', 'filter', 3, 45],
      ['replace_last: wrong number of arguments (given 1, expected 2)', 'filter', 4, 1],
    ]);
  });

  it('names constant patterns that cannot be used, in Liquid and in formulas', () => {
    expect(liquid.check('a {{ b | regex_replace: "(", "" }}{{ b | regex_replace: c }}')).toEqual([
      {
        message: 'regex_replace: the pattern "(" cannot be used: end pattern with unmatched parenthesis',
        kind: 'pattern',
        line: 1,
        column: 3,
      },
    ]);
    expect(formulas.check('a\n<<IF(b, REGEX_REPLACE(c, "[", ""), MATCH(c, d))>>')).toEqual([
      {
        message: 'REGEX_REPLACE: the pattern "[" cannot be used: premature end of char-class',
        kind: 'pattern',
        line: 2,
        column: 9,
      },
    ]);
    expect(formulas.check('=MATCH(a, "b", "q") OR MATCH(a, "b", c) OR MATCH(a, b, "q")')).toEqual([
      { message: expect.stringContaining('MATCH: the modifiers are'), kind: 'pattern', line: 1, column: 2 },
    ]);
  });

  it.each([
    `{{ a | regex_replace: '\\d+(?<x>b)', "" | as_object }}`,
    '{% where a | regex_replace: "(" %}',
    '{{ a | nothing: 1, 2 }}',
    '{% raw %}{{ a | upcase: 1 }}{% endraw %}',
  ])('finds nothing of the kind in %s', (text) => {
    expect(liquid.check(text).filter(({ kind }) => kind !== undefined)).toEqual([]);
  });
});
