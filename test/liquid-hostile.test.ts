import { inspect } from 'node:util';
import type { JsonValue } from '../src/json.js';
import { createLiquidLanguage } from '../src/templates/liquid/liquid-language.js';
import { TemplateError } from '../src/templates/template.js';

const language = createLiquidLanguage();
/** Far above the limit of one render, since the machine may be busy. */
const MAX_MS = 8_000;

const big = {
  text: 'a'.repeat(3_000_000),
  quotes: '"\\'.repeat(1_000_000),
  tags: '<script '.repeat(300_000),
  opens: '<'.repeat(1_000_000),
  list: Array.from({ length: 90_000 }, (_, index) => ({ n: index % 7, s: `x${index}` })),
  deep: nested(30_000),
  brackets: '['.repeat(1_000_000),
  colons: `From: ${'"\\"'.repeat(300_000)}`,
  boundaries: `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n'.repeat(200_000)}`,
  encoded: `Subject: ${'=?utf-8?q?'.repeat(200_000)}`,
  csv: '"'.repeat(2_000_000),
};

function nested(depth: number): JsonValue {
  let value: JsonValue = 'end';
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

const scope = {
  event: big,
  resources: new Map(),
  credentials: new Map([['key', 'secret-value']]),
  stories: new Map(),
  meta: {},
  storyRunGuid: 'guid',
};

/** `done` also where the template is stopped with a TemplateError; anything else thrown fails the test. */
function run(text: string): { outcome: 'text' | 'stopped'; ms: number } {
  const start = performance.now();
  try {
    language.render(text, scope);
    return { outcome: 'text', ms: performance.now() - start };
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return { outcome: 'stopped', ms: performance.now() - start };
  }
}

describe('hostile templates are stopped', () => {
  it.each([
    ['an endless loop', '{% for i in (1..100000000) %}{% endfor %}'],
    ['nested loops', '{% for i in (1..3000) %}{% for j in (1..3000) %}{{ j }}{% endfor %}{% endfor %}'],
    ['empty nested loops', `${'{% for i in (1..999) %}'.repeat(6)}${'{% endfor %}'.repeat(6)}`],
    ['a range beyond memory', '{{ (1..900000000) | size }}'],
    [
      'a text that doubles',
      '{% assign s = text %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
    ],
    [
      'a list that doubles',
      '{% assign l = list %}{% for i in (1..40) %}{% assign l = l | concat: l %}{% endfor %}{{ l }}',
    ],
    [
      'a value inside itself',
      '{% assign l = list %}{% for i in (1..50) %}{% assign l = l | slice: 0, 3 | push: l | push: l %}{% endfor %}{{ l }}',
    ],
    ['replacing every letter', '{{ text | replace: "a", text }}'],
    ['replacing nothing', '{{ text | replace: "", "0123456789" }}'],
    ['a join of long separators', '{{ list | join: text }}'],
    ['JSON inside a loop', '{% for i in (1..100000) %}{% assign x = list | json %}{% endfor %}'],
    ['sorting inside a loop', '{% for i in (1..100000) %}{% assign x = list | sort: "s" %}{% endfor %}'],
    ['deep data', '{{ deep }}'],
    ['deep parentheses', `{% if ${'('.repeat(20_000)}1 %}x{% endif %}`],
    ['deep blocks', '{% if true %}'.repeat(20_000)],
    ['a dear JSONPath', '{{ list | jsonpath: "$..*..*..*..*" }}'],
    ['a JSONPath that looks back', '{{ list | jsonpath: "$[?count($..*) > @.n]" }}'],
    ['a JSONPath with nested filters', '{{ list | jsonpath: "$[?@[?@[?@..n]]]" }}'],
    ['a file', '{% include "/etc/passwd" %}'],
    ['a partial', '{% render "../../package.json" %}'],
    ['a layout', '{% layout "package.json" %}'],
    ['a template too long', `{{ a }}${' '.repeat(1_100_000)}`],
    ['not JSON of quotes', '{{ quotes | json_parse }}'],
    ['a wide time', '{{ "now" | date: fmt }}{{ "now" | date: text }}'],
  ])('%s', (_, text) => {
    const { outcome, ms } = run(text);
    expect(outcome).toBe('stopped');
    expect(ms).toBeLessThan(MAX_MS);
  });

  it.each([
    ['unclosed tags of HTML', '{{ tags | strip_html | size }}{{ opens | strip_html | size }}'],
    [
      'a pattern that backtracks',
      '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | regex_replace: "^(a+)+$", "" }}',
    ],
    [
      'an ambiguous pattern',
      '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | regex_replace: "(a|a)*b", "" }}',
    ],
    [
      'a JSONPath with a pattern that backtracks',
      '{{ list | slice: 0, 50 | jsonpath: "$[?search(@.s, \'^(x+)+$\')]" | size }}',
    ],
    ['a path of brackets', '{{ list | map: brackets | size }}'],
    ['a mail of quotes', '{{ colons | eml_parse | json | size }}'],
    ['a mail of encoded words', '{{ encoded | eml_parse | json | size }}'],
    ['a CSV of quotes', '{{ csv | csv_parse | size }}'],
    ['a wide directive', '{{ "now" | date: "%9999999999Y" | size }}'],
    [
      'prototype words',
      '{{ __proto__.polluted }}{% assign __proto__ = 1 %}{{ list | map: "__proto__" | first }}{{ "x" | constructor }}',
    ],
    ['a filter of Object', '{{ "x" | toString }}{{ "x" | __defineGetter__: "a" }}{{ "x" | valueOf }}'],
  ])('%s costs little', (_, text) => {
    expect(run(text).ms).toBeLessThan(MAX_MS);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('a mail of too many parts', () => {
    expect(() => language.render('{{ boundaries | eml_parse | size }}', scope)).toThrow('too many parts');
  });

  it('a mass of tags, or of anything inside one, is read in bounded time', () => {
    const start = performance.now();
    const pieces = [
      '{{',
      '{{ a',
      '{% ',
      '{{ a | b ',
      "{{ ' ",
      '{{ " }} ',
      '{{ a }}',
      '[',
      '{% if a %}',
      '{% raw %}',
      '{{a|c:',
    ];
    for (const piece of pieces) language.check(piece.repeat(5_000));
    for (const piece of pieces) language.check(piece.repeat(Math.floor(900_000 / piece.length)));
    const insides = ['a ', '.', '[', '(', '| f: 1 ', '"', "' ", 'a[', '- ', '\\"', '{{'];
    for (const inside of insides)
      language.check(`{{ ${inside.repeat(Math.floor(49_000 / inside.length))} }}`);
    language.check(`{% if ${'a and '.repeat(8_000)} b %}{% endif %}`);
    expect(performance.now() - start).toBeLessThan(3 * MAX_MS);
  });

  it('an error holds nothing of the template but its place', () => {
    let failure: unknown;
    try {
      language.render('{{ "in-the-template" | divided_by: 0 }}', scope);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(TemplateError);
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('in-the-template');
  });
});
