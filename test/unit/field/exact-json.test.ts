import { assert, jsonValue, property } from 'fast-check';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import {
  compareNumbers,
  ExactNumber,
  readNumeric,
  stringifyJson,
} from '../../../src/platform/json/exact-number.js';
import { isSortedKey, mergedObjects, orderedObject } from '../../../src/platform/json/ordered-object.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { pack, type Portable, unpack } from '../../../src/platform/json/portable-values.js';
import { emitted } from '../../support/try-event.js';

const again = (text: string) => stringifyJson(parseJson(text));

describe('A1: numbers keep their digits in JSON and in events', () => {
  test('the id of a webhook body is emitted as a number and as a text', async () => {
    const payload = { id: '=hook.id', text: '<<hook.id>>' };
    expect(await emitted('{"id": 7615917337495251231}', payload)).toBe(
      '{"id":7615917337495251231,"text":"7615917337495251231"}',
    );
  });

  test.each([
    '9007199254740993',
    '-7023275401050306076',
    '1432.0531571421431500',
    '0.12345678901234567890123',
    '1E400',
    '1e-400',
    '-1.5e+999',
    '12345678901234567890.0',
    '[18446744073709551615,1,null,"18446744073709551615",{"a":[0.10000000000000001]}]',
    '{"a":{"b":9007199254740993},"c":[]}',
  ])('%s is written as it was read', (text) => {
    expect(again(text)).toBe(text);
    expect(again(` ${text}\n`)).toBe(text);
  });

  test.each([
    ['1.0', 1],
    ['1e5', 100_000],
    ['0.30000000000000004', 0.1 + 0.2],
    ['1e21', 1e21],
    ['12345678901234567000', 12345678901234567000],
    ['0e999999999999999999999', 0],
    ['0.00000000000000000000', 0],
  ])('%s is a plain number', (text, number) => {
    expect(readNumeric(text)).toBe(number);
  });

  test('texts that look like numbers or markers stay texts', () => {
    const text = '{"a":"7615917337495251231","b":"x 12345678901234567, 1e400 ","c":"\\"1e400,","d":1e400}';
    expect(again(text)).toBe(text);
    const marker = stringifyJson({ a: new ExactNumber('1e400') });
    expect(marker).toBe('{"a":1e400}');
    expect(JSON.stringify({ a: new ExactNumber('1e400') })).toBe('{"a":"1e400"}');
  });

  test('errors are those of JSON.parse', () => {
    for (const text of ['{"a": 12345678901234567890', '[1e400,]', '0123456789012345678', '']) {
      const fault = (parse: (given: string) => unknown) => {
        try {
          return parse(text);
        } catch (error) {
          return String(error);
        }
      };
      expect(fault(parseJson)).toBe(fault(JSON.parse));
    }
  });

  test('a value without such numbers is what JSON.parse gives', () => {
    assert(
      property(jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyJson(parseJson(text))).toBe(text);
        // Makes the exact parser read it.
        expect(stringifyJson(parseJson(`[1e400,${text}]`))).toBe(`[1e400,${text}]`);
      }),
    );
  });

  test('deep texts need no stack', () => {
    const text = `${'['.repeat(50_000)}1e400${']'.repeat(50_000)}`;
    expect(() => parseJson(text)).not.toThrow();
  });

  test.each([
    ['9007199254740993', '9007199254740992', 1],
    ['-9007199254740993', '-9007199254740992', -1],
    ['1e400', '1e-400', 1],
    ['-1e400', '1', -1],
    ['9007199254740993.0', '9007199254740993', 0],
    ['1e1000000000000', '1e999999999999', 1],
    ['0.10000000000000001', '0.1', 1],
    ['1.0e400', '10e399', 0],
  ])('%s and %s are in order', (left, right, order) => {
    expect(Math.sign(compareNumbers(readNumeric(left), readNumeric(right)))).toBe(order);
    expect(Math.sign(compareNumbers(readNumeric(right), readNumeric(left)))).toBe(order === 0 ? 0 : -order);
  });

  test('they come through a thread', () => {
    const { port1, port2 } = new MessageChannel();
    const text = '{"b":[1e400,{"9":1,"1":9007199254740993}],"10":{"a":0.12345678901234567},"2":null}';
    port1.postMessage(pack({ value: parseJson(text), bytes: new Uint8Array(2) }));
    const message = receiveMessageOnPort(port2)?.message as Portable;
    port1.close();
    expect(stringifyJson((unpack(message) as { value: unknown }).value)).toBe(text);
    const plain = { a: [1, { b: 'x' }] };
    expect(pack(plain)).toEqual({ value: plain, isPacked: false });
    expect(pack(plain).value).toBe(plain);
  });
});

describe('A12: keys keep their order, whole numbers too', () => {
  test('of a webhook body, in values and in functions', async () => {
    const payload = { o: '=hook.o', keys: '=JOIN(KEYS(hook.o), " ")' };
    expect(await emitted('{"o":{"b":1,"10":2,"9":3,"a":4}}', payload)).toBe(
      '{"o":{"b":1,"10":2,"9":3,"a":4},"keys":"b 10 9 a"}',
    );
  });

  test.each([
    '{"b":1,"10":2,"9":3,"a":4}',
    '{"2024":{"2":1,"1":{"z":1,"0":2}},"2023":[{"1":1,"0":0}]}',
    '{"__proto__":{"9":1,"8":2},"7":1,"6":2}',
    '{"\\u0041":1,"5":2,"4":3}'.replace('\\u0041', 'A'),
    '{"4294967295":1,"4294967294":2,"1.5":3,"01":4,"0":5}',
  ])('%s', (text) => {
    expect(again(text)).toBe(text);
  });

  test('escaped digits are keys like others', () => {
    expect(again('{"\\u0031":1,"\\u0030":2}')).toBe('{"1":1,"0":2}');
  });

  test('of equal keys the last value counts, at the place of the first', () => {
    expect(again('{"9":1,"b":2,"1":3,"9":4}')).toBe('{"9":4,"b":2,"1":3}');
  });

  test('keys can be added, changed and removed', () => {
    const object = orderedObject<number>([
      ['b', 1],
      ['2', 2],
      ['1', 3],
    ]);
    object.a = 4;
    object['0'] = 5;
    object.b = 6;
    delete object['2'];
    expect(stringifyJson(object)).toBe('{"b":6,"1":3,"a":4,"0":5}');
    expect(Object.entries(object)).toEqual([
      ['b', 6],
      ['1', 3],
      ['a', 4],
      ['0', 5],
    ]);
    expect(stringifyJson(mergedObjects(object, { '1': 7, '3': 8 }))).toBe('{"b":6,"1":7,"a":4,"0":5,"3":8}');
  });

  test('only what JavaScript sorts counts as such a key', () => {
    expect(['0', '10', '4294967294', '4294967295', '01', '-1', '1.5', '', 'a'].filter(isSortedKey)).toEqual([
      '0',
      '10',
      '4294967294',
    ]);
  });

  test.each([
    ['=OBJECT("b", 1, "10", 2, "9", 3)', '{"b":1,"10":2,"9":3}'],
    ['={b: 1, "10": 2, "9": 3}', '{"b":1,"10":2,"9":3}'],
    ['=MERGE(hook.o, {"5": 1})', '{"b":1,"10":2,"9":3,"5":1}'],
    ['=SET(hook.o, "5", 1)', '{"b":1,"10":2,"9":3,"5":1}'],
    ['=DEEP_MERGE(hook.o, {"5": 1})', '{"b":1,"10":2,"9":3,"5":1}'],
    ['=FROM_ENTRIES([["b", 1], ["10", 2], ["9", 3]])', '{"b":1,"10":2,"9":3}'],
    ['=FROM_ENTRIES(ENTRIES(hook.o))', '{"b":1,"10":2,"9":3}'],
    ['=MAP_VALUES(hook.o, LAMBDA(x, x))', '{"b":1,"10":2,"9":3}'],
    ['=OMIT(hook.o, "b")', '{"10":2,"9":3}'],
    ['=JSON_PARSE(hook.text)', '{"b":1,"10":2,"9":3}'],
    ['=JSON_PARSE(TO_JSON(hook.o))', '{"b":1,"10":2,"9":3}'],
    ['=GROUP_BY(hook.list, "year")', '{"2024":[{"year":2024}],"2023":[{"year":2023}]}'],
    ['=TALLY(["b", "10", "9", "b"])', '{"b":2,"10":1,"9":1}'],
    ['=CSV_PARSE_TO_OBJECTS("2024,2023\\n1,2")', '[{"2024":"1","2023":"2"}]'],
    ['=OBJECTS_TO_CSV([hook.o])', '"b,10,9\\n1,2,3"'],
    ['=VALUES(hook.o)', '[1,2,3]'],
  ])('%s', async (formula, right) => {
    const event =
      '{"o":{"b":1,"10":2,"9":3},"text":"{\\"b\\":1,\\"10\\":2,\\"9\\":3}","list":[{"year":2024},{"year":2023}]}';
    expect(await emitted(event, { x: formula })).toBe(`{"x":${right}}`);
  });

  test('in a loop over an object, in both languages', async () => {
    const event = '{"o":{"b":1,"10":2,"9":3}}';
    const formula = '<% for e in hook.o %><<e.key>>=<<e.value>> <% endfor %>';
    const liquid = '{% for e in hook.o %}{{ e[0] }}={{ e[1] }} {% endfor %}';
    expect(await emitted(event, { x: formula })).toBe('{"x":"b=1 10=2 9=3 "}');
    expect(await emitted(event, { x: liquid }, 3)).toBe('{"x":"b=1 10=2 9=3 "}');
  });

  test('of options and payloads', async () => {
    expect(await emitted('{}', { b: 'x', '10': '<<1>>', '9': { '1': 'a', '0': 'b' } })).toBe(
      '{"9":{"0":"b","1":"a"},"10":"1","b":"x"}',
    );
  });
});
