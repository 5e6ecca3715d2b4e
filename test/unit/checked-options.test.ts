import { array, assert as assertProperty, constantFrom, dictionary, property, tuple } from 'fast-check';
import Joi from 'joi';
import { createCheckedOptions } from '../../src/agents/options/checked-options.js';
import { MODES } from '../../src/agents/event-transformation/modes.js';
import { AGENT_TYPES } from '../../src/agents/index.js';
import { oneOf, readOptions } from '../../src/agents/options/options.js';
import { messageOf } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';

const SCHEMA = Joi.object({
  guid_path: Joi.any().required(),
  size_path: Joi.number().integer().min(1),
  limit: Joi.number().default(500),
}).unknown(true);

const found = (kept: JsonObject, asked: JsonObject, schema: Joi.ObjectSchema = SCHEMA) => {
  const options = createCheckedOptions(schema);
  options?.keep(kept, schema.validate(kept).value as JsonObject);
  return options?.find(asked);
};

describe('what a schema found right is not asked for again', () => {
  test('where only what may be anything has changed', () => {
    expect(
      found({ guid_path: 'a', size_path: '5', more: 1 }, { guid_path: ['b'], size_path: '5', other: {} }),
    ).toEqual({ guid_path: ['b'], size_path: 5, other: {}, limit: 500 });
  });

  test.each<[string, JsonObject]>([
    ['another value', { guid_path: 'a', size_path: '6' }],
    ['the same as a number', { guid_path: 'a', size_path: 5 }],
    ['a value that was absent', { guid_path: 'a', size_path: '5', limit: '1' }],
    ['a value that is absent now', { guid_path: 'a' }],
    ['null', { guid_path: 'a', size_path: null }],
    ['a list', { guid_path: 'a', size_path: [] }],
    ['a required key that is absent, though it may be anything', { size_path: '5' }],
  ])('but it is for %s', (_what, asked) => {
    expect(found({ guid_path: 'a', size_path: '5' }, asked)).toBeUndefined();
  });

  test('but it is where the schema made a list or an object: two actions may not share one', () => {
    const schema = Joi.object({ errors: Joi.any().custom(() => [400]) }).unknown(true);
    expect(found({ errors: 'yes' }, { errors: 'yes' }, schema)).toBeUndefined();
    expect(found({}, {}, schema)).toEqual({});
  });

  test.each([
    ['texts', Joi.string()],
    ['what becomes text', Joi.any().custom((text: string) => text.trim())],
  ])('but it is for %s: it may hold a credential', (_what, text) => {
    const schema = Joi.object({ secret: text, limit: Joi.number() }).unknown(true);
    expect(found({ secret: 's3cret', limit: 5 }, { secret: 's3cret', limit: 5 }, schema)).toBeUndefined();
    expect(found({ limit: 5 }, { limit: 5 }, schema)).toEqual({ limit: 5 });
  });

  test('also where words of ours are all the text there is', () => {
    const schema = Joi.object({ mode: oneOf(['implode', 'explode']).required() }).unknown(true);
    expect(found({ mode: 'implode' }, { mode: 'implode', more: 1 }, schema)).toEqual({
      mode: 'implode',
      more: 1,
    });
    expect(found({ mode: 'implode' }, { mode: 'explode' }, schema)).toBeUndefined();
    expect(found({ mode: ' implode ' }, { mode: ' implode ' }, schema)).toBeUndefined();
    expect(found({ mode: 's3cret' }, { mode: 's3cret' }, schema)).toBeUndefined();
  });

  test('but it is for long texts', () => {
    const long = { guid_path: 'a', size_path: `5${' '.repeat(200)}` };
    expect(found(long, long)).toBeUndefined();
  });

  test.each<[string, Joi.ObjectSchema]>([
    ['that knows all its keys', Joi.object({ a: Joi.any() })],
    ['with a rule about several keys', Joi.object({ a: Joi.any(), b: Joi.any() }).or('a', 'b').unknown(true)],
    [
      'with a key that depends on one that may be anything',
      Joi.object({ a: Joi.any(), b: Joi.any().when('a', { is: 1, otherwise: Joi.required() }) }).unknown(
        true,
      ),
    ],
  ])('but a schema is always asked %s', (_what, schema) => {
    expect(createCheckedOptions(schema)).toBeUndefined();
  });
});

/** For options of all types: their values for texts, and values that count as absent. */
const VALUES: JsonValue[] = [
  '',
  null,
  '5',
  5,
  0,
  '-1',
  ' explode ',
  'post',
  true,
  'no',
  'a@example.test',
  [],
  ['a'],
  {},
  'x'.repeat(150),
];

describe('options that were found right before are read as at the first time', () => {
  const schemas = [
    ...[...AGENT_TYPES].map(([type, { options }]) => [type, options] as const),
    ...[...MODES].map(([mode, { options }]) => [`mode ${mode}`, options] as const),
  ];

  test.each(schemas)('%s', (_what, schema) => {
    const names = [...Object.keys((schema.describe() as { keys?: object }).keys ?? {}), 'other'];
    const options = dictionary(constantFrom(...names), constantFrom(...VALUES));
    const readAs = (rendered: JsonObject) => {
      try {
        return JSON.stringify(readOptions(schema as Joi.Schema<unknown>, rendered));
      } catch (error) {
        return messageOf(error);
      }
    };
    /** Reads with a schema of which nothing is kept yet. */
    const readAnew = (rendered: JsonObject) => {
      const { error, value } = schema.validate(rendered) as Joi.ValidationResult;
      return error === undefined ? JSON.stringify(value) : undefined;
    };
    assertProperty(
      property(tuple(options, array(options, { maxLength: 3 })), ([first, others]) => {
        for (const rendered of [first, ...others, first]) {
          const anew = readAnew(rendered);
          const read = readAs(rendered);
          if (anew === undefined) expect(read).toMatch(/^option /);
          else expect(read).toBe(anew);
        }
      }),
      { numRuns: 300 },
    );
  });
});
