import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../src/json.js';
import { FUNCTIONS } from '../src/templates/formula/functions/all-functions.js';
import { createFormulaLanguage } from '../src/templates/formula/formula-language.js';
import { TemplateError, type TemplateScope } from '../src/templates/template.js';

const language = createFormulaLanguage({ promptLink: (name) => name });
const long = 'ab '.repeat(100_000);
const list = Array.from({ length: 20_000 }, (_, index) => index);

const event: JsonObject = { long, list, wide: Array.from({ length: 200_000 }, () => 1), a: { b: [1, 'x'] } };
const scope: TemplateScope = {
  event,
  resources: new Map<string, JsonValue>([['r', { x: 1 }]]),
  credentials: new Map(),
  stories: new Map(),
  meta: {},
  storyRunGuid: 'guid',
};

/** Far above a render's own second: this machine may be busy. */
const PATIENCE_MS = 5_000;

/** Renders; errors of other classes are not caught. */
function rendered(text: string, asValue = false): JsonValue | TemplateError {
  try {
    return language.render(text, scope, { asValue });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

function doubling(times: number, start: string, next: (inner: string) => string): string {
  let text = start;
  for (let index = 0; index < times; index += 1) text = next(text);
  return text;
}

/** `"x" |> % & % |> % & % …`: twice as large each time. */
const piped = (start: string, step: string, times: number) => `=${start}${` |> ${step}`.repeat(times)}`;

const DOUBLED = piped('[1]', '[%, %]', 60);

const STOPPED: [name: string, text: string][] = [
  ['text doubled in pipes', piped('"xxxxxxxxxx"', '% & %', 40)],
  ['lists doubled in pipes', DOUBLED],
  ['objects doubled in pipes', piped('{a: 1}', '{a: %, b: %}', 60)],
  ['lists joined with themselves', piped('[1]', 'CONCAT(%, %)', 40)],
  ['a doubled list as JSON', `${DOUBLED} |> TO_JSON(%)`],
  ['a doubled list as text', `<<${DOUBLED.slice(1)}>>`],
  ['doubled lists compared', `=(${DOUBLED.slice(1)}) = (${DOUBLED.slice(1)})`],
  ['a doubled list flattened', `${DOUBLED} |> FLATTEN(%)`],
  ['a doubled list made unique', `${DOUBLED} |> UNIQ(%)`],
  ['objects merged into themselves', `${piped('{a: 1}', '{a: %, b: %}', 60)} |> DEEP_MERGE(%, %)`],
  ['a lambda that calls itself', '=MAP([LAMBDA(f, MAP([f], f))], LAMBDA(f, MAP([f], f)))'],
  ['lambdas over lambdas', `=${doubling(4, '1', (inner) => `MAP(list, LAMBDA(x, ${inner}))`)}`],
  ['loops inside loops', `${'<% for x in list %>'.repeat(4)}.${'<% endfor %>'.repeat(4)}`],
  ['a loop that writes much', '<% for x in list %><<long>><% endfor %>'],
  ['long text changed for each element', '=MAP(list, LAMBDA(x, UPCASE(long)))'],
  ['long text split for each element', '=MAP(list, LAMBDA(x, SIZE(SPLIT(long, ""))))'],
  ['long text searched for each element', '=MAP(list, LAMBDA(x, REGEX_REPLACE(long, "a(b?)+ $", x)))'],
  ['lists sorted for each element', '=MAP(list, LAMBDA(x, SORT(list)))'],
  ['lists compared for each element', '=FILTER(list, LAMBDA(x, INCLUDES(list, [x])))'],
  ['folds that grow a list', '=REDUCE(list, LAMBDA(all, x, PUSH(all, all)), [])'],
  ['folds that grow a text', '=REDUCE(list, LAMBDA(all, x, all & all & "x"), "")'],
  ['a replacement that grows', '=REPLACE(long, "", long)'],
  ['a list that is too long', '=REVERSE(wide)'],
  ['a range without end', '=RANGE(1, 1000000000000)'],
  ['a text repeated without end', '=REPEAT("abc", 1000000000)'],
  ['a text padded without end', '=PAD_LEFT("a", 1e12)'],
  ['random text without end', '=RANDOM_STRING(1e9)'],
  ['a date with an endless format', `=DATE("now", REPEAT("%c", 1000))`],
  ['a time out of range', '=DATE_ADD("now", 1e300, "years")'],
  ['a pattern that is too large', '=MATCH("a", "((a{100}){100}){100}")'],
  ['a pattern with a back reference', '=MATCH("aa", "(a)\\\\1")'],
  ['a JSONPath that looks at all from all', `=JSONPATH([${'[1],'.repeat(2_000)}], "$..[?(@..*)]..*..*")`],
  ['a number beyond all numbers', '=1e308 * 10'],
  ['a power beyond all numbers', '=POWER(10, 400)'],
  ['parentheses without end', `=${'('.repeat(100_000)}`],
  ['brackets without end', `=${'['.repeat(100_000)}`],
  ['calls without end', `=${'NOT('.repeat(100_000)}`],
  ['denials without end', `=${'!'.repeat(100_000)}TRUE`],
  ['signs without end', `=${'-'.repeat(100_000)}1`],
  ['words of denial without end', `=${'NOT '.repeat(100_000)}TRUE`],
  ['lambdas without end', `=${'LAMBDA(x,'.repeat(50_000)}`],
  ['blocks without end', '<% if TRUE %>'.repeat(4_000)],
  ['too many pills', '<<1>>'.repeat(6_000)],
  ['a pill that is too long', `<<"${'x'.repeat(30_000)}">>`],
  ['a text that is too long', `=${' '.repeat(1_000_001)}1`],
  ['an archive that unpacks without end', '=MAP(RANGE(1, 30000), LAMBDA(x, GUNZIP(GZIP(long))))'],
  [
    'errors caught for ever',
    '=MAP(list, LAMBDA(x, TRY(MAP(list, LAMBDA(y, 1 / 0)), MAP(list, LAMBDA(y, y)))))',
  ],
];

describe('formulas that would hang or grow', () => {
  it.each(STOPPED)('%s: stopped with an error', (_, text) => {
    const started = performance.now();
    expect(rendered(text)).toBeInstanceOf(TemplateError);
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  });

  it.each<[name: string, text: string, expected: JsonValue]>([
    ['a chain of sums', `=1${' + 1'.repeat(20_000)}`, 20_001],
    ['a chain of texts', `=SIZE("x"${' & "y"'.repeat(5_000)})`, 5_001],
    ['a chain of alternatives', `=FALSE${' || FALSE'.repeat(20_000)} || 7`, 7],
    ['a chain of keys', `=a${'.b'.repeat(20_000)}`, null],
    ['a chain of pipes', `=1${' |> % + 1'.repeat(10_000)}`, 10_001],
    ['a list of many', `=SIZE([${'1,'.repeat(50_000)}])`, 50_000],
    ['openings that never close', '<<'.repeat(200_000), '<<'.repeat(200_000)],
    ['openings of both kinds that never close', '<<<%'.repeat(100_000), '<<<%'.repeat(100_000)],
    ['closings alone', '>>%>'.repeat(100_000), '>>%>'.repeat(100_000)],
    ['a pattern that would backtrack', `=MATCH(REPEAT("a", 30000) & "!", "^(a+)+$")`, false],
  ])('%s: done at once', (_, text, expected) => {
    const started = performance.now();
    expect(rendered(text)).toEqual(expected);
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  });

  it.each([
    'constructor',
    '__proto__',
    'a.constructor.constructor("return process")',
    'a["__proto__"]["polluted"]',
    'GET(a, "__proto__.toString")',
    'GET(a, "constructor")',
    'MAP([a], "__proto__")',
    'SET({}, "__proto__", {polluted: TRUE}).polluted',
    'MERGE({}, JSON_PARSE("{\\"__proto__\\": {\\"polluted\\": true}}")).polluted',
    'DEEP_MERGE({}, JSON_PARSE("{\\"__proto__\\": {\\"polluted\\": true}}")).polluted',
    'LAMBDA(x, x).call',
    'FIRST([LAMBDA(x, x)]).constructor',
    'RESOURCE.constructor',
    'RESOURCE["__proto__"].x',
    'TRY(process.exit())',
    'RANDOM_STRING(1, "constructor").constructor',
    'SWITCH(1, 2, 3).constructor',
    'IS_EMPTY.constructor',
  ])('%s reaches nothing of the program', (formula) => {
    const result = rendered(`=${formula}`);
    if (!(result instanceof TemplateError)) expect([null, false, [null]]).toContainEqual(result);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
});

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
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
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
