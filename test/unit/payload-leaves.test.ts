import { parseJson } from '../../src/platform/json/parse-json.js';
import { comparedText, holdsText, leavesOf } from '../../src/observe/search/values/payload-leaves.js';
import { leafDigest, matchDigests } from '../../src/observe/search/values/value-digest.js';
import { restAfter } from '../../src/observe/search/values/value-indexer.js';

const leaves = (json: string) => [...leavesOf(parseJson(json))].map(({ path, text }) => `${path} ${text}`);

it('takes texts, numbers and booleans, those near the top first', () => {
  const json = '{"a":{"b":[{"c":1},{"c":2}]},"d":"x","e":true,"f":null,"g":"","h":9007199254740993,"i":[3]}';
  expect(leaves(json)).toEqual([
    '$."d" x',
    '$."e" true',
    '$."h" 9007199254740993',
    '$."i"[*] 3',
    '$."a"."b"[*]."c" 1',
    '$."a"."b"[*]."c" 2',
  ]);
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const long = (length: number) => JSON.stringify({ a: 'x'.repeat(length) });

it('leaves out what is deep, long, or authenticates', () => {
  expect([leaves(deep(8)).length, leaves(deep(9)).length]).toEqual([1, 0]);
  expect([leaves(long(256)).length, leaves(long(257)).length]).toEqual([1, 0]);
  expect(leaves('{"headers":{"Authorization":"t","cookie":["c"],"host":"h"}}')).toEqual([
    '$."headers"."host" h',
  ]);
});

it('looks at a bounded part of a long list', () => {
  const list = JSON.stringify(Array.from({ length: 20_000 }, (_value, n) => n));
  expect(leaves(list).length).toBeLessThan(5_001);
});

it.each([
  ['a  ', 'a'],
  [' a', ' a'],
  ['1.50', '1.5'],
  ['-0.10', '-0.1'],
  ['1e2', '100'],
  ['007', '007'],
  ['9007199254740993', '9007199254740993'],
  ['1.', '1.'],
])('compares %j as %j', (text, compared) => {
  expect(comparedText(text)).toBe(compared);
});

it('looks through a whole payload for a text', () => {
  const payload = parseJson('{"a":[{"b":"A-1"},[2.50,false,null]],"c":{"d":{"e":"deep"}}}');
  expect(['A-1', '2.5', 'false', 'deep'].map((text) => holdsText(payload, text))).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect(['a', 'A', 'null', '2', ''].map((text) => holdsText(payload, text))).toEqual(
    Array.from({ length: 5 }, () => false),
  );
});

const leaf = { path: '$."a"[*]."b"', text: 'x' };

it('asks for a place by its digest, and for any place by a range of them', () => {
  const digest = leafDigest(1, leaf);
  expect(digest).toHaveLength(10);
  expect(matchDigests(1, { path: '$."a"[17]."b"', value: 'x ' })).toEqual({ first: digest, last: digest });
  const { first, last } = matchDigests(1, { path: undefined, value: 'x' })!;
  for (const path of ['$', '$."a"', leaf.path]) {
    const found = leafDigest(1, { ...leaf, path });
    expect([found.compare(first) >= 0, found.compare(last) <= 0]).toEqual([true, true]);
  }
  expect(leafDigest(2, leaf).compare(last) <= 0 && leafDigest(2, leaf).compare(first) >= 0).toBe(false);
});

it.each([
  ['$."a"', undefined],
  ['$."a"', ''],
  ['$."a"', 'null'],
  ['$."a"', '{"b": 1}'],
  ['$."a"', '[1]'],
  ['$."a"', 'x'.repeat(257)],
  ['$."headers"."authorization"', 'x'],
  ['$."a"."b"."c"."d"."e"."f"."g"."h"."i"', 'x'],
])('has no digest for %s = %j, which the index cannot have', (path, value) => {
  expect(matchDigests(1, { path, value })).toBeUndefined();
});

it('rests so long that a second has 200 runs, and that three quarters of the time are left to others', () => {
  expect(restAfter({ runs: 100, tookMs: 50 })).toBe(450);
  expect(restAfter({ runs: 100, tookMs: 400 })).toBe(1_200);
});
