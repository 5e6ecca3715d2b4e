import Joi from 'joi';
import { withoutEmptyStrangers } from '../../src/platform/validation/strangers.js';

const EMPTY = { list: [], object: {}, text: '', nothing: null };
const thing = Joi.object({ id: Joi.number() });

describe('names of a body that ask for nothing', () => {
  it.each<[string, Joi.Schema, unknown, unknown]>([
    ['an object', thing, { id: 1, ...EMPTY }, { id: 1 }],
    ['a list', Joi.array().items(thing), [{ id: 1, ...EMPTY }], [{ id: 1 }]],
    [
      'alternatives',
      Joi.alternatives(Joi.string(), thing, Joi.object({ at: thing })),
      { at: EMPTY },
      { at: {} },
    ],
    [
      'a condition',
      Joi.object({ kind: Joi.string() }).when('.kind', {
        not: 'b',
        otherwise: Joi.object({ text: Joi.any() }),
      }),
      { kind: 'b', text: '', more: '' },
      { kind: 'b', text: '' },
    ],
    ['an object without any name', Joi.object({}), EMPTY, {}],
  ])('are left out of %s', (_, schema, given, left) => {
    expect(withoutEmptyStrangers(schema, given)).toEqual(left);
    expect(schema.validate(left).error).toBeUndefined();
  });

  it.each<[string, Joi.Schema]>([
    ['any object', Joi.object()],
    ['an object with more names', thing.unknown(true)],
    ['an object with a pattern', thing.pattern(/^x/, Joi.any())],
    ['one alternative that is any object', Joi.alternatives(thing, Joi.object())],
    ['any value', Joi.any()],
  ])('stay in %s', (_, schema) => {
    expect(withoutEmptyStrangers(schema, EMPTY)).toBe(EMPTY);
  });

  it('leave the input as it was', () => {
    const given = { id: 1, inner: {} };
    withoutEmptyStrangers(thing, given);
    expect(given).toEqual({ id: 1, inner: {} });
  });
});
