import * as fc from 'fast-check';
import { nextTime, timesBetween } from '../../src/stories/schedules/next-time.js';
import { parseSchedule } from '../../src/stories/schedules/parse-schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The next times of a schedule, one after the other, each from the one before. */
function timesOf(cron: string, timezone: string, after: string, count: number): string[] {
  const times: string[] = [];
  for (let at = new Date(after); times.length < count; ) {
    at = nextTime({ cron, timezone }, at)!;
    times.push(at.toISOString().replace(':00.000Z', 'Z'));
  }
  return times;
}

describe('the next time of a schedule', () => {
  test.each([
    ['* * * * *', '2026-03-01T12:00:00.000Z', '2026-03-01T12:01Z'],
    ['* * * * *', '2026-03-01T11:59:59.999Z', '2026-03-01T12:00Z'],
    ['* * * * *', '2026-03-01T12:00:00.001Z', '2026-03-01T12:01Z'],
    ['0 9 * * *', '2026-03-01T09:00:00.000Z', '2026-03-02T09:00Z'],
    ['0 9 * * 1-5', '2026-03-06T09:00:00.000Z', '2026-03-09T09:00Z'],
    ['0 9 * * 7', '2026-03-06T09:00:00.000Z', '2026-03-08T09:00Z'],
    ['0 0 1 1 *', '2026-03-06T09:00:00.000Z', '2027-01-01T00:00Z'],
    ['0 0 13 * 5', '2026-03-10T00:00:00.000Z', '2026-03-13T00:00Z'],
    ['0 0 15 * 5', '2026-03-13T00:00:00.000Z', '2026-03-15T00:00Z'],
    ['59 23 31 12 *', '2026-12-31T23:58:30.000Z', '2026-12-31T23:59Z'],
    ['0 0 29 2 *', '2026-03-06T09:00:00.000Z', '2028-02-29T00:00Z'],
    ['0 0 29 2 *', '2096-02-29T00:00:00.000Z', '2104-02-29T00:00Z'],
    ['0 */5 * * *', '2026-03-01T20:00:00.000Z', '2026-03-02T00:00Z'],
  ])('%s after %s is %s', (cron, after, next) => {
    expect(timesOf(cron, 'UTC', after, 1)).toEqual([next]);
  });

  test.each([
    ['Asia/Kolkata', '2026-03-01T03:30Z'],
    ['Asia/Kathmandu', '2026-03-01T03:15Z'],
    ['America/Vancouver', '2026-03-01T17:00Z'],
    ['Pacific/Kiritimati', '2026-03-01T19:00Z'],
    ['europe/dublin', '2026-03-01T09:00Z'],
  ])('is nine in the morning of %s', (timezone, next) => {
    expect(timesOf('0 9 * * *', timezone, '2026-02-28T22:00:00Z', 1)).toEqual([next]);
  });
});

// Europe/Dublin goes from 01:00 to 02:00 at 2026-03-29T01:00Z, America/New_York from 02:00 to 03:00 at 2026-03-08T07:00Z.
describe('when the clocks are put forward', () => {
  test.each([
    ['Europe/Dublin', '0 9 * * *', '2026-03-28T12:00Z', ['2026-03-29T08:00Z', '2026-03-30T08:00Z']],
    ['Europe/Dublin', '30 1 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:30Z', '2026-03-30T00:30Z']],
    [
      'Europe/Dublin',
      '*/30 1,2 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-30T00:00Z'],
    ],
    [
      'Europe/Dublin',
      '*/30 * * * *',
      '2026-03-29T00:15Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
    ],
    ['America/New_York', '30 2 * * *', '2026-03-07T12:00Z', ['2026-03-08T07:30Z', '2026-03-09T06:30Z']],
    ['America/New_York', '0 2 * * 0', '2026-03-07T12:00Z', ['2026-03-08T07:00Z', '2026-03-15T06:00Z']],
    [
      'America/New_York',
      '0 * * * *',
      '2026-03-08T05:30Z',
      ['2026-03-08T06:00Z', '2026-03-08T07:00Z', '2026-03-08T08:00Z'],
    ],
    ['America/Santiago', '0 0 * * *', '2026-09-05T12:00Z', ['2026-09-06T04:00Z', '2026-09-07T03:00Z']],
    [
      'Australia/Lord_Howe',
      '*/20 * * * *',
      '2026-10-03T15:00Z',
      ['2026-10-03T15:10Z', '2026-10-03T15:40Z', '2026-10-03T16:00Z'],
    ],
  ])('%s: %s goes on as it should', (timezone, cron, after, expected) => {
    expect(timesOf(cron, timezone, after, expected.length)).toEqual(expected);
  });
});

// Back from 02:00 to 01:00: Europe/Dublin at 2026-10-25T01:00Z, America/New_York at 2026-11-01T06:00Z.
describe('when the clocks are put back', () => {
  test.each([
    ['Europe/Dublin', '0 9 * * *', '2026-10-24T12:00Z', ['2026-10-25T09:00Z', '2026-10-26T09:00Z']],
    ['Europe/Dublin', '30 1 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    ['Europe/Dublin', '30 1 * * *', '2026-10-25T01:10Z', ['2026-10-26T01:30Z']],
    [
      'Europe/Dublin',
      '*/30 * * * *',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
    ],
    ['America/New_York', '0 1 * * *', '2026-10-31T12:00Z', ['2026-11-01T05:00Z', '2026-11-02T06:00Z']],
    [
      'America/New_York',
      '*/20 1 * * *',
      '2026-11-01T04:00Z',
      ['2026-11-01T05:00Z', '2026-11-01T05:20Z', '2026-11-01T05:40Z', '2026-11-02T06:00Z'],
    ],
    [
      'America/New_York',
      '0 * * * *',
      '2026-11-01T04:30Z',
      ['2026-11-01T05:00Z', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
    ],
    [
      'Australia/Lord_Howe',
      '*/20 * * * *',
      '2026-04-04T14:30Z',
      ['2026-04-04T14:40Z', '2026-04-04T15:10Z', '2026-04-04T15:30Z'],
    ],
  ])('%s: %s goes on as it should', (timezone, cron, after, expected) => {
    expect(timesOf(cron, timezone, after, expected.length)).toEqual(expected);
  });
});

/** A field as text, and the values it means. */
interface Field {
  text: string;
  values: number[];
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

function fieldOf(min: number, max: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min, max });
  return fc.oneof(
    fc.constant({ text: '*', values: range(min, max) }),
    fc.integer({ min: 2, max: max }).map((step) => ({ text: `*/${step}`, values: range(min, max, step) })),
    value.map((one) => ({ text: String(one), values: [one] })),
    fc
      .tuple(value, value)
      .filter(([from, to]) => from <= to)
      .map(([from, to]) => ({ text: `${from}-${to}`, values: range(from, to) })),
    fc
      .uniqueArray(value, { minLength: 2, maxLength: 4 })
      .map((values) => ({ text: values.join(','), values })),
  );
}

const every = (min: number, max: number): Field => ({ text: '*', values: range(min, max) });
/** The hours in which clocks are changed. */
const nightHours = fc
  .uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 })
  .map((values): Field => ({ text: values.join(','), values }));
const cronOf = fc.record({
  minute: fieldOf(0, 59),
  hour: fc.oneof(fieldOf(0, 23), nightHours, fc.constant(every(0, 23))),
  dayOfMonth: fc.oneof(
    { weight: 3, arbitrary: fc.constant(every(1, 31)) },
    { weight: 1, arbitrary: fieldOf(1, 31) },
  ),
  month: fc.oneof(
    { weight: 3, arbitrary: fc.constant(every(1, 12)) },
    { weight: 1, arbitrary: fieldOf(1, 12) },
  ),
  dayOfWeek: fc.oneof(
    { weight: 2, arbitrary: fc.constant(every(0, 6)) },
    { weight: 1, arbitrary: fieldOf(0, 6) },
  ),
});
type Cron = typeof cronOf extends fc.Arbitrary<infer T> ? T : never;

const textOf = ({ minute, hour, dayOfMonth, month, dayOfWeek }: Cron) =>
  [minute, hour, dayOfMonth, month, dayOfWeek].map(({ text }) => text).join(' ');

/** Zones, and a moment near which their clocks change (or do not). */
const CHANGES = [
  ['UTC', '2026-01-01T00:00Z'],
  ['Asia/Kolkata', '2026-12-31T18:30Z'],
  ['Europe/Dublin', '2026-03-29T01:00Z'],
  ['Europe/Dublin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
] as const;
const formats = new Map(
  CHANGES.map(([timeZone]) => [
    timeZone as string,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ]),
);

/** The local time, as a clock in UTC would show it: computed in another way than the product does. */
function wallAt(timezone: string, at: number): number {
  const [day, month, year, hour, minute] = formats.get(timezone)!.format(at).match(/\d+/g)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute);
}

const open = ({ text }: Field) => text === '*';

function fits(cron: Cron, wall: number): boolean {
  const date = new Date(wall);
  const inMonth = cron.dayOfMonth.values.includes(date.getUTCDate());
  const inWeek = cron.dayOfWeek.values.includes(date.getUTCDay());
  const either = !open(cron.dayOfMonth) && !open(cron.dayOfWeek);
  return (
    cron.minute.values.includes(date.getUTCMinutes()) &&
    cron.hour.values.includes(date.getUTCHours()) &&
    cron.month.values.includes(date.getUTCMonth() + 1) &&
    (either ? inMonth || inWeek : inMonth && inWeek)
  );
}

test('the next time is later, fits, and nothing before it does, also where clocks change', () => {
  const near = fc.constantFrom(...CHANGES);
  const distance = fc.integer({ min: -DAY, max: 3 * HOUR });
  fc.assert(
    fc.property(cronOf, near, distance, (cron, [timezone, change], away) => {
      fc.pre(parseSchedule({ cron: textOf(cron) }).problems.length === 0);
      const after = Date.parse(change) + away;
      const next = nextTime({ cron: textOf(cron), timezone }, new Date(after))!.getTime();
      const allHours = cron.hour.values.length === 24;
      /** The wall has shown the same before: at most two hours ago. */
      const repeats = (at: number) =>
        [30, 60, 120].some((minutes) => wallAt(timezone, at - minutes * MINUTE) === wallAt(timezone, at));
      /** The local time, had the clocks not been put forward just now. */
      const unchanged = (at: number) => wallAt(timezone, at - 3 * HOUR) + 3 * HOUR;

      expect(next).toBeGreaterThan(after);
      const wall = wallAt(timezone, next);
      const moved = !allHours && fits(cron, unchanged(next));
      expect(fits(cron, wall) || moved).toBe(true);
      if (!allHours && !moved) expect(repeats(next)).toBe(false);
      const firstMinute = Math.floor(after / MINUTE) * MINUTE + MINUTE;
      for (let at = firstMinute; at < Math.min(next, after + 1.5 * DAY); at += MINUTE) {
        if (fits(cron, wallAt(timezone, at)) && (allHours || !repeats(at))) {
          throw new Error(`${textOf(cron)} in ${timezone}: ${new Date(at).toISOString()} comes before`);
        }
      }
    }),
    { numRuns: 300 },
  );
});

describe('the times of a schedule in a span', () => {
  const zones = ['UTC', 'Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
  const crons = [
    '0 9 * * 1-5',
    '30 2 * * *',
    '30 2,3 * * *',
    '*/20 * * * *',
    '15 */6 * * *',
    '0 0 29 2 *',
    '0 1 1 * *',
  ];

  it('are those that follow each other, over clock changes too', () => {
    const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    const given = fc.tuple(
      fc.constantFrom(...crons),
      fc.constantFrom(...zones),
      start,
      fc.integer({ min: 0, max: 8 }),
    );
    fc.assert(
      fc.property(given, ([cron, timezone, from, days]) => {
        const until = new Date(from + days * DAY);
        const expected: Date[] = [];
        for (let at = nextTime({ cron, timezone }, new Date(from)); at !== undefined && at <= until; ) {
          expected.push(at);
          at = nextTime({ cron, timezone }, at);
        }
        const span = { after: new Date(from), until };
        const all = timesBetween({ cron, timezone }, { ...span, limit: 1_000 });
        expect(all).toEqual({ times: expected, isComplete: true });
        const some = timesBetween({ cron, timezone }, { ...span, limit: 3 });
        expect(some).toEqual({ times: expected.slice(0, 3), isComplete: expected.length <= 3 });
      }),
      { numRuns: 150 },
    );
  });

  it('of each minute of a year come to the limit soon', () => {
    const every = { cron: '* * * * *', timezone: 'Europe/Vienna' };
    const span = {
      after: new Date('2026-01-01T00:00:30Z'),
      until: new Date('2027-01-01T00:00:00Z'),
      limit: 2,
    };
    expect(timesBetween(every, span)).toEqual({
      times: [new Date('2026-01-01T00:01:00Z'), new Date('2026-01-01T00:02:00Z')],
      isComplete: false,
    });
  });
});
