import { mergedValue } from '../../../../src/console/story-model/changes/merged-value.js';

const BEFORE = { a: 1, list: [{ x: 1 }, { x: 2 }], gone: true };
const merged = (now: unknown, after: unknown, side: 'change' | 'draft' = 'draft', before: unknown = BEFORE) =>
  mergedValue(now, { before, after }, side);

const odd = (text: string): unknown => JSON.parse(`{"__proto__": ${text}, "constructor": 1}`);

describe('a value that two have changed', () => {
  it('is the change itself where nobody else changed it', () => {
    const after = { a: 2 };
    expect(merged({ ...BEFORE }, after)).toBe(after);
  });

  it('has both changes where they are beside each other, in objects and lists', () => {
    const now = { ...BEFORE, b: 1, list: [{ x: 1 }, { x: 9 }] };
    const { gone: _gone, ...after } = { ...BEFORE, list: [{ x: 8 }, { x: 2 }], c: 1 };
    expect(merged(now, after)).toEqual({ a: 1, b: 1, c: 1, list: [{ x: 8 }, { x: 9 }] });
  });

  it('is that of the side where both changed the very same', () => {
    const now = { ...BEFORE, a: 'now', list: [{ x: 1 }] };
    const after = { ...BEFORE, a: 'after', list: [] };
    expect(merged(now, after, 'draft')).toEqual(now);
    expect(merged(now, after, 'change')).toEqual(after);
    expect(merged(now, { ...BEFORE, a: { b: 1 } }, 'change')).toMatchObject({ a: { b: 1 } });
  });

  it('keeps keys that objects have by themselves', () => {
    const whole = merged(odd('{"a": 1, "b": 2}'), odd('{"a": 2}'), 'draft', odd('{"a": 1}'));
    expect(JSON.stringify(whole)).toBe('{"__proto__":{"a":2,"b":2},"constructor":1}');
  });
});
