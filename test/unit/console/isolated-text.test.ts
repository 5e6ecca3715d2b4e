import { isolated } from '../../../src/console/text/isolated.js';

const RLI = '\u2067';
const RLO = '\u202E';
const PDF = '\u202C';
const BEGIN = '\u2068';
const END = '\u2069';

test.each(['', 'Duty', 'Überwachung 7', 'значение', '警報', 'a\nb', '🙂', 'z\u200B\u200Dw\uFEFF'])(
  '%j stays as it is: it turns nothing',
  (text) => expect(isolated(text)).toBe(text),
);

test.each([
  ['the mark that overrides', `${RLO}evil`, `${RLO}evil`],
  ['a mark that was ended', `${RLO}evil${PDF}`, `${RLO}evil${PDF}`],
  ['a part that was not ended', `${RLI}evil`, `${RLI}evil${END}`],
  ['parts in parts', `${RLI}${RLI}evil${END}`, `${RLI}${RLI}evil${END}${END}`],
  ['an end without a beginning', `evil${END}`, 'evil'],
  ['ends before beginnings', `${END}a${RLI}b`, `a${RLI}b${END}`],
  ['an end of a mark that did not begin', `${PDF}\u200Fevil`, `${PDF}\u200Fevil`],
  ['Arabic letters', 'اسم', 'اسم'],
  ['Hebrew letters', 'שם', 'שם'],
  ['letters beyond the first plane', '\u{1E900}', '\u{1E900}'],
])('%s stand in a part of their own', (_name, text, inside) => {
  expect(isolated(text)).toBe(`${BEGIN}${inside}${END}`);
});

test('a sentence with an isolated name may be isolated itself', () => {
  expect(isolated(isolated(`${RLI}evil`))).toBe(`${BEGIN}${BEGIN}${RLI}evil${END}${END}${END}`);
});
