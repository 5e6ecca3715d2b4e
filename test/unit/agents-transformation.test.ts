import { PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { runType } from '../support/agent-context.js';
import { cpuMsOf } from '../support/cpu-time.js';

const run = (options: JsonObject) => runType('EventTransformation', options);

describe('message_only', () => {
  test.each<[JsonObject, JsonValue]>([
    [{ payload: { a: 1, b: { c: [] } } }, { a: 1, b: { c: [] } }],
    [{ payload: 'text' }, 'text'],
    [{ payload: ['1', 2] }, ['1', 2]],
    [{ payload: '' }, ''],
    [{ payload: null }, null],
    [{ payload: { a: 1 }, loop: false, status: 'ignored' }, { a: 1 }],
    [
      { status: 'Low', message: { x: 1 }, expected_update_period_in_days: '2' },
      { status: 'Low', message: { x: 1 } },
    ],
    [
      { loop: 'false', path: 'p', to: 't' },
      { path: 'p', to: 't' },
    ],
    [{}, {}],
  ])('of %j emits %j', async (options, payload) => {
    expect((await run({ mode: 'message_only', ...options })).payloads).toEqual([payload]);
  });

  test('keeps keys such as __proto__ as plain data', async () => {
    const options = JSON.parse('{"mode":"message_only","payload":{"__proto__":{"x":1}}}') as JsonObject;
    const { payloads } = await run(options);
    expect(JSON.stringify(payloads)).toBe('[{"__proto__":{"x":1}}]');
  });
});

const explode = (path: JsonValue, more: JsonObject = {}) =>
  run({ mode: 'explode', path, to: 'item', ...more });

describe('explode', () => {
  test('emits one event for each element, which share a guid', async () => {
    const { payloads } = await explode(['a', { b: 1 }, null]);
    expect(payloads).toEqual([
      { item: 'a', index: 0, size: 3, guid: 'guid-1' },
      { item: { b: 1 }, index: 1, size: 3, guid: 'guid-1' },
      { item: null, index: 2, size: 3, guid: 'guid-1' },
    ]);
  });

  test('reads a list from JSON text', async () => {
    expect((await explode(' ["a","b"]')).payloads).toHaveLength(2);
  });

  test.each([
    [600, {}, 500],
    [500, {}, 500],
    [10, { limit: '3' }, 3],
    [10, { limit: 3 }, 3],
    [10, { limit: '' }, 10],
  ])('of %i elements with %j emits %i, and says when some are dropped', async (count, more, expected) => {
    const { payloads, logs } = await explode(
      Array.from({ length: count }, (_, index) => index),
      more,
    );
    expect(payloads).toHaveLength(expected);
    expect(payloads[0]).toMatchObject({ size: expected });
    expect(logs).toHaveLength(expected < count ? 1 : 0);
  });

  test.each<[JsonValue, string]>([
    ['text', 'a text'],
    ['', 'empty'],
    [null, 'empty'],
    [{ a: 1 }, 'an object'],
    [5, 'a number'],
    ['[broken', 'a text'],
  ])('of %j emits nothing and says what it is', async (path, kind) => {
    const { payloads, logs } = await explode(path);
    expect(payloads).toEqual([]);
    expect(logs).toEqual([{ level: 'warn', message: `path is ${kind}, not a list: nothing was emitted` }]);
  });

  test('of an empty list emits nothing', async () => {
    expect(await explode([])).toMatchObject({ payloads: [], logs: [] });
  });
});

const extract = (path: JsonValue, regexp: string, more: JsonObject = {}) =>
  run({ mode: 'extract', matchers: [{ path, regexp, to: 'found' }], ...more });

const matcher = (regexp: string, to: string) => ({ path: 'a1', regexp, to });

describe('extract', () => {
  test.each<[JsonValue, string, JsonValue]>([
    ['10.0.0.1 and 10.0.0.2', '\\b(?:[0-9]{1,3}\\.){3}[0-9]{1,3}\\b', ['10.0.0.1', '10.0.0.2']],
    ['bob@tines.io', '@(.*\\.*)', [['tines.io']]],
    [
      'https://www.example.com/a',
      '^(?:https?:\\/\\/)?(?:[^@\\n]+@)?(?:www\\.)?([^:\\/\\n?]+)',
      [['example.com']],
    ],
    [
      'ab',
      '(a)|(b)',
      [
        ['a', null],
        [null, 'b'],
      ],
    ],
    ['Hello dear Thomas', '(?<=Hello )(.*)(?= Thomas)', [['dear']]],
    [
      '[10.0.0.1] (10.0.0.2)',
      '(?<=\\[|\\(|\\s)\\d{1,3}(?:\\.\\d{1,3}){3}(?=\\]|\\)|\\s)',
      ['10.0.0.1', '10.0.0.2'],
    ],
    ['aXaXaX', 'a(?=X)', ['a', 'a', 'a']],
    ['aaa', 'a(?=a)', ['a', 'a']],
    ['AB ab', 'ab', ['ab']],
    ['AB ab', '(?i)ab', ['AB', 'ab']],
    [['https://a.example', 'x'], 'https?:\\/\\/[^"]+', ['https://a.example']],
    ['k=1\nk=2', '^k=(?<value>.)$', [['1'], ['2']]],
    ['🙂x🙂', '🙂', ['🙂', '🙂']],
  ])('of %j by %s is %j', async (path, regexp, found) => {
    expect((await extract(path, regexp)).payloads).toEqual([{ found }]);
  });

  test('puts all matchers into one event; those with one name are joined', async () => {
    const matchers = [
      matcher('[a-z]', 'letters'),
      matcher('\\d', 'digits'),
      matcher('z', 'none'),
      matcher('1', 'letters'),
    ];
    expect((await run({ mode: 'extract', matchers })).payloads).toEqual([
      { letters: ['a', '1'], digits: ['1'], none: [] },
    ]);
  });

  test('emits nothing when nothing is found, unless told to', async () => {
    expect((await extract('x', 'y')).payloads).toEqual([]);
    expect((await extract('x', 'y', { emit_no_match: 'true' })).payloads).toEqual([{ found: [] }]);
  });

  test('names the pattern that cannot be used', async () => {
    await expect(extract('x', '(')).rejects.toThrow(/^matchers\[0\]\.regexp: invalid pattern/);
    await expect(extract('x', '(?~a)b(?=c)')).rejects.toBeInstanceOf(PermanentJobError);
  });

  test('keeps a lookahead that looks far ahead again and again within bounds', async () => {
    const tookMs = await cpuMsOf(() =>
      expect(extract('a'.repeat(200_000), 'a(?=.*)')).rejects.toBeInstanceOf(PermanentJobError),
    );
    expect(tookMs).toBeLessThan(5000);
  });
});

const resultOf = async (options: JsonObject, overrides = {}) =>
  (await runType('EventTransformation', options, overrides)).result;
const claimOf = async (options: JsonObject) =>
  ((await resultOf({ mode: 'throttle', ...options })) as { claim: object }).claim;

describe('modes that wait or remember', () => {
  test('delay sleeps, and emits when it is resumed or there is nothing to wait for', async () => {
    expect(await resultOf({ mode: 'delay', seconds: '5' })).toEqual({ sleep: { seconds: 5 } });
    const emitted = { outputs: [{ payload: { seconds: 5 } }] };
    expect(await resultOf({ mode: 'delay', seconds: 5 }, { resumed: true })).toEqual(emitted);
    expect(await resultOf({ mode: 'delay', seconds: 0 })).toEqual({ outputs: [{ payload: { seconds: 0 } }] });
    const until = '2026-11-22T00:00:00Z';
    expect(await resultOf({ mode: 'delay', until })).toEqual({ sleep: { until: new Date(until) } });
  });

  test.each([
    [{}, /seconds or until is required/],
    [{ until: 'soon' }, /until must be a time/],
    [{ until: '9999-01-01' }, /more than a year ahead/],
    [{ seconds: 'x' }, /seconds/],
  ])('delay with %j is set aside', async (options, reason) => {
    await expect(run({ mode: 'delay', ...options })).rejects.toThrow(reason);
  });

  test('deduplicate claims its value as text, and says what comes of duplicates', async () => {
    const one = await resultOf({ mode: 'deduplicate', path: 5 });
    const other = await resultOf({ mode: 'deduplicate', path: '5', lookback: '7', emit_duplicates: 'true' });
    expect(one).toMatchObject({ claim: { lookback: 100, periodSeconds: undefined }, refused: [] });
    expect(other).toMatchObject({
      claim: { digest: (one as { claim: { digest: string } }).claim.digest, lookback: 7 },
      granted: [{ payload: { unique_event: true } }],
      refused: [{ payload: { unique_event: false } }],
    });
    expect(await resultOf({ mode: 'deduplicate', path: 'a', period: '60' })).toMatchObject({
      claim: { lookback: 1_000_000, periodSeconds: 60 },
    });
  });

  test('deduplicate takes numbers that are equal for one', async () => {
    const digests = ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'].map(async (number) => {
      const path = parseJson(`[{"b":${number},"a":1}]`);
      const { claim } = (await resultOf({ mode: 'deduplicate', path })) as { claim: { digest: string } };
      return claim.digest;
    });
    expect(new Set(await Promise.all(digests)).size).toBe(1);
  });

  test('throttle claims slots that its capacity fills evenly', async () => {
    expect(await claimOf({ capacity: '30' })).toEqual({ kind: 'throttle', perSlot: 1, slotMs: 2_000 });
    expect(await claimOf({ capacity: 60, interval: 'hours', events_per_run: '2' })).toEqual({
      kind: 'throttle',
      perSlot: 2,
      slotMs: 120_000,
    });
  });

  test.each([
    [undefined, 1],
    ['3', 3],
    [0, 1],
    ['0', 1],
    [2.9, 2],
    [500, 100],
    [false, 1],
    ['', 1],
    ['some', 1],
  ])('deduplicate with the tolerance %j lets a value through %i times', async (tolerance, times) => {
    const options = { mode: 'deduplicate', path: 'a', ...(tolerance === undefined ? {} : { tolerance }) };
    expect(await resultOf(options)).toMatchObject({ claim: { tolerance: times } });
  });

  test('implode brings its item, and knows where explode took it from', async () => {
    const event = { split: { guid: 'g', index: 3, size: 5 } };
    const options = { mode: 'implode', item_path: { a: 1 }, guid_path: 'g', size_path: '5' };
    expect(await resultOf(options, { event })).toEqual({
      gather: { group: 'g', size: 5, position: 3, item: { a: 1 }, timeoutSeconds: 86_400, partial: false },
    });
  });

  test('implode needs a size, unless time ends the group', async () => {
    const options = { mode: 'implode', item_path: 1, guid_path: 'g', timeout: 5 };
    expect(await resultOf({ ...options, seconds: '30', size_path: '' })).toMatchObject({
      gather: { size: 1_000_000, timeoutSeconds: 30, partial: true },
    });
    expect(await resultOf({ ...options, seconds: 30, size_path: 2 })).toMatchObject({
      gather: { size: 2, timeoutSeconds: 30, partial: true },
    });
    expect(await resultOf({ ...options, seconds: '0', size_path: 2 })).toMatchObject({
      gather: { size: 2, timeoutSeconds: 5, partial: false },
    });
    expect(await resultOf({ ...options, seconds: 1.5 })).toMatchObject({
      gather: { timeoutSeconds: 2, partial: true },
    });
    expect(await resultOf({ ...options, seconds: 99_999_999 })).toMatchObject({
      gather: { timeoutSeconds: 30 * 86_400, partial: true },
    });
    await expect(resultOf({ ...options, seconds: 0 })).rejects.toThrow('option size_path is required');
    await expect(resultOf({ ...options, seconds: '' })).rejects.toThrow('option size_path is required');
  });
});

test('automatic and unknown modes say so', async () => {
  await expect(run({ mode: 'automatic' })).rejects.toThrow('cannot run here');
  await expect(run({ mode: 'magic' })).rejects.toThrow('the transformation mode "magic" is unknown');
  await expect(run({})).rejects.toThrow('mode is required');
});
