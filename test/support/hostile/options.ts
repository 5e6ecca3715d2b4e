import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { createFormulaLanguage } from '../../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../../src/language/liquid/liquid-language.js';
import { MAX_OPTIONS_MS, renderOptions } from '../../../src/language/option-renderer.js';
import type { TemplateLanguage } from '../../../src/language/template.js';
import { mentions } from '../../../src/language/mentions/template-mentions.js';
import { type Expected, type HostileCase, type HostileFamily, scopeOf } from './hostile-case.js';
import { filled, LONGEST, numbers } from './hostile-data.js';

const liquidLanguage = createLiquidLanguage();
const formulaLanguage = createFormulaLanguage();

type Given = Expected & { options: JsonObject; event?: () => JsonObject; language?: TemplateLanguage };

/** Renders options whose `payload` wants a value; gives how many characters their JSON has. */
function rendered(
  name: string,
  { options, event, language = liquidLanguage, ...expected }: Given,
): HostileCase {
  const run = (prepared: JsonObject) =>
    JSON.stringify(renderOptions(options, { language, scope: scopeOf(prepared), valueOptions: ['payload'] }))
      .length;
  return { name, prepare: () => event?.() ?? {}, run, expected };
}

/** An option each from a text. */
const many = (count: number, text: (index: number) => string): JsonObject =>
  Object.fromEntries(numbers(count).map((index) => [`k${index}`, text(index)]));

function nestedObject(depth: number): JsonObject {
  let value: JsonValue = '{{ a }}';
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return { a: value };
}

/** Whole options of actions: each template within its limits, all of them together beyond. */
export const options: HostileFamily = {
  name: 'options that hold many templates',
  limitMs: MAX_OPTIONS_MS,
  cases: [
    rendered('ten thousand quick templates', {
      options: many(10_000, (n) => `{{ a }}${n}`),
      event: () => ({ a: 1 }),
      gives: 157_781,
    }),
    rendered('a hundred templates that take all their time', {
      // Ten times what a quick machine does within the limit.
      options: many(100, () => `{% for i in (1..3000000) %}${'{% assign x = i %}'.repeat(4)}{% endfor %}`),
      stops: /^k0: The template took too long to render/,
    }),
    // Ten times what a quick machine does within the limit: the time of all together has to stop it.
    rendered('a thousand templates that do almost too much', {
      options: many(1_000, (n) => `=SIZE(MAP(RANGE(1, 100000), LAMBDA(x, x + ${n})))`),
      language: formulaLanguage,
      stops: /^k\d+: (?:The options took longer than 5000 ms to render|.*The formula takes longer)/,
    }),
    rendered('twenty thousand templates of a kilobyte', {
      options: many(20_000, () => '{{ a }}'),
      event: () => ({ a: filled('x', 1_000) }),
      stops: /^k\d+: The sum of all rendered options is larger than 16777216 characters$/,
    }),
    rendered('variables that keep large texts', {
      options: many(500, (n) => `{% assign v${n} = text | upcase %}`),
      event: () => ({ text: filled('x', LONGEST) }),
      stops: /^k\d+: The sum of all variables is larger than 33554432 characters$/,
    }),
    rendered('variables that keep large values', {
      options: many(500, (n) => `{% assign v${n} = text | json_parse %}`),
      event: () => ({ text: `{"a":[${filled('"x",', 2_000_000)}1]}` }),
      stops: /^k\d+: The (?:sum of all variables is larger than 33554432 characters|options took longer)/,
    }),
    rendered('variables that name the same large value', {
      options: many(100, (n) => `{% assign v${n} = list %}`),
      event: () => ({ list: numbers(1_000_000) }),
      gives: 891,
    }),
    rendered('captures that keep large texts', {
      options: many(500, (n) => `{% capture v${n} %}{{ text | upcase }}{% endcapture %}`),
      event: () => ({ text: filled('x', 5_000_000) }),
      stops: /^k\d+: The sum of all variables is larger than 33554432 characters$/,
    }),
    rendered('local parts that double', {
      options: { local: many(40, (n) => (n === 0 ? '=1' : `=[LOCAL.k${n - 1}, LOCAL.k${n - 1}]`)) },
      language: formulaLanguage,
      stops: /^local\.k\d+: The sum of all rendered options is larger than 16777216 characters$/,
    }),
    rendered('local parts that are large', {
      options: { local: many(400, () => '=UPCASE(REPEAT("abcdefgh", 100000))') },
      language: formulaLanguage,
      stops: /^local\.k20: The sum of all rendered options is larger than 16777216 characters$/,
    }),
    rendered('a value that is too deep for JSON', {
      options: { payload: '=JSON_PARSE(REPEAT("[", 5000) & REPEAT("]", 5000))' },
      language: formulaLanguage,
      stops: /^payload: JSON_PARSE: JSON nested deeper than 1200 levels cannot be read/,
    }),
    rendered('JSON text that is too deep', {
      options: { payload: '{{ text }}' },
      event: () => ({ text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }),
      // A text is sent as it is, and so is not read.
      gives: 10_014,
    }),
    rendered('JSON text of too many values', {
      options: { payload: '<<text>>' },
      language: formulaLanguage,
      event: () => ({ text: `[${filled('[],', 9_000_000)}[]]` }),
      gives: 9_000_018,
    }),
    rendered('options that are too deep', {
      options: nestedObject(150),
      stops: /^a(?:\.a)+: nested deeper than 100$/,
    }),
    rendered('keys that are prototypes', {
      options: JSON.parse('{"__proto__": "{{ a }}", "constructor": {"__proto__": "{{ a }}"}}') as JsonObject,
      event: () => ({ a: 1 }),
      gives: 49,
    }),
    {
      name: 'templates that name nothing for sure',
      prepare: () => ({
        a: filled('{{[', 1_000_000),
        b: filled('{{ . | ', 1_000_000),
        c: `{{${filled('[ ', 1_000_000)}`,
        d: `{{${filled('.[ \n', 1_000_000)}${filled('}}', 1_000_000)}`,
      }),
      run: (given: JsonObject) => mentions(given, liquidLanguage).slugs,
      expected: { gives: 'all' },
    },
  ],
};
