import { idField } from '../../../src/platform/http/address/path-id.js';
import { asType } from '../../../src/data/resources/resource-value.js';

describe('B16: ids are digits', () => {
  test.each(['1e0', '1.0', '+1', '-1', '0x1', '', '0'])('%j is none', (text) => {
    expect(idField.required().validate(text).error).toBeDefined();
  });

  test.each([
    ['1', 1],
    [7, 7],
    ['0012', 12],
  ])('%j is one', (given, id) => {
    expect(idField.validate(given)).toEqual({ value: id });
  });
});

describe('B16: resources of the type json', () => {
  test.each([[{ a: 1 }], [[1]]])('%j is taken, also as text', (value) => {
    expect(asType(value, 'json')).toEqual(value);
    expect(asType(JSON.stringify(value), 'json')).toEqual(value);
  });

  test('a text is not', () => {
    expect(() => asType('plain', 'json')).toThrow('value_type');
  });
});
