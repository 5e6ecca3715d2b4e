import * as fc from 'fast-check';
import { stringifyJson } from '../../src/platform/json/exact-number.js';
import { jsonLines, objectOfLines } from '../../src/platform/json/json-lines.js';
import { jsonSteps } from '../../src/platform/json/json-steps.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import type { JsonObject } from '../../src/platform/json.js';
import { atOnce } from '../../src/platform/steps.js';

const long = (items: unknown[]) => ({ story: { agents: Array.from({ length: 200 }, () => items) } });
const again = (object: JsonObject) => atOnce(objectOfLines(jsonLines(object)));

describe('JSON in lines', () => {
  it('S15: has lists in lines of bounded length', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'x\ny' }));
    const lines = jsonLines({ before: 1, list, after: [] }).split('\n');
    expect(lines[0]).toBe('{"before":1,"list":[],"after":[]}');
    expect(lines.length).toBeGreaterThan(5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(70_000);
    expect(again({ before: 1, list, after: [] })).toEqual({ before: 1, list, after: [] });
  });

  it('keeps the order of keys, and all digits', () => {
    const text = '{"b":[{"2":1,"1":12345678901234567890}],"10":[0.1000],"a":{"9":1,"8":[2]},"__proto__":[1]}';
    expect(stringifyJson(again(parseJson(text) as JsonObject))).toBe(text.replace('0.1000', '0.1'));
  });

  it('returns any object as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const json = JSON.parse(JSON.stringify(object)) as JsonObject;
        expect(again(json)).toEqual(json);
      }),
    );
  });
});

describe('JSON in steps', () => {
  it('S15: is a step for each item of a long list', () => {
    let steps = 0;
    for (const _ of jsonSteps(long([1]))) steps += 1;
    expect(steps).toBe(200);
  });

  it('is what is written at once', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }));
    const objects = fc.dictionary(fc.string(), fc.oneof(values, fc.dictionary(fc.string(), values)));
    fc.assert(
      fc.property(objects, fc.array(values), (object, items) => {
        const value = { object, ...long(items) };
        expect(atOnce(jsonSteps(value))).toBe(JSON.stringify(value));
      }),
    );
    expect(atOnce(jsonSteps(undefined))).toBeUndefined();
    const text = '{"b":{"2":1,"1":12345678901234567890},"1":[]}';
    expect(atOnce(jsonSteps(parseJson(text)))).toBe(text);
  });
});
