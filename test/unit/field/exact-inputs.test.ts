import Joi from 'joi';
import { readFieldValue } from '../../../src/data/records/field-value.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { jsonObject } from '../../../src/platform/validation/json-object.js';
import { inspect } from '../../../src/platform/validation/partial-input.js';
import { check } from '../../../src/platform/validation/validate.js';
import { append, replace } from '../../../src/data/resources/resource-parts.js';

const BIG = '12345678901234567890';

describe('A1: bodies of the API keep digits and order, and refuse numbers where they do not fit', () => {
  const schema = Joi.object({
    name: Joi.string().required(),
    metadata: jsonObject(),
    place: Joi.object({ row: Joi.number(), column: Joi.number() }),
  });
  const METADATA = `{"b":${BIG},"2":1,"1":{"z":1e400,"0":[0.12345678901234567]}}`;

  test('free JSON is kept as it came', () => {
    const { value } = check(schema, parseJson(`{"name":"x","metadata":${METADATA}}`));
    expect(stringifyJson(value)).toBe(`{"name":"x","metadata":${METADATA}}`);
  });

  test('also beside a fault', () => {
    const { usable, problems } = inspect(
      schema,
      parseJson(`{"name":5,"metadata":${METADATA},"place":{"row":1}}`),
    );
    expect(problems).toEqual([{ message: '"name" must be a string', details: 'name' }]);
    expect(stringifyJson((usable as { metadata: unknown }).metadata)).toBe(METADATA);
  });

  test.each([
    ['metadata', `{"name":"x","metadata":${BIG}}`],
    ['place', `{"name":"x","place":${BIG}}`],
    ['place.row', `{"name":"x","place":{"row":${BIG}}}`],
  ])('a long number is no %s', (details, text) => {
    expect(check(schema, parseJson(text)).problems).toEqual([expect.objectContaining({ details })]);
  });

  test('nor is it a whole body', () => {
    expect(check(Joi.object({ name: Joi.string() }), parseJson(BIG)).problems).toHaveLength(1);
  });

  test('a NUMBER of a record that MySQL would round is refused', () => {
    const field = { resultType: 'NUMBER' as const, fixedValues: [] };
    expect(readFieldValue(field, parseJson(BIG))).toHaveProperty('problem');
    expect(readFieldValue(field, parseJson('9007199254740991'))).toEqual({ value: 9007199254740991 });
  });

  test('parts of a resource keep their order', () => {
    const resource = parseJson('{"b":1,"10":2,"9":3}');
    expect(stringifyJson(append(resource, parseJson(`{"1":${BIG}}`)))).toBe(
      `{"b":1,"10":2,"9":3,"1":${BIG}}`,
    );
    const { value } = replace(resource, { key: '10' }, { element: parseJson(BIG) });
    expect(stringifyJson(value)).toBe(`{"b":1,"10":${BIG},"9":3}`);
  });
});
