import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderLiquid } from '../support/render-liquid.js';

const event = { t: 'foo bar2 baz3', json: '{"a":[1]}', none: null, pattern: 'o+' };

describe('filters of Huginn', () => {
  it.each([
    ['{{ t | regex_extract: "\\w+\\d" }}', 'bar2'],
    ['{{ t | regex_extract: "(\\w+)(\\d)", 2 }}', '2'],
    ['{{ t | regex_extract: "(\\w+)(\\d)", -1 }}', '2'],
    ['{{ t | regex_extract: "(?<word>\\w+)(?<n>\\d)", "word" }}', 'bar'],
    ['[{{ t | regex_extract: "(\\w+)(\\d)", 3 }}]', '[]'],
    ['[{{ t | regex_extract: "(?<a>b)", "z" }}]', '[]'],
    ['[{{ t | regex_extract: "x" }}]', '[]'],
    ['{{ t | regex_replace_first: "\\d", "#" }}', 'foo bar# baz3'],
    ['{{ t | regex_replace_first: "(b)(a)", "\\2\\1" }}', 'foo abr2 baz3'],
    ['{{ t | regex_replace_first: " " }}', 'foobar2 baz3'],
    ['{% assign v = json | fromjson %}{{ v.a[0] }}', '1'],
    ['[{{ "no json" | fromjson }}]', '[]'],
    ['{{ "Übung" | hex_encode }}', 'c39c62756e67'],
    ['{{ "c39c62756e67" | hex_decode }}', 'Übung'],
    ['{{ "C39C" | hex_decode }}', 'Ü'],
  ])('L12: %s is %s', (template, text) => {
    expect(renderLiquid(template, event)).toBe(text);
  });

  it('L12: tell what they cannot read', () => {
    expect(() => renderLiquid('{{ "xy" | hex_decode }}')).toThrow('not hexadecimal digits');
    expect(() => renderLiquid('{{ "x" | regex_extract }}')).toThrow('wrong number of arguments');
    expect(() => renderLiquid('{{ "x" | regex_extract: "(" }}')).toThrow('cannot be used');
  });
});

describe('the block regex_replace of Huginn', () => {
  it.each([
    [
      '{% regex_replace "\\d" in %}{{ t }}{% with %}<{{ match[0] }}>{% endregex_replace %}',
      'foo bar<2> baz<3>',
    ],
    [
      '{% regex_replace "(?<w>b\\w)" in %}{{ t }}{% with %}{{ w | upcase }}{% endregex_replace %}',
      'foo BAr2 BAz3',
    ],
    [
      '{% regex_replace_first "b(\\w)" in %}{{ t }}{% with %}{{ match[1] }}{% endregex_replace_first %}',
      'foo ar2 baz3',
    ],
    ['{% regex_replace .pattern in %}{{ t }}{% endregex_replace %}', 'f bar2 baz3'],
    ['{% regex_replace "x*" in %}ab{% with %}-{% endregex_replace %}', '-a-b-'],
    ['{% regex_replace "q" in %}{{ t }}{% with %}-{% endregex_replace %}{{ match }}', 'foo bar2 baz3'],
  ])('L12: %s is %s', (template, text) => {
    expect(renderLiquid(template, event)).toBe(text);
  });

  it('L12: is checked', () => {
    const language = createLiquidLanguage();
    expect(language.check('{% regex_replace "x" %}a{% endregex_replace %}')[0]?.message).toContain(
      'needs a pattern',
    );
    expect(language.check('{% regex_replace "x" in %}a')[0]?.message).toContain('not closed');
    const { roots } = language.dependencies(
      '{% regex_replace .p in %}{{ .q }}{% with %}{{ .r }}{% endregex_replace %}',
    );
    expect(roots.map(({ name }) => name).toSorted()).toEqual(['p', 'q', 'r']);
  });
});
