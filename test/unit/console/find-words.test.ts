import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { queuesExample } from '../../../src/operate/monitoring/queues/queue-presenter.js';
import type { Queue } from '../../../clients/typescript/api.js';
import { askedIn, guidIn, idIn } from '../../../src/console/app/navigation/palette/palette-text.js';
import { comparePath } from '../../../src/console/pages/event/compare-path.js';
import { reasonsOf, unservedWords } from '../../../src/console/pages/queues/queue-reasons.js';
import type { QueueSums } from '../../../src/console/pages/queues/queue-sums.js';
import { isoWithOffset } from '../../../src/console/pages/records/query/local-time.js';
import { presetOf, presetRange } from '../../../src/console/pages/records/query/time-presets.js';
import { jsonRows, reveal, stepsTo } from '../../../src/console/ui/json-view/json-rows.js';
import { matchesIn, MOST_MATCHES } from '../../../src/console/ui/json-view/json-matches.js';

describe('the text of the palette', () => {
  test.each([
    ['alerts', { verb: undefined, search: 'alerts' }],
    [' Disable  Alert triage ', { verb: 'disable', search: 'Alert triage' }],
    ['retry', { verb: 'retry', search: '' }],
    ['startled', { verb: undefined, search: 'startled' }],
    ['https://hooks.example.com/webhook/my%20alerts/secret?x=1', { verb: undefined, search: 'my alerts' }],
    ['/webhook/alerts', { verb: undefined, search: 'alerts' }],
    ['/webhook/%E0%A4%A/x', { verb: undefined, search: '%E0%A4%A' }],
    ['https://example.com/other', { verb: undefined, search: 'https://example.com/other' }],
  ])('%j asks for %j', (text, asked) => expect(askedIn(text)).toEqual(asked));

  it('may be the guid of a run or an id', () => {
    expect(guidIn('0193A5C1-7d2e-7b31-9c44-2f6d0a1b8e57')).toBe('0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57');
    expect(guidIn('0193a5c1')).toBeUndefined();
    expect([idIn('4711'), idIn('#12'), idIn('012'), idIn('12a'), idIn('')]).toEqual([
      4711,
      12,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the path of a comparison', () => {
  it('names the older event first, whichever was chosen first', () => {
    expect([comparePath(7, 3), comparePath(3, 7)]).toEqual(['/events/3/compare/7', '/events/3/compare/7']);
  });
});

describe('why work of a queue waits', () => {
  const NOW = Date.parse('2026-11-30T10:00:00Z');
  const { jobs, deliveries } = queuesExample.queues[0] as unknown as Queue;
  const none = { ...deliveries, pending: 0, held: 0, oldest_at: null, reasons: [] } as unknown as NonNullable<
    Queue['deliveries']
  >;
  const idle = { ...jobs, oldest_seconds: 0, paused: null } as NonNullable<typeof jobs>;
  const calm = { jobs: idle, deliveries: none, isServed: true, isPaused: false };
  const wordsOf = (sums: Partial<QueueSums>) =>
    reasonsOf({ ...calm, ...sums }, NOW).map(({ words }) => words);

  it('is told for each reason with its count and its time, the state of the queue first', () => {
    expect(wordsOf({})).toEqual([]);
    const waiting: NonNullable<Queue['deliveries']>['reasons'] = [
      { reason: 'queued', count: 9, oldest_at: '2026-11-30T09:55:00Z', until: null },
      {
        reason: 'mails_per_day',
        count: 10_101,
        oldest_at: '2026-11-30T08:00:00Z',
        until: '2026-12-01T00:00:00Z',
      },
    ];
    expect(wordsOf({ isPaused: true, deliveries: { ...none, reasons: waiting } })).toEqual([
      'paused',
      '10,101: the mail quota is used up: continues after 00:00 UTC',
    ]);
    expect(wordsOf({ jobs: { ...idle, oldest_seconds: 90 }, deliveries: null })).toEqual([
      'all slots are busy: the oldest job waits for 1 min',
    ]);
  });

  it('names a queue that no process serves, with the age of its work', () => {
    const waits = { ...none, pending: 2, held: 1, oldest_at: '2026-11-30T09:55:00Z' };
    const sums = { ...calm, deliveries: waits, isServed: false };
    expect(wordsOf(sums)).toEqual(['no process serves it: the oldest work waits for 5 min']);
    expect(unservedWords('email', sums, NOW)).toEqual({
      queue: 'email',
      words: 'No process serves email. Start a worker for this queue.',
      waiting: '3 deliveries wait, the oldest for 5 min.',
    });
    expect(unservedWords('email', { ...calm, isServed: false }, NOW)).toBeUndefined();
    expect(unservedWords('email', { ...sums, isServed: true }, NOW)).toBeUndefined();
  });
});

describe('times', () => {
  afterEach(() => jest.restoreAllMocks());

  test.each([
    [0, '2026-11-26T09:30:00+00:00'],
    [300, '2026-11-26T04:30:00-05:00'],
    [-345, '2026-11-26T15:15:00+05:45'],
    [210, '2026-11-26T06:00:00-03:30'],
  ])('in a file have their offset (%d minutes before UTC)', (minutes, written) => {
    jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
    expect(isoWithOffset('2026-11-26T09:30:00Z')).toBe(written);
  });

  it('of records are chosen in whole days', () => {
    const now = new Date(2026, 10, 26, 15, 30).getTime();
    const week = presetRange('7', now);
    expect(new Date(week.from).getTime()).toBe(new Date(2026, 10, 20).getTime());
    expect(presetOf(week, now)).toBe('7');
    expect(presetOf(week, now + 86_400_000)).toBe('other');
    expect(presetOf(presetRange('', now), now)).toBe('');
    expect(presetOf({ from: '', to: week.from }, now)).toBe('other');
  });

  it('and numbers are written in one language, not in that of the browser', () => {
    const root = path.resolve(__dirname, '../../../src/console');
    const strange = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) =>
        /(?:DateTimeFormat|NumberFormat|toLocale\w*String)\(undefined|toLocale\w*String\(\)/.test(
          readFileSync(path.join(root, name), 'utf8'),
        ),
      );
    expect(strange).toEqual([]);
  });
});

describe('a part of a JSON value', () => {
  const deep = {
    list: Array.from({ length: 2_500 }, (_, at) => ({ id: at })),
    text: { inside: { a: 'Needle' } },
  };

  it('is found by key and by value, in order', () => {
    expect(matchesIn(deep, 'needle')).toEqual([['text', 'inside', 'a']]);
    expect(matchesIn({ b: 1, a: [{ B: null }] }, 'b')).toEqual([['b'], ['a', 0, 'B']]);
    expect(matchesIn(deep, '')).toEqual([]);
    expect(matchesIn(deep, 'id')).toHaveLength(MOST_MATCHES);
  });

  it('is shown by opening what it stands in, stretches of long lists too', () => {
    for (const steps of [
      ['text', 'inside', 'a'],
      ['list', 2_345, 'id'],
    ]) {
      const { toggled, id } = reveal(deep, new Set(), steps);
      const row = jsonRows(deep, toggled).find((each) => each.id === id);
      expect(row && stepsTo(row)).toEqual(steps);
    }
  });
});
