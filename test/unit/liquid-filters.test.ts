import { createHmac } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { renderLiquid } from '../support/render-liquid.js';

const event: JsonObject = {
  text: 'Hello <b>World</b>',
  list: ['b', 'a', 'B', 'a', null],
  numbers: [10, 9, 1.5],
  people: [
    { name: 'Ann', age: 30, address: { city: 'Cork' }, vip: { matched: true } },
    { name: 'Bob', age: 9, address: { city: 'Bonn' }, vip: { matched: false } },
    { name: 'Cid', address: { city: 'Cork' } },
  ],
  object: { 'a.b': 1, a: { b: 2 }, 'k y': 3 },
  empty: { text: '', list: [], object: {} },
  no: false,
  json: '{"a":[1,{"b":"x"}]}',
};

const render = (text: string, more: JsonObject = {}) => renderLiquid(text, { ...event, ...more });

/** Each case is one expression and its value. */
const cases = (table: [string, JsonValue][]) =>
  it.each(table)('{{ %s }} gives %j', (expression, expected) => {
    expect(render(`{{ ${expression} | as_object }}`)).toEqual(expected);
  });

describe('text', () => {
  cases([
    ['"a" | append: "b" | prepend: 1', '1ab'],
    ['"aBc" | upcase', 'ABC'],
    ['"aBc" | downcase', 'abc'],
    ['"hELLO wORLD" | capitalize', 'Hello world'],
    ['"  a " | strip', 'a'],
    ['"  a " | lstrip', 'a '],
    ['"  a " | rstrip', '  a'],
    ['" a \n  b " | squish', 'a b'],
    ['"a\nb\r\nc" | strip_newlines', 'abc'],
    ['"a.b.c" | replace: ".", "[.]"', 'a[.]b[.]c'],
    ['"abc=" | replace: "="', 'abc'],
    ['"abc" | replace: "b", "$&"', 'a$&c'],
    ['"a\\nb" | replace: "\\n", "-"', 'a-b'],
    ['"a.b.c" | replace_first: ".", ""', 'ab.c'],
    ['"a.b.c" | replace_last: ".", ""', 'a.bc'],
    ['"a.b.c" | remove: "."', 'abc'],
    ['"a.b.c" | remove_first: "."', 'ab.c'],
    ['"a.b.c" | remove_last: "."', 'a.bc'],
    ['"a,b,,c,," | split: ","', ['a', 'b', '', 'c']],
    ['" a  b " | split: " "', ['a', 'b']],
    ['"a😀b" | split: ""', ['a', '😀', 'b']],
    ['"Ground control" | truncate: 10', 'Ground ...'],
    ['"short" | truncate: 10', 'short'],
    ['"1612345678.123" | truncate: 10, ""', '1612345678'],
    ['"one two three" | truncatewords: 2', 'one two...'],
    ['"one two" | truncatewords: 2, "--"', 'one two'],
    ['"hello" | slice: 1, 3', 'ell'],
    ['"hello" | slice: -3, 2', 'll'],
    ['"a😀b" | slice: 1', '😀'],
    ['"a b c" | number_of_words', 3],
    ['"Hello, World!" | slugify', 'hello-world'],
    ['missing | upcase', ''],
    ['people[0].address | upcase', '{"CITY":"CORK"}'],
    ['"a" | replace "a", "b"', 'b'],
  ]);
});

describe('numbers', () => {
  cases([
    ['"5" | plus: 3', 8],
    ['0.1 | plus: 0.2', 0.3],
    ['"1.5" | times: "2"', 3],
    ['10 | minus : "3.5"', 6.5],
    ['7 | divided_by: 2', 3],
    ['-7 | divided_by: 2', -4],
    ['7 | divided_by: 2.5', 2.8],
    ['7 | divided_by: 2.0', 3.5],
    ['-7 | divided_by: -2.0', 3.5],
    ['7.0 | divided_by: 2', 3.5],
    ['6 | divided_by: 2.0', 3],
    ['6 | divided_by: 2.0 | divided_by: 2', 1.5],
    ['10 | divided_by: 3.0 | round: 2', 3.33],
    ['1 | divided_by: 3.0', 0.3333333333333333],
    ['5 | divided_by: "2.0"', 2.5],
    ['"5.0" | divided_by: 2', 2.5],
    ['"5" | divided_by: "2"', 2],
    ['7 | times: 1.0 | divided_by: 2', 3.5],
    ['7 | times: 0.5 | times: 2 | divided_by: 2', 3.5],
    ['8 | minus: 1.0 | abs | at_least: 2 | divided_by: 2', 3.5],
    ['7.0 | to_integer | divided_by: 2', 3],
    ['7 | divided_by: (2.0 | plus: 0)', 3.5],
    ['2.0', 2],
    ['2.0 | as_object', 2],
    ['2.0 | json', '2'],
    ['7 | times: 1.0', 7],
    ['7 | times: 1.0 | append: "!"', '7.0!'],
    ['list[1.0]', 'a'],
    ['-7 | modulo: 3', 2],
    ['missing | plus: 1', 1],
    ['"abc" | plus: 1', 1],
    ['"12 apples" | plus: 1', 13],
    ['-4 | abs', 4],
    ['1.2 | ceil', 2],
    ['1.8 | floor', 1],
    ['2.5678 | round: 2', 2.57],
    ['2.5 | round', 3],
    ['3 | at_least: 5', 5],
    ['9 | at_most: 5', 5],
    ['"8.9" | to_integer', 8],
    ['numbers | sum', 20.5],
    ['people | sum: "age"', 39],
  ]);

  it.each<[string, string]>([
    ['{% assign by = 2 | times: 1.0 %}{{ 7 | divided_by: by }} {{ by }}', '3.5 2.0'],
    ['{% assign by = 2.0 %}{{ 7 | divided_by: by }}', '3.5'],
    ['{% assign s = "1.5,1.5,2" | split: "," %}{{ s | sum | divided_by: 2 }} {{ s | sum }}', '2.5 5.0'],
    ['{% assign s = "1,2,2" | split: "," %}{{ s | sum | divided_by: 2 }}', '2'],
    ['{{ 4.96 | round: 1 | divided_by: 2 }} {{ 4.96 | round | divided_by: 2 }}', '2.5 2'],
    ['{% assign by = 2.0 %}{% if by == 2 and by > 1 and by < 3.0 %}yes{% endif %}', 'yes'],
    ['{% assign one = 1.0 %}{% case one %}{% when 1 %}yes{% endcase %}', 'yes'],
    ['{% assign one = 1.0 %}{{ list[one] }}{% for i in (one..3) limit: one %}{{ i }}{% endfor %}', 'a1'],
    ['{% assign two = 2.0 %}{{ "a" | append: two }} {{ numbers | push: two | json }}', 'a2 [10,9,1.5,2]'],
    ['{% assign two = 2.0 %}{{ numbers | push: two | where: "x", two | size }}{{ two.x }}', '0'],
    ['{% assign two = 2.0 %}{{ two.constructor }}{{ two.__proto__.valueOf }}{{ two.__proto__ }}', ''],
  ])('of decimals stay decimal in variables, and are numbers for all else: %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it('refuses to divide by 0', () => {
    expect(() => render('{{ 1 | divided_by: 0.0 }}')).toThrow('divided_by: divided by 0');
    expect(() => render('{{ 1 | divided_by: 0 }}')).toThrow('divided_by: divided by 0');
    expect(() => render('{{ 1 | modulo: "x" }}')).toThrow('modulo: divided by 0');
  });
});

describe('lists', () => {
  cases([
    ['list | first', 'b'],
    ['numbers | last', 1.5],
    ['"text" | first', 't'],
    ['list | size', 5],
    ['"a😀" | size', 2],
    ['object | size', 3],
    ['5 | size', 0],
    ['list | compact | join: "-"', 'b-a-B-a'],
    ['list | join', 'b a B a '],
    ['numbers | reverse', [1.5, 9, 10]],
    ['numbers | sort', [1.5, 9, 10]],
    ['list | sort', ['B', 'a', 'a', 'b', null]],
    ['list | compact | sort_natural', ['a', 'a', 'b', 'B']],
    ['numbers | sort_natural', [1.5, 10, 9]],
    ['people | sort: "address.city" | map: "name"', ['Bob', 'Ann', 'Cid']],
    ['list | uniq', ['b', 'a', 'B', null]],
    ['people | uniq: "address.city" | map: "name"', ['Ann', 'Bob']],
    ['"ips" | uniq', 'ips'],
    ['people | map: "address.city"', ['Cork', 'Bonn', 'Cork']],
    ['people | map: "age"', [30, 9, null]],
    ['people[0] | map: "name"', ['Ann']],
    ['numbers | concat: list | size', 8],
    ['numbers | push: 1 | unshift: 2 | pop | shift', [10, 9, 1.5]],
    ['numbers | slice: 1, 5', [9, 1.5]],
    ['people | where: "name", "Bob" | map: "age"', [9]],
    ['people | where: "vip.matched", false | map: "name"', ['Bob']],
    ['people | where: "vip.matched", true | jsonpath: "*.name"', ['Ann']],
    ['people | where: "vip.matched" | map: "name"', ['Ann']],
    ['people | where: "age", "30"', []],
    ['people[1] | where: "name", "Bob" | size', 1],
    ['people | where: "name", "Ann" | get: "address.city"', 'Cork'],
    ['people | reject: "name", "Ann" | map: "name"', ['Bob', 'Cid']],
    ['people | find: "name", "Cid" | get: "address.city"', 'Cork'],
    ['people | find_index: "name", "Cid"', 2],
    ['people | has: "name", "Dan"', false],
    ['people | group_by: "address.city" | map: "name"', ['Cork', 'Bonn']],
    ['"a,b,c" | split: "," | array_to_sentence_string', 'a, b, and c'],
    ['object | get: "a.b"', 1],
    ['object | get: "k y"', 3],
    ['object | get: "a" | get: "b"', 2],
    ['object | get: "zz", "none"', 'none'],
    ['people | get: "[1].name"', 'Bob'],
    ['object | get: "__proto__"', null],
  ]);
});

describe('values and JSON', () => {
  cases([
    ['missing | default: "d"', 'd'],
    ['empty.text | default: "d"', 'd'],
    ['empty.list | default: "d"', 'd'],
    ['empty.object | default: "d"', 'd'],
    ['no | default: "d"', 'd'],
    ['no | default: "d", allow_false: true', false],
    ['text | default: "d" | size', 18],
    ['missing | default: .people[0].name', 'Ann'],
    ['people[2] | json', '{"name":"Cid","address":{"city":"Cork"}}'],
    ['numbers | neat_json', '[\n  10,\n  9,\n  1.5\n]'],
    ['json | json_parse', { a: [1, { b: 'x' }] }],
    ['json | parse_json | get: "a[1].b"', 'x'],
    ['people | json_parse | size', 3],
    ['"" | json_parse', null],
    ['missing | json_parse', null],
    ['json | json_parse | jsonpath: "$.a[*].b"', ['x']],
    ['people | jsonpath: "$[?@.age > 20].name"', ['Ann']],
    ['people | jsonpath: "$[?search(@.name, \'^[AB]\')].name"', ['Ann', 'Bob']],
    ['people | jsonpath: "$[?match(@.name, \'A.*\')].name"', ['Ann']],
    ['people | jsonpath: "$..city"', ['Cork', 'Bonn', 'Cork']],
    // If `*.name` finds nothing, the search goes further down; else its matches are all.
    ['people | jsonpath: "*.city"', ['Cork', 'Bonn', 'Cork']],
    ['people | jsonpath: "$.*.city"', []],
    ['people | jsonpath: "*.name"', ['Ann', 'Bob', 'Cid']],
    ['"text" | jsonpath: "$.a"', []],
  ]);

  it('reads JSON whose strings hold line breaks', () => {
    expect(render('{{ t | json_parse | as_object }}', { t: '{\n"a": "x\ny\\n\t"}' })).toEqual({
      a: 'x\ny\n\t',
    });
  });

  it('says what is wrong with JSON without repeating it', () => {
    expect(() => render('{{ t | json_parse }}', { t: '{"secret": x}' })).toThrow(
      /^json_parse: not valid JSON: (?!.*secret)/,
    );
  });

  it('says which JSONPath does not parse', () => {
    expect(() => render('{{ people | jsonpath: "$[" }}')).toThrow('jsonpath: "$[" is not a JSONPath');
  });

  it('reads keys with a hyphen in a JSONPath', () => {
    expect(render('{{ o | jsonpath: "$.a-b.c" | as_object }}', { o: { 'a-b': { c: 1 } } })).toEqual([1]);
  });
});

describe('encodings and digests', () => {
  cases([
    ['"é/+?" | base64_encode', 'w6kvKz8='],
    ['"w6kvKz8=" | base64_decode', 'é/+?'],
    ['"w6kvKz8" | base64url_decode', 'é/+?'],
    ['"é/+?" | base64url_encode', 'w6kvKz8'],
    ['"/9j/4A==" | base64_decode | base64_encode', '/9j/4A=='],
    ['"a b&c/é*" | url_encode', 'a+b%26c%2F%C3%A9%2A'],
    ['"a+b%26c%zz" | url_decode', 'a b&c%zz'],
    ['"a b/é" | uri_escape', 'a+b%2F%C3%A9'],
    ['"a" | md5', '0cc175b9c0f1b6a831c399e269772661'],
    ['"a" | md5_base64', 'DMF1ucDxtqgxw5niaXcmYQ=='],
    ['"a" | sha1', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    ['"a" | sha256', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
    ['"a" | sha512 | size', 128],
    ['"data" | hmac_sha1: "key"', createHmac('sha1', 'key').update('data').digest('hex')],
    ['"data" | hmac_sha256: "key"', createHmac('sha256', 'key').update('data').digest('hex')],
    ['"data" | hmac_sha512_base64: "key"', createHmac('sha512', 'key').update('data').digest('base64')],
    ['"<a href=\'x\'>&" | escape', '&lt;a href=&#39;x&#39;&gt;&amp;'],
    ['"&lt;<" | escape_once', '&lt;&lt;'],
    ['"&lt;b&gt;" | unescape', '<b>'],
    ['"a\nb" | newline_to_br', 'a<br />\nb'],
    ['text | strip_html', 'Hello World'],
    ['"a<script>x<y</script>b<!-- > -->c<br/>d<style>p{}</style>" | strip_html', 'abcd'],
    ['"1 < 2" | strip_html', '1 < 2'],
  ]);

  it('hashes the bytes of a decoded file', () => {
    const bytes = Buffer.from([0xff, 0xd8, 0x00, 0xe2, 0x82]);
    const hmac = createHmac('sha256', 'k').update(bytes).digest('hex');
    expect(render(`{{ "${bytes.toString('base64')}" | base64_decode | hmac_sha256: "k" }}`)).toBe(hmac);
  });

  it('signs tokens that others can verify', () => {
    const token = render('{{ claims | jwt_sign: "secret-key", "HS256" }}', {
      claims: { sub: 'me' },
    }) as string;
    const [header = '', payload = '', signature] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256' });
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({ sub: 'me' });
    expect(signature).toBe(
      createHmac('sha256', 'secret-key').update(`${header}.${payload}`).digest('base64url'),
    );
    expect(() => render('{{ "{}" | jwt_sign: "" }}')).toThrow('jwt_sign: the key is empty');
    expect(() => render('{{ "{}" | jwt_sign: "k", "none" }}')).toThrow('not HS256');
  });
});

describe('patterns', () => {
  cases([
    ['"10.0.0.1, 8.8.8.8" | regex_replace: "(127\\.)|(10\\.)", ""', '0.0.1, 8.8.8.8'],
    ['"https://x.y" | regex_replace: "https?://", "hxxp://"', 'hxxp://x.y'],
    ['"John Smith" | regex_replace: "(\\w+) (\\w+)", "\\2 \\1"', 'Smith John'],
    ['"ab" | regex_replace: "(?<first>a)", "\\k<first>${first}$1\\0$&"', 'a${first}$1a$&b'],
    ['"a\nb" | regex_replace: "^", "> "', '> a\n> b'],
    ['"abc" | regex_replace: "x*", "-"', '-a-b-c-'],
    ['"a\r\nb\tc" | regex_replace: "\\r\\n", "," | regex_replace: "\\t", " "', 'a,b c'],
    ['"aXbx" | regex_replace: "(?i)x"', 'ab'],
    ['"a\nb" | regex_replace: "(?m)a.b", "x"', 'x'],
    ['"DEAD beef" | regex_replace: "\\h+", "#"', '# #'],
    ['"a b" | regex_replace " ", "_"', 'a_b'],
    ['"x" | regex_replace: "(x)|(y)", "[\\2\\9]"', '[]'],
    ['"a2b1c3" | regex_replace: "([a-z])(?=2|3)", "<\\1>"', '<a>2b1<c>3'],
    ['"1:a,2:b" | regex_replace: "(?<=:)[a-z]", "x"', '1:x,2:x'],
  ]);

  it.each(['a(?~b)c', '(a)\\2', '(', '(ab){9000}'])('refuses the pattern %s by name', (pattern) => {
    expect(() => render('{{ "a" | regex_replace: p, "" }}', { p: pattern })).toThrow(
      /^regex_replace: the pattern /,
    );
  });
});

describe('CSV', () => {
  it('gives a list of objects by the names in the first line', () => {
    const csv = '\uFEFFname,note\r\nAnn,"a, ""b"""\r\n\r\nBob\r\n';
    expect(render('{{ csv | csv_parse | as_object }}', { csv })).toEqual([
      { name: 'Ann', note: 'a, "b"' },
      { name: 'Bob', note: '' },
    ]);
  });

  it('takes a separator, and gives lists when there are no names', () => {
    expect(render('{{ csv | csv_parse: ";", headers: false | as_object }}', { csv: 'a;b\n1;2' })).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(render('{{ csv | csv_parse | as_object }}', { csv: '__proto__,b\n1,2' })).toEqual([
      JSON.parse('{"__proto__":"1","b":"2"}'),
    ]);
  });
});
