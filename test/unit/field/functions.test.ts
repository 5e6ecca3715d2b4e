import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const event: JsonObject = {
  place: { city: 'Melbourne', state: 'Victoria', post_code: 3000, country: 'Australia' },
  people: [
    { name: 'John Smith', age: 45, city: 'Melbourne' },
    { name: 'Jane Doe', age: 32, city: 'Sydney', address: '123 Main St' },
    { name: 'Bob Jones', age: 27, city: 'Brisbane' },
  ],
};

const cases = (table: [string, JsonValue][]) =>
  it.each(table)('%s gives %j', (formula, expected) => {
    expect(evaluateFormula(`=${formula}`, event)).toEqual(expected);
  });

describe('A23: functions of the platform that were missing', () => {
  describe('letter case', () => {
    cases([
      ['TITLEIZE("hello world")', 'Hello World'],
      ['TITLEIZE("helloWorld")', 'Hello World'],
      ['TITLEIZE("hello_world")', 'Hello World'],
      ['TITLEIZE("x-men and HTMLPage")', 'X Men And Html Page'],
      ['TITLEIZE("_author_id")', 'Author'],
      ['TITLEIZE("today\'s élan")', "Today's Élan"],
      ['TITLEIZE("")', ''],
      ['CAMELIZE("hello_world")', 'helloWorld'],
      ['CAMELIZE("foo bar")', 'fooBar'],
      ['TO_SNAKE_CASE("Hello World!")', 'hello_world'],
      ['TO_SNAKE_CASE("Testing-1 2 3")', 'testing_1_2_3'],
    ]);
  });

  describe('CSV of lists', () => {
    cases([
      ['TO_CSV([[1, 2], [3, 4], [5, 6]])', '1, 2\n3, 4\n5, 6\n'],
      ['TO_CSV([["city", "state"], ["New York City", "NY"]])', 'city, state\n"New York City", NY\n'],
      ["TO_CSV([['a,b', NULL, 'say \"x\"']])", '"a,b", , "say ""x"""\n'],
      ['TO_CSV([])', ''],
      [
        'CSV_PARSE(TO_CSV([["a b", "c,d"], [1, ""]]))',
        [
          ['a b', 'c,d'],
          ['1', ''],
        ],
      ],
    ]);
  });

  describe('XML', () => {
    cases([
      [
        'TO_XML(place)',
        `${HEAD}<hash>\n  <city>Melbourne</city>\n  <state>Victoria</state>\n  <post-code type="integer">3000</post-code>\n  <country>Australia</country>\n</hash>\n`,
      ],
      ['TO_XML({a: 1.5}, "Data")', `${HEAD}<Data>\n  <a type="float">1.5</a>\n</Data>\n`],
      ['TO_XML({a: ""}, root_element_name: "x y")', `${HEAD}<x-y>\n  <a></a>\n</x-y>\n`],
      [
        'TO_XML({n: NULL, t: TRUE, tags: ["a", {b: "<&>"}], boxes: []})',
        `${HEAD}<hash>\n  <n nil="true"/>\n  <t type="boolean">true</t>\n  <tags type="array">\n    <tag>a</tag>\n    <tag>\n      <b>&lt;&amp;&gt;</b>\n    </tag>\n  </tags>\n  <boxes type="array"/>\n</hash>\n`,
      ],
      [
        'TO_XML([{a: "b"}])',
        `${HEAD}<objects type="array">\n  <object>\n    <a>b</a>\n  </object>\n</objects>\n`,
      ],
      ['XML_PARSE(TO_XML({a: {b: "x & y"}}, "r"))', { r: { a: { b: 'x & y' } } }],
    ]);

    it.each([
      ['entries', 'entry'],
      ['addresses', 'address'],
      ['boxes', 'box'],
      ['statuses', 'status'],
      ['status', 'status'],
      ['people', 'person'],
      ['list', 'list'],
      ['s', 's'],
    ])('names the elements of %s %s', (list, element) => {
      expect(evaluateFormula(`=TO_XML({"${list}": [""]})`, {})).toContain(`    <${element}></${element}>\n`);
    });

    it.each([
      ['a name with what XML does not allow', { '1<a b="c">': '' }, '<_1_a-b__c__></_1_a-b__c__>'],
      ['an empty name', { '': 'x' }, '<_>x</_>'],
      ['characters that XML cannot hold', { a: 'x\u0000\u001b\ud800y\tz' }, '<a>x\ufffd\ufffd\ufffdy\tz</a>'],
    ])('writes %s harmlessly', (_, value, line) => {
      expect(evaluateFormula('=TO_XML(value)', { value })).toBe(`${HEAD}<hash>\n  ${line}\n</hash>\n`);
    });

    it.each(['TO_XML("a")', 'TO_XML(NULL)', 'TO_XML(LAMBDA(x, x))'])('%s says what is needed', (formula) => {
      expect(() => evaluateFormula(`=${formula}`, {})).toThrow('an object or a list is required');
    });
  });

  describe('values that the platform documents', () => {
    cases([
      [
        'OBJECTS_TO_CSV(people, ["name", "age", "address"])',
        'name,age,address\nJohn Smith,45,\nJane Doe,32,123 Main St\nBob Jones,27,',
      ],
      ['OBJECTS_TO_CSV([{a: 1}], headers: ["b", "a"])', 'b,a\n,1'],
      ['OBJECTS_TO_CSV([{a: 1, b: 2}], ["a", "b"], separator: ";")', 'a;b\n1;2'],
      ['OBJECTS_TO_CSV([{a: 1, b: 2}], ";")', 'a;b\n1;2'],
      ['OBJECTS_TO_CSV([{a: 1, b: 2}], separator: ";")', 'a;b\n1;2'],
      ['OBJECTS_TO_CSV([], ["a", "b"])', 'a,b'],
      ['ROUND(2435.135433, precision: 2)', 2435.14],
      ['ROUND(2435.135433, digits: 2)', 2435.14],
      ['IF(FALSE, 1, value_if_false: 2)', 2],
    ]);

    it('takes a value once, whatever its name', () => {
      expect(() => evaluateFormula('=ROUND(1.5, digits: 1, precision: 1)', {})).toThrow(
        'ROUND got precision twice',
      );
    });
  });
});
