import { assert as assertProperty, jsonValue, property } from 'fast-check';
import type { JsonValue } from '../../src/platform/json.js';
import { stringifyJson } from '../../src/platform/json/exact-number.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { SHOWN, shownValue } from '../../src/trial/previews/shown-value.js';

const pretty = (value: JsonValue) => (typeof value === 'string' ? value : stringifyJson(value, 2));

describe('a value that is shown', () => {
  it.each<[JsonValue, object]>([
    ['Ada', { value: 'Ada', type: 'text', size: 3, truncated: false }],
    ['', { value: '', type: 'text', size: 0, truncated: false }],
    ['😀', { value: '😀', type: 'text', size: 1, truncated: false }],
    [1.5, { value: '1.5', type: 'number', size: null, truncated: false }],
    [false, { value: 'false', type: 'boolean', size: null, truncated: false }],
    [null, { value: 'null', type: 'null', size: null, truncated: false }],
    [[1], { value: '[\n  1\n]', type: 'list', size: 1, truncated: false }],
    [{ a: {} }, { value: '{\n  "a": {}\n}', type: 'object', size: 1, truncated: false }],
  ])('%j has a type and a size', (value, shown) => {
    expect(shownValue(value)).toEqual(shown);
  });

  it('keeps the digits of numbers', () => {
    expect(shownValue(parseJson('12345678901234567890.5'))).toMatchObject({
      value: '12345678901234567890.5',
      type: 'number',
    });
  });

  it('is cut after 2,000 characters, never within one, and after 50 lines', () => {
    expect(shownValue('x'.repeat(2_000))).toMatchObject({ truncated: false });
    expect(shownValue('x'.repeat(2_001))).toMatchObject({
      value: 'x'.repeat(2_000),
      truncated: true,
      size: 2_001,
    });
    expect(shownValue(`x${'😀'.repeat(3_000)}`).value).toBe(`x${'😀'.repeat(1_999)}`);
    expect(shownValue(`${'a\n'.repeat(50)}b`)).toMatchObject({
      value: 'a\n'.repeat(50).trimEnd(),
      truncated: true,
    });
    expect(shownValue(Array.from({ length: 48 }, () => 1)).truncated).toBe(false);
    expect(shownValue(Array.from({ length: 49 }, () => 1))).toMatchObject({ truncated: true, size: 49 });
  });

  it('is the beginning of its JSON, however it is made', () => {
    assertProperty(
      property(jsonValue({ maxDepth: 6 }), (given) => {
        const value = parseJson(JSON.stringify(given));
        const whole = pretty(value);
        const { value: shown, truncated } = shownValue(value);
        expect(whole.startsWith(shown)).toBe(true);
        expect(truncated).toBe(shown.length < whole.length);
        expect(shown.split('\n').length).toBeLessThanOrEqual(SHOWN.lines);
      }),
      { numRuns: 500 },
    );
  });

  it('is written no further than it is shown', () => {
    let read = 0;
    const item = {
      get a() {
        read += 1;
        return 'b';
      },
    };
    shownValue(Array.from({ length: 10_000 }, () => item));
    expect(read).toBeLessThan(100);
  });
});
