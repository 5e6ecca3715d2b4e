import { mismatchesOf } from '../../../src/trial/tests/match-value.js';
import type { JsonValue } from '../../../src/platform/json.js';
import { exactly } from '../../../src/stories/tests/value-matcher.js';

const paths = (expected: JsonValue, found: JsonValue | undefined) =>
  mismatchesOf(expected, found).map(({ path }) => path);

describe('stories as software: expected values', () => {
  it.each<[string, JsonValue, JsonValue | undefined]>([
    ['equal values', { a: [1, 'x', null, true] }, { a: [1, 'x', null, true] }],
    ['keys that are not named', { a: 1 }, { a: 1, b: 2 }],
    ['any value', { a: { $any: true } }, { a: null }],
    ['an absent key', { a: { $absent: true } }, { b: 1 }],
    ['a type', { a: { $type: 'number' }, b: { $type: 'list' } }, { a: 1.5, b: [] }],
    ['a time', { $type: 'time' }, '2026-11-30T10:00:00.123Z'],
    ['a guid', { $type: 'guid' }, '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['a pattern', { $pattern: '^INC-\\d+$' }, 'INC-42'],
    ['a part of a text', { $contains: 'igh' }, 'High'],
    ['an element of a list', { $contains: { id: 2 } }, [{ id: 1 }, { id: 2, x: 1 }]],
    ['several elements', { $contains: ['b', 'a'] }, ['a', 'b', 'c']],
    ['exactly this value', { $equal: { $any: true } }, { $any: true }],
    ['an object with a key that no matcher alone has', { $any: 1, b: 2 }, { $any: 1, b: 2 }],
  ])('match %s', (_what, expected, found) => {
    expect(mismatchesOf(expected, found)).toEqual([]);
  });

  it.each<[string, JsonValue, JsonValue | undefined, string[]]>([
    ['another value', { a: { b: 1 } }, { a: { b: '1' } }, ['a.b']],
    ['a key that lacks', { a: 1 }, {}, ['a']],
    ['a list of another length', { a: [1] }, { a: [1, 2] }, ['a']],
    ['items of a list', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, ['a[1].b']],
    ['a key that must lack', { a: { $absent: true } }, { a: null }, ['a']],
    ['any value that lacks', { a: { $any: true } }, {}, ['a']],
    ['another type', { $type: 'text' }, 1, ['']],
    ['no time', { $type: 'time' }, 'tomorrow', ['']],
    ['no pattern', { $pattern: '^b' }, 'a', ['']],
    [
      'a pattern of what is no text',
      [1, true, null, {}].map(() => ({ $pattern: '.' })),
      [1, true, null, {}],
      ['[0]', '[1]', '[2]', '[3]'],
    ],
    ['more keys than exactly these', { $equal: { a: 1 } }, { a: 1, b: 2 }, ['']],
    ['a lacking element', { $contains: 3 }, [1, 2], ['']],
    ['an own key alone', { constructor: { $any: true } }, {}, ['constructor']],
  ])('differ by %s', (_what, expected, found, at) => {
    expect(paths(expected, found)).toEqual(at);
  });

  it('has at most 50 places', () => {
    const list = Array.from({ length: 200 }, (_, index) => index);
    expect(paths(list, list.map(String))).toHaveLength(50);
  });

  it('match a value as it was found, also one that looks like a matcher', () => {
    const found = { a: { $any: true }, b: [{ $type: 'text' }], c: { $x: 1 } };
    expect(mismatchesOf(exactly(found), found)).toEqual([]);
    expect(paths(exactly(found), { ...found, a: 5 })).toEqual(['a']);
  });
});
