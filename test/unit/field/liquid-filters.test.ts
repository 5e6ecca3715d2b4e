import { renderLiquid } from '../../support/render-liquid.js';

const event = {
  text: 'abc',
  list: [1, 2, 3],
  nested: [1, [2, [3, 4]], 1],
  texts: ['ape', 'bee'],
  o: { a: 1, b: 'x' },
  items: [
    { n: 1, t: ['x', 'y'], s: 'one' },
    { n: 2, t: ['z'], s: 'two' },
    { n: 3, s: 'two' },
  ],
  groups: [[{ n: 1 }], [{ n: 2 }]],
  byName: { first: { n: 1 }, second: { n: 2 } },
  half: -2.5,
};

const cases = (table: [string, string][]) =>
  it.each(table)('{{ %s }} gives %j', (expression, expected) => {
    expect(renderLiquid(`{{ ${expression} }}`, event)).toBe(expected);
  });

describe.each(['A16: round goes away from 0 at a half', 'C10: round goes away from 0 at a half'])(
  '%s',
  () => {
    cases([
      ['-2.5 | round', '-3'],
      ['-2.345 | round: 2', '-2.35'],
      ['-0.5 | round', '-1'],
      ['-1.005 | round: 2', '-1.01'],
      ['-9.075 | round: 2', '-9.08'],
      ['half | round', '-3'],
      ['1.005 | round: 2', '1.01'],
      ['125 | round: -1', '130'],
      ['"x" | round: 2', '0'],
    ]);
  },
);

describe('A22: numbers with a decimal point keep it, and their digits', () => {
  cases([
    ['20 | divided_by: 7.0', '2.857142857142857'],
    ["'1' | plus: '1.0'", '2.0'],
    ['1.0', '1.0'],
    ['7 | divided_by: 3.5', '2.0'],
    ['0.1 | plus: 0.2', '0.3'],
    ['1 | divided_by: 3.0 | times: 3', '0.9999999999999999'],
    ['7 | modulo: 2.5', '2.0'],
    ['2.0 | append: "x"', '2.0x'],
    ['5 | at_least: 2.5', '5'],
    ['2 | plus: 3', '5'],
    ['7 | divided_by: 2', '3'],
    ['2.0 | json', '2'],
  ]);
});

describe('A23: filters that were missing', () => {
  cases([
    ['"abcd??>>" | base64_url_safe_encode', 'YWJjZD8_Pj4='],
    ['"YWJjZD8_Pj4" | base64_url_safe_decode', 'abcd??>>'],
    ['"https://a:b@x.org:8/p?q=1#f" | to_uri', 'https://a:b@x.org:8/p?q=1#f'],
    ['"../c" | to_uri: "https://x.org/a/b"', 'https://x.org/c'],
    ['"no address" | to_uri', ''],
    ['"it\'s" | to_xpath', '"it\'s"'],
    ['\'say "hi"\' | to_xpath', 'concat("say ", \'"hi"\')'],
    ['"a b&c" | uri_escape', 'a+b%26c'],
    ['items | where_exp: "i", "i.n > 1" | map: "n" | join: ","', '2,3'],
    ['items | reject_exp: "i", "i.s == \'two\'" | map: "n" | join: ","', '1'],
    ['items | find_exp: "i", "i.n == 2 or i.n == 9" | get: "s"', 'two'],
    ['items | find_index_exp: "i", "i.n == 3"', '2'],
    ['items | has_exp: "i", "i.t contains \'z\'"', 'true'],
    ['items | has_exp: "i", "i.n > text.size"', 'false'],
    ['items | group_by_exp: "i", "i.s | upcase" | map: "name" | join: ","', 'ONE,TWO'],
    ['list | sample: 9 | sort | join: ","', '1,2,3'],
    ['list | sample | at_least: 1 | at_most: 3 | times: 0', '0'],
  ]);

  it('knows the parts of an address', () => {
    const text = '{% assign u = "https://x.org/p?q=1#f" | to_uri %}';
    expect(
      renderLiquid(
        `${text}{{ u.scheme }} {{ u.host }} {{ u.port }} {{ u.path }} {{ u.query }} {{ u.fragment }}`,
      ),
    ).toBe('https x.org 443 /p q=1 f');
    expect(renderLiquid(`${text}{{ u.constructor }}{{ u.__proto__.host }}{{ u.searchParams }}`)).toBe('');
  });

  it('names the fault of an expression', () => {
    expect(() => renderLiquid('{{ list | where_exp: "i", "i >" | size }}')).not.toThrow(TypeError);
    expect(() => renderLiquid('{{ list | where_exp: "i", "| x" }}', event)).toThrow(/line 1, column 1/);
  });
});

describe('C23: an escaped address stays an address', () => {
  cases([
    ['"a b&c" | uri_escape', 'a+b%26c'],
    ['"a b&c" | cgi_escape', 'a+b%26c'],
    ['"é[" | uri_escape', '%C3%A9%5B'],
  ]);
});

describe('C24: filters of Jekyll take their arguments', () => {
  cases([
    ['" a \n b " | normalize_whitespace', 'a b'],
    ['list | pop: 2 | join: ","', '1'],
    ['list | shift: 2 | join: ","', '3'],
    ['list | pop: 9 | size', '0'],
    ['"2024-01-03" | date_to_string: "ordinal", "US"', 'Jan 3rd, 2024'],
    ['"2024-01-11" | date_to_long_string: "ordinal"', '11th January 2024'],
    ['"2024-01-11" | date_to_string', '11 Jan 2024'],
    ['"no day" | date_to_string: "ordinal"', 'no day'],
    ['"The _config.yml file" | slugify: "pretty"', 'the-_config.yml-file'],
    ['"Ünder_score" | slugify: "ascii"', 'nder-score'],
    ['"Ünder_score" | slugify: "latin"', 'under-score'],
    ['"A B" | slugify: "none"', 'a b'],
    ['"你好hello世界world" | number_of_words: "cjk"', '6'],
    ['"你好hello世界world" | number_of_words', '1'],
    ['"a b c" | number_of_words: "auto"', '3'],
    ['items | group_by: "s" | map: "size" | join: ","', '1,2'],
    ['items | where: "t", "y" | map: "n" | join: ","', '1'],
    ['byName | where: "n", 2 | map: "n" | join: ","', '2'],
    ['true | to_integer', '1'],
  ]);
});

describe('C25: unescape knows all entities', () => {
  cases([
    ['"&#x27;&apos;&#65;&amp;&lt;&gt;&quot;" | unescape', "''A&<>\""],
    ['"a&nbsp;b&uuml;" | unescape', 'a\u00a0bü'],
    ['"&amp;lt; &nosuch; &; &#;" | unescape', '&lt; &nosuch; &; &#;'],
  ]);
});

describe("C26: Shopify's filters on nested lists, texts and objects", () => {
  cases([
    ['nested | sum', '11'],
    ['nested | reverse | join: ","', '1,4,3,2,1'],
    ['nested | uniq | join: ","', '1,2,3,4'],
    ['nested | compact | size', '5'],
    ['groups | where: "n", 1 | size', '1'],
    ['groups | reject: "n", 1 | map: "n" | join: ","', '2'],
    ['texts | find: "ee"', 'bee'],
    ['texts | has: "x"', 'false'],
    ['texts | find_index: "ee"', '1'],
    ['texts | reject: "ee" | join: ","', 'ape'],
    ['items | where: "t", nil | size', '2'],
    ['text | first', 'a'],
    ['text | last', 'c'],
    ['"" | first', ''],
    ['o | first | join: ","', 'a,1'],
    ['texts | join: missing', 'apebee'],
    ['"abcdef" | truncate: 4, missing', 'abcd'],
  ]);

  it('refuses a length that is missing', () => {
    expect(() => renderLiquid('{{ "abc" | truncate: missing }}')).toThrow(
      'truncate: "" is not a whole number',
    );
    expect(() => renderLiquid('{{ "abc" | slice: missing }}')).toThrow('slice: "" is not a whole number');
    expect(() => renderLiquid('{{ "abc" | slice: 5, "x" }}')).toThrow('slice: "x" is not a whole number');
  });
});

describe('C27: strip_html removes blocks first, then tags', () => {
  cases([
    ['"<<<script </script>script>foo;</script>" | strip_html', 'foo;'],
    ['"a<!-- b > c -->d<style>e</style>f<b>g</b>" | strip_html', 'adfg'],
    ['"a<script>b" | strip_html', 'ab'],
    ['"a < b" | strip_html', 'a < b'],
  ]);
});
