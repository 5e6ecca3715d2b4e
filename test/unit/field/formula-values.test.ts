import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';

const event: JsonObject = {
  people: [{ mail: 'a@x.org' }, { mail: '' }, { mail: [] }, { mail: ' ' }, { mail: {} }, { mail: null }, {}],
  one: [{ a: 1, b: 2 }],
  other: [{ b: 2, a: 1 }],
};

const cases = (table: [string, JsonValue][]) =>
  it.each(table)('%s gives %j', (formula, expected) => {
    expect(evaluateFormula(`=${formula}`, event)).toEqual(expected);
  });

describe('A14: a path that leads to what is empty does not choose an element', () => {
  cases([
    ['WHERE(people, "mail")', [{ mail: 'a@x.org' }]],
    ['FILTER(people, "mail")', [{ mail: 'a@x.org' }]],
    ['FIND(REVERSE(people), "mail")', { mail: 'a@x.org' }],
    ['SIZE(REJECT(people, "mail"))', 6],
    ['WHERE([{n: 0}, {n: FALSE}], "n")', [{ n: 0 }]],
    ['SIZE(FILTER(people, LAMBDA(p, p.mail)))', 5],
    ['WHERE(people, "mail", "")', [{ mail: '' }]],
  ]);
});

describe('A15: INDEX_OF counts characters', () => {
  cases([
    ['INDEX_OF("🔥 on: web-1", "web-1")', 6],
    ['SLICE("🔥 on: web-1", INDEX_OF("🔥 on: web-1", "web-1"), 5)', 'web-1'],
    ['INDEX_OF("😀😀a", "a")', 2],
    ['INDEX_OF("abc", "x")', null],
    ['INDEX_OF(["😀", "a"], "a")', 1],
  ]);
});

describe('A18: documented values with names', () => {
  cases([
    ['URL_ENCODE("hello world", encoding: "uri")', 'hello%20world'],
    ['URL_ENCODE("a+b~é", encoding: "uri")', 'a%2Bb~%C3%A9'],
    ['URL_ENCODE("hello world", encoding: "form")', 'hello+world'],
    ['WHERE(people, "mail.x.y", null_on_path_error: TRUE)', []],
    ['WHERE(people, "mail", "a@x.org", null_on_path_error: FALSE)', [{ mail: 'a@x.org' }]],
  ]);

  it('names the encodings that exist', () => {
    expect(() => evaluateFormula('=URL_ENCODE("a", encoding: "x")', {})).toThrow(
      'the encoding is "uri" or "form"',
    );
  });
});

describe('A20: equal objects are equal whatever the order of their keys', () => {
  cases([
    ['SIZE(UNIQ(CONCAT(one, other)))', 1],
    ['SIZE(UNION(one, other))', 1],
    ['SIZE(INTERSECTION(one, other))', 1],
    ['DIFFERENCE(one, other)', []],
    ['VALUES(TALLY(CONCAT(one, other)))', [2]],
    ['SIZE(UNIQ([{x: {b: 1, a: [{d: 1, c: 2}]}}, {x: {a: [{c: 2, d: 1}], b: 1}}]))', 1],
    ['SIZE(UNIQ([[1, 2], [2, 1]]))', 2],
  ]);
});

describe('A22: lines, marks of byte order and several networks', () => {
  cases([
    ['LINES("a\\r\\nb\\n")', ['a', 'b']],
    ['LINES("a\\n\\n")', ['a', '']],
    ['LINES("")', ['']],
    ['JSON_PARSE("\ufeff{\\"a\\": 1}")', { a: 1 }],
    ['IN_CIDR("10.1.2.3", ["192.168.0.0/16", "10.0.0.0/8"])', true],
    ['IN_CIDR(["10.1.2.3", "8.8.8.8"], ["192.168.0.0/16", "10.0.0.0/8"])', false],
    ['IN_CIDR("10.1.2.3", [])', false],
  ]);
});

describe('C23: an escaped address stays an address', () => {
  cases([
    ['URI_ESCAPE("http://[::1]/a b")', 'http://[::1]/a%20b'],
    ['URI_ESCAPE("http://x.org/a%20b?c=100%&d=é")', 'http://x.org/a%20b?c=100%25&d=%C3%A9'],
    ['URI_ESCAPE("a\\"b<c>")', 'a%22b%3Cc%3E'],
  ]);
});

describe('B and C: domains follow the list of public suffixes', () => {
  cases([
    ['PARSE_URL("https://www.example.nhs.uk/").domain', 'example.nhs.uk'],
    ['PARSE_URL("https://a.b.police.uk/").tld', 'police.uk'],
    ['PARSE_URL("https://a.b.kyoto.jp/").domain', 'b.kyoto.jp'],
    ['PARSE_URL("https://me.github.io/").domain', 'me.github.io'],
    ['PARSE_URL("https://www.example.co.uk/").domain', 'example.co.uk'],
    ['PARSE_URL("https://192.0.2.1/").domain', null],
    ['PARSE_URL("https://[::1]/").domain', null],
    ['PARSE_URL("https://localhost/").tld', null],
  ]);
});
