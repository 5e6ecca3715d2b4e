import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import { createLiquidLanguage } from '../../../src/language/liquid/liquid-language.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { scopeOf } from '../../support/hostile/hostile-case.js';

const language = createLiquidLanguage();
const render = (text: string, event: JsonObject) => language.render(text, scopeOf(event));

/** Texts that stand for groups in other languages. */
const PLAIN = ['$1', '$12', '$5', '$0', '$&', '${x}', '${name}', '$$', "$'", '$`', '$<x>'];

describe('A9: a dollar in a replacement is text', () => {
  it('in an amount of an event', () => {
    const event = { amount: '$123,456.00', text: 'Total: AMOUNT' };
    expect(evaluateFormula('=REGEX_REPLACE("Total: AMOUNT", "AMOUNT", amount)', event)).toBe(
      'Total: $123,456.00',
    );
    expect(render('{{ text | regex_replace: "AMOUNT", amount }}', event)).toBe('Total: $123,456.00');
  });

  it.each(PLAIN)('in %s', (by) => {
    expect(evaluateFormula('=REGEX_REPLACE("xay", "(a)", by)', { by })).toBe(`x${by}y`);
    expect(render('{{ "xay" | regex_replace: "(?<x>a)", by }}', { by })).toBe(`x${by}y`);
  });

  it.each([
    ['<\\1>', 'x<a>y'],
    ['<\\0>', 'x<a>y'],
    ['<\\&>', 'x<a>y'],
    ['<\\`>', 'x<x>y'],
    ["<\\'>", 'x<y>y'],
    ['<\\+>', 'x<a>y'],
    ['\\\\1', 'x\\1y'],
    ['\\2', 'xy'],
  ])('but %s stands for a part of the text', (by, expected) => {
    expect(evaluateFormula('=REGEX_REPLACE("xay", "(a)", by)', { by })).toBe(expected);
    expect(render('{{ "xay" | regex_replace: "(a)", by }}', { by })).toBe(expected);
  });

  it('names a group that the pattern does not have', () => {
    expect(() => evaluateFormula('=REGEX_REPLACE("xay", "(?<b>a)", by)', { by: '\\k<c>' })).toThrow(
      /REGEX_REPLACE: the replacement names a group <c>/,
    );
  });
});

describe('C14: escapes in replacements of the filter regex_replace', () => {
  it.each([
    ['a,b;c', '[,;]', '\\n', 'a\nb\nc'],
    ['a,b', ',', '\\t', 'a\tb'],
    ['a,b', ',', '\\s', 'a b'],
    ['a,b', ',', '\\r\\n', 'a\r\nb'],
    ['a,b', ',', '\\e[0m', 'a\u001b[0mb'],
    ['a,b', ',', '\\u{263a}', 'a☺b'],
    ['a,b', ',', '\\u263a', 'a☺b'],
    ['a,b', ',', '\\x41\\x42', 'aABb'],
    ['a,b', ',', '\\q', 'aqb'],
    ['a,b', ',', '\\\\n', 'a\\nb'],
    ['a,b', ',', '\\x5c1', 'a\\1b'],
    ['a,b', '(,)', "[\\&\\`\\'\\+\\1]", 'a[,ab,,]b'],
    ['a,b', '(?<c>,)', '[\\k<c>\\n]', 'a[,\n]b'],
  ])('%s with %s by %s', (text, pattern, by, expected) => {
    expect(render('{{ text | regex_replace: pattern, by }}', { text, pattern, by })).toBe(expected);
  });

  it('stand in the template as they are', () => {
    expect(render('{{ x | regex_replace: "[,;]", "\\n" }}', { x: 'a,b;c' })).toBe('a\nb\nc');
  });

  it('are plain text in formulas, whose strings have their own', () => {
    expect(evaluateFormula('=REGEX_REPLACE("a,b", ",", by)', { by: '\\q' })).toBe('a\\qb');
    expect(evaluateFormula('=REGEX_REPLACE("a,b", ",", "\\n")', {})).toBe('a\nb');
  });
});
