import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { stringifyJson } from '../../src/platform/json/exact-number.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { FUNCTIONS } from '../../src/language/formula/functions/all-functions.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import type { TemplateScope } from '../../src/language/template.js';
import { TemplateError } from '../../src/platform/text/template-error.js';

const language = createFormulaLanguage();
const event: JsonObject = { list: [1, 2, 3], a: { b: [1, 'x'] } };
const scope: TemplateScope = {
  event,
  resources: new Map<string, JsonValue>([['r', { x: 1 }]]),
  credentials: new Map(),
  stories: new Map(),
  meta: {},
  storyRunGuid: 'guid',
  prompt: (name) => name,
};

/** Renders; errors of other classes are not caught. */
function rendered(text: string, asValue = false): JsonValue | TemplateError {
  try {
    return language.render(text, scope, { asValue });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** Texts that look like formulas more often than not. */
const formulaLike = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'()[]{},.:%|&=<>!+-*/ "\'\\'.split('')) },
      { weight: 2, arbitrary: fc.constantFrom('|>', '<<', '>>', '<%', '%>', '&&', '||', '<>', '\\"') },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          'a',
          'list',
          'RESOURCE',
          'TRUE',
          'NULL',
          '1',
          '0.5',
          '"x"',
          'LAMBDA(x, ',
          'AND',
          'NOT',
        ),
      },
      { weight: 3, arbitrary: fc.constantFrom(...FUNCTIONS.map(({ name }) => `${name}(`)) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '<% if ',
          '<% else %>',
          '<% endif %>',
          '<% for x in ',
          '<% endfor %>',
          ' %>',
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 5, unit: 'grapheme' }) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** JSON has no -0. */
const anyValue = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

describe('any text', () => {
  it('gives a value, or an error with its place that the check tells of or that depends on values', () => {
    fc.assert(
      fc.property(formulaLike, fc.boolean(), fc.boolean(), (text, whole, asValue) => {
        const source = whole ? `=${text}` : text;
        const result = rendered(source, asValue);
        const problems = language.check(source);
        language.references?.(source);
        if (problems.length > 0) expect(result).toBeInstanceOf(TemplateError);
        if (result instanceof TemplateError) expect(result.problem?.line).toBeGreaterThan(0);
      }),
      { numRuns: 3_000 },
    );
  });

  it('without pills, blocks or a leading equals sign stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!language.isTemplate(text));
        expect(rendered(text)).toBe(text);
      }),
    );
  });
});

/** Objects whose own keys hide what JavaScript looks for when it makes a text or a number of them. */
const ODD_VALUES: [[JsonValue, JsonValue, JsonValue]][] = [
  [[{ toString: false }, [{ toString: false }], { valueOf: 1, toString: null }]],
  [[[{ toString: false }], { toJSON: 1 }, { length: -1 }]],
];

describe('any values', () => {
  const names = ['a', 'b', 'c'];

  it.each(FUNCTIONS.map(({ name, fewest, most }) => ({ name, fewest, most })))(
    'make $name give JSON or an error with its place',
    ({ name, fewest, most }) => {
      const count = Math.min(Math.max(fewest, Math.min(most, 2)), 3);
      const formula = `=${name}(${names.slice(0, count).join(', ')})`;
      fc.assert(
        fc.property(fc.tuple(anyValue, anyValue, anyValue), ([a, b, c]) => {
          let result: JsonValue;
          try {
            result = language.render(formula, { ...scope, event: { a, b, c } });
          } catch (error) {
            expect(error).toBeInstanceOf(TemplateError);
            expect((error as TemplateError).problem).toBeDefined();
            return;
          }
          // Compared as text too: exact numbers show their digits there only.
          const text = stringifyJson(result);
          expect(parseJson(text)).toEqual(result);
          expect(stringifyJson(parseJson(text))).toBe(text);
        }),
        { numRuns: 60, examples: ODD_VALUES },
      );
    },
  );

  it('show as the same text in a pill as joined', () => {
    fc.assert(
      fc.property(anyValue, (a) => {
        const withValue = { ...scope, event: { a } };
        expect(language.render('<<a>>', withValue)).toBe(language.render('="" & a', withValue));
        expect(language.render('=a', withValue)).toEqual(a);
      }),
    );
  });

  it('equal themselves and what their JSON parses to', () => {
    fc.assert(
      fc.property(anyValue, (a) => {
        const withValue = { ...scope, event: { a } };
        expect(language.render('=a = a && a = JSON_PARSE(TO_JSON(a))', withValue)).toBe(true);
      }),
    );
  });
});
