import { parseCron } from '../../../src/stories/schedules/cron-times.js';
import { nextTime } from '../../../src/stories/schedules/next-time.js';
import { parseSchedule } from '../../../src/stories/schedules/parse-schedule.js';
import { runType } from '../../support/agent-context.js';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** A Sunday. */
const SUNDAY_MS = Date.UTC(2024, 0, 7);
const daysOf = (cron: string) =>
  DAYS.filter((_, day) => parseCron(cron).isOn(SUNDAY_MS + day * 86_400_000)).join(' ');

const sleepUntil = async (until: string | number) =>
  (await runType('EventTransformation', { mode: 'delay', until })).result;

describe('A22: ranges of weekdays may end on or after a Sunday', () => {
  it.each([
    ['0 9 * * SAT-SUN', 'Sun Sat'],
    ['0 9 * * FRI-SUN', 'Sun Fri Sat'],
    ['0 9 * * fri-mon', 'Sun Mon Fri Sat'],
    ['0 9 * * MON-SUN', 'Sun Mon Tue Wed Thu Fri Sat'],
    ['0 9 * * 6-0', 'Sun Sat'],
    ['0 9 * * 5-7', 'Sun Fri Sat'],
    ['0 9 * * THU-MON/2', 'Mon Thu Sat'],
    ['0 9 * * SUN-TUE,FRI', 'Sun Mon Tue Fri'],
    ['0 9 * * SUN-SUN', 'Sun'],
  ])('%s', (cron, days) => {
    expect(daysOf(cron)).toBe(days);
    expect(parseSchedule({ cron }).problems).toEqual([]);
  });

  it('start runs on these days', () => {
    const schedule = { cron: '0 9 * * SAT-SUN', timezone: 'Europe/Dublin' };
    const first = nextTime(schedule, new Date('2024-07-03T00:00:00Z'));
    expect(first).toEqual(new Date('2024-07-06T08:00:00Z'));
    expect(nextTime(schedule, first ?? new Date(0))).toEqual(new Date('2024-07-07T08:00:00Z'));
  });

  it.each(['0 9 * * SAT-SUN/0', '0 9 31-1 * *', '0 20-4 * * *', '0 9 * OCT-MAR *'])(
    'but other ranges go up: %s',
    (cron) => expect(() => parseCron(cron)).toThrow(),
  );
});

describe('C28: a value that occurs twice counts once', () => {
  it.each([
    ['0 0 * * 0,7', 'Sun'],
    ['0 0 * * 7,0', 'Sun'],
    ['0 0 * * 0,0', 'Sun'],
    ['0 0 * * SUN,7,1', 'Sun Mon'],
    ['0 0 * * 1-5,3', 'Mon Tue Wed Thu Fri'],
    ['0 0 * * MON,1,mon', 'Mon'],
  ])('%s', (cron, days) => {
    expect(daysOf(cron)).toBe(days);
  });

  it.each([
    ['0,0 * * * *', [0], 24],
    ['0,30,*/30 9,9 * * *', [0, 30], 1],
    ['*/15,15-20,15 0-23,5 1,1-31 JAN,1-12 *', [0, 15, 16, 17, 18, 19, 20, 30, 45], 24],
  ])('%s', (cron, minutes, hours) => {
    const times = parseCron(cron);
    expect(times.minutes).toEqual(minutes);
    expect(times.hours).toHaveLength(hours);
  });
});

describe('A22: delay until a number of 12 digits and more waits for the millisecond', () => {
  it.each([
    ['1764000000000', '2025-11-24T16:00:00.000Z'],
    [1_764_000_000_123, '2025-11-24T16:00:00.123Z'],
    ['1764000000000.5', '2025-11-24T16:00:00.001Z'],
    ['1764000000', '2025-11-24T16:00:00.000Z'],
    ['1764000000.25', '2025-11-24T16:00:00.250Z'],
    ['20251124', '2025-11-24T00:00:00.000Z'],
    ['2025-11-24T24:00:00Z', '2025-11-25T00:00:00.000Z'],
  ])('%s is %s', async (until, time) => {
    expect(await sleepUntil(until)).toEqual({ sleep: { until: new Date(time) } });
  });

  it('is refused if it is more than a year ahead', async () => {
    await expect(sleepUntil('9999999999999')).rejects.toThrow('more than a year ahead');
  });
});
