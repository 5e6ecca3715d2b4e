import * as fc from 'fast-check';
import Joi from 'joi';
import type { Problem } from '../../src/platform/errors.js';
import { attempt, mergedProblems } from '../../src/platform/validation/validate.js';
import { Conflict, Unprocessable } from '../../src/platform/errors.js';
import { inspect, isFaulty } from '../../src/platform/validation/partial-input.js';

const id = Joi.number().integer().positive();
const item = Joi.object({
  id: id.required(),
  word: Joi.string().trim().valid('UP', 'DOWN').insensitive(),
  at: Joi.date().iso(),
});
const thing = Joi.object({
  id: id.required(),
  name: Joi.string().trim().required(),
  size: id.default(7),
  items: Joi.array().items(item).max(5).default([]),
  inner: Joi.object({ a: id.required(), b: id, list: Joi.array().items(id.required()) }),
  one: id,
  other: id,
  extra: Joi.object(),
}).oxor('one', 'other');

const details = (problems: readonly Problem[]) => problems.map((problem) => problem.details);
const at = (place?: string): Problem => ({ message: 'x', ...(place !== undefined && { details: place }) });
const usableOf = (input: unknown) => inspect(thing, input).usable as Record<string, unknown>;

describe('an input with faults', () => {
  it('keeps its other parts, converted as in a whole one', () => {
    const { value, usable, problems } = inspect(thing, {
      id: '5',
      name: 9,
      items: [{ id: '1', word: ' up ' }, { id: 'x', word: 'down' }, 3, { word: 'DOWN', at: '2026-01-01' }],
      inner: { b: '2', list: ['1', 'x', 3] },
      colour: 1,
    });
    expect(value).toBeUndefined();
    expect(details(problems)).toEqual([
      'name',
      'items[1].id',
      'items[2]',
      'items[3].id',
      'inner.a',
      'inner.list[1]',
      'colour',
    ]);
    expect(usable).toEqual({
      id: 5,
      size: 7,
      items: [
        { id: 1, word: 'UP' },
        { word: 'DOWN' },
        undefined,
        { word: 'DOWN', at: new Date('2026-01-01T00:00:00Z') },
      ],
      inner: { b: 2, list: [1, undefined, 3] },
    });
  });

  it('does not show a faulty part as its default, and tells it from an absent one', () => {
    const usable = usableOf({ id: 1, size: 'x', items: 'none' });
    expect(usable).toMatchObject({ id: 1 });
    expect([usable['size'], usable['items'], usable['name']]).toEqual([undefined, undefined, undefined]);
    expect([isFaulty(usable, 'size'), isFaulty(usable, 'items'), isFaulty(usable, 'one')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('loses a list that is too long as a whole', () => {
    const items = Array.from({ length: 6 }, () => ({ id: 1 }));
    expect(usableOf({ id: 1, name: 'a', items })['items']).toBeUndefined();
  });

  it('keeps what only must not stand together', () => {
    expect(usableOf({ id: '1', name: 'a', one: '1', other: '2' })).toMatchObject({ id: 1, one: 1, other: 2 });
  });

  it.each([null, 'text', 5, [1]])('that is %j instead of an object has no parts', (input) => {
    const { usable, problems } = inspect(thing, input);
    expect(usable).toEqual({ size: 7, items: [] });
    expect(problems).toHaveLength(1);
  });

  it('is left as it was', () => {
    const input = { id: 'x', name: 'a', items: [{ id: 'x' }] };
    inspect(thing, input);
    expect(input).toEqual({ id: 'x', name: 'a', items: [{ id: 'x' }] });
  });

  it('without its faults has none but what is missing, whatever came', () => {
    const anything = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.constant(undefined),
      fc.boolean(),
    );
    const anyItem = fc.oneof(
      fc.record({ id: anything, word: anything, at: anything }, { requiredKeys: [] }),
      anything,
    );
    const anyInput = fc.record(
      {
        id: anything,
        name: anything,
        size: anything,
        items: fc.oneof(fc.array(anyItem, { maxLength: 7 }), anything),
        inner: fc.record({ a: anything, b: anything, list: fc.array(anything) }, { requiredKeys: [] }),
        one: anything,
        other: anything,
        odd: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyInput, (input) => {
        const { value, usable, problems } = inspect(thing, input);
        if (problems.length === 0) return expect(usable).toBe(value);
        const again = thing.validate(usable, { abortEarly: false });
        const left = (again.error?.details ?? []).filter(
          ({ type, path }) =>
            !['any.required', 'object.oxor', 'array.sparse'].includes(type) && path[0] !== 'odd',
        );
        return expect(left).toEqual([]);
      }),
    );
  });
});

describe('problems of shape and meaning', () => {
  it('are told together, but nothing more of a place that has no shape, nor of what is in it', () => {
    const shape = [at('a[1]'), at('b'), at()];
    const meaning = [at('a[1].c'), at('a[1]'), at('a'), at('a[10]'), at('b.c[0]'), at('bc'), at()];
    expect(details(mergedProblems(shape, meaning))).toEqual([
      'a[1]',
      'b',
      undefined,
      'a',
      'a[10]',
      'bc',
      undefined,
    ]);
  });

  it('are caught from what refuses; other errors go on', async () => {
    expect(await attempt(() => 5)).toEqual({ value: 5, problems: [] });
    const refuse = () => {
      throw new Unprocessable([at('a')]);
    };
    expect(await attempt(refuse)).toEqual({ value: undefined, problems: [at('a')] });
    await expect(attempt(() => Promise.reject(new Conflict('taken')))).rejects.toThrow('taken');
  });
});
