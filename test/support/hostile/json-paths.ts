import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { type Expected, type HostileCase, type HostileFamily, liquid } from './hostile-case.js';
import { filled, nestedList, numbers, rows } from './hostile-data.js';

const TIME = /took too long to render/;

/** How many values the path finds. */
const path = (name: string, given: Expected & { path: string; in: () => JsonValue }): HostileCase => {
  const event = (): JsonObject => ({ path: given.path, value: given.in() });
  return liquid(name, '{{ value | jsonpath: path | size }}', { ...given, event });
};

const chains = () => numbers(5_000).map(() => nestedList(150));

/** JSONPaths, in a filter. */
export const jsonPaths: HostileFamily = {
  name: 'JSONPaths that look everywhere',
  limitMs: MAX_RENDER_MS,
  cases: [
    path('too many descents', {
      path: '$..*..*..*..*',
      in: () => rows(1_000),
      stops: /jsonpath: "\$\.\.\*\.\.\*\.\.\*\.\.\*" has more than 3 times "\.\."/,
    }),
    path('descents into deep values', { path: '$..*..*..zz', in: chains, stops: TIME }),
    path('a descent through millions of values', {
      path: '$..zz..zz',
      in: () => numbers(3_000_000),
      fastEnough: '0',
      stops: TIME,
    }),
    path('every value of millions', {
      path: '$[*]',
      in: () => numbers(3_000_000),
      stops: /finds more than 100000 values/,
    }),
    path('the same element six times, thirty levels deep', {
      path: `$${'[0,0,0,0,0,0]'.repeat(30)}.x`,
      in: () => nestedList(40),
      stops: TIME,
    }),
    path('the same slice three times, sixty levels deep', {
      path: `$${'[::1,::-1,0:1]'.repeat(60)}`,
      in: () => nestedList(70),
      stops: /finds more than 100000 values|took too long/,
    }),
    path('the same element four times inside a filter', {
      path: `$[?@${'[0,0,0,0]'.repeat(40)}]`,
      in: () => [nestedList(50)],
      stops: TIME,
    }),
    path('a filter that counts the whole document', {
      path: '$[?count($..*) > 5]',
      in: () => numbers(3_000),
      stops: TIME,
      fastEnough: '3000',
    }),
    path('a filter that takes the value of the whole document', {
      path: '$[?value($..*) == 1]',
      in: () => numbers(3_000),
      stops: TIME,
      fastEnough: '0',
    }),
    path('a filter in a filter that counts the document', {
      path: '$[?@[?count($..*) > 1]]',
      in: () => [numbers(3_000)],
      stops: TIME,
      fastEnough: '1',
    }),
    path('a filter that looks back in a large document', {
      path: '$[?count($..*) > @.n]',
      in: () => rows(90_000),
      stops: /value for this path is larger than 20000 characters/,
    }),
    path('filters in filters in a large document', {
      path: '$[?@[?@[?@..n]]]',
      in: () => rows(90_000),
      stops: /value for this path is larger than 20000 characters/,
    }),
    path('filters in filters', {
      path: '$[?@[?@[?@..n]]]',
      in: () => [[numbers(1_500).map(() => [1])]],
      gives: '0',
    }),
    path('a filter of a hundred comparisons', {
      path: `$[?${Array.from({ length: 100 }, () => '@.n==9').join('||')}]`,
      in: () => rows(90_000),
      fastEnough: '0',
      stops: TIME,
    }),
    path('a pattern that would backtrack', {
      path: "$[?search(@.s, '^(x+)+$')]",
      in: () => rows(2_000),
      gives: '0',
    }),
    path('a dear pattern for each element', {
      path: "$[?search(@.s, '(?:a?){500}[bc]')]",
      in: () => numbers(50_000).map(() => ({ s: 'a'.repeat(5_000) })),
      stops: /took too long|larger than 16777216/,
    }),
    path('a pattern that is none', {
      path: "$[?match(@.s, '(')]",
      in: () => rows(10),
      stops: /jsonpath: the pattern .* cannot be used/,
    }),
    path('parentheses in a filter', {
      path: `$[?${'('.repeat(490)}@${')'.repeat(490)}]`,
      in: () => [1],
      gives: '1',
    }),
    path('denials in a filter', { path: `$[?${'!'.repeat(900)}@]`, in: () => [1], gives: '1' }),
    path('brackets alone', {
      path: `$${'['.repeat(900)}`,
      in: () => [1],
      stops: /^jsonpath: "\$\[+…" is not a JSONPath: /,
    }),
    path('a path that is too long', {
      path: `$${'.a'.repeat(900)}`,
      in: () => [1],
      stops: /jsonpath: the path is too long/,
    }),
    path('an index beyond all indexes', {
      path: '$[99999999999999999999]',
      in: () => [1],
      stops: /is not a JSONPath: /,
    }),
    path('a step of nothing', { path: '$[::0]', in: () => [1, 2], gives: '0' }),
    path('a document that is too large', {
      path: '$..x',
      in: () => [filled('x', 9_000_000), filled('y', 9_000_000)],
      stops: /value for this path is larger than 16777216 characters/,
    }),
    path('a prototype', { path: '$.__proto__', in: () => ({ a: 1 }), gives: '0' }),
    path('a class', { path: '$..constructor', in: () => ({ a: [1, { b: 's' }] }), gives: '0' }),
    path('the length of a list', { path: '$.length', in: () => [1, 2, 3], gives: '0' }),
  ],
};
