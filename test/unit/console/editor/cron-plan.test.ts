import {
  asPlan,
  type CronPlan,
  MINUTE_STEPS,
  readCron,
  writeCron,
} from '../../../../src/console/pages/editor/schedule/cron-plan.js';
import { nextStarts } from '../../../../src/console/pages/editor/schedule/next-starts.js';
import { entriesOf, isEntry } from '../../../../src/console/pages/editor/schedule/schedule-entries.js';
import { cronWords } from '../../../../src/console/pages/schedules/cron-words.js';
import { parseCron } from '../../../../src/stories/schedules/cron-times.js';

const PLANS: [string, CronPlan][] = [
  ['* * * * *', { kind: 'minutes', every: 1 }],
  ['*/15 * * * *', { kind: 'minutes', every: 15 }],
  ['5 * * * *', { kind: 'hourly', minute: 5 }],
  ['30 9 * * *', { kind: 'daily', time: '09:30' }],
  ['0 7 * * 1-5', { kind: 'weekly', days: [1, 2, 3, 4, 5], time: '07:00' }],
  ['0 7 * * 0,3', { kind: 'weekly', days: [0, 3], time: '07:00' }],
  ['15 23 31 * *', { kind: 'monthly', date: 31, time: '23:15' }],
];

describe('the plan of a schedule', () => {
  it.each(PLANS)('%s is read and written again', (cron, plan) => {
    expect(readCron(cron)).toEqual(plan);
    expect(writeCron(plan)).toBe(cron);
    expect(cronWords(cron)).toBeDefined();
  });

  it.each([
    '*/7 * * * *',
    '0 9 1 * 1',
    '0 9 * 3 *',
    '0 9,12 * * *',
    '60 * * * *',
    '0 9 0 * *',
    '0 9 * * 5-1',
    'soon',
  ])('%s stays a cron expression', (cron) => expect(readCron(cron)).toEqual({ kind: 'cron', cron }));

  it('is one that the server reads, whichever kind is chosen', () => {
    for (const [, plan] of PLANS) {
      for (const [, { kind }] of PLANS) {
        const chosen = asPlan(plan, kind);
        expect(() => parseCron(writeCron(chosen))).not.toThrow();
        if ('time' in plan && 'time' in chosen) expect(chosen.time).toBe(plan.time);
      }
    }
    for (const every of MINUTE_STEPS)
      expect(readCron(writeCron({ kind: 'minutes', every }))).toEqual({ kind: 'minutes', every });
    expect(asPlan({ kind: 'daily', time: '08:05' }, 'cron')).toEqual({ kind: 'cron', cron: '5 8 * * *' });
  });

  it('names the days of a week', () => {
    expect(cronWords('0 7 * * 1,3,5')).toBe('Mondays, Wednesdays, and Fridays at 07:00');
  });
});

describe('the next starts', () => {
  const AFTER = new Date('2026-11-29T12:00:00Z');
  const of = (cron: string, timezone = '') =>
    nextStarts({ cron, timezone }, 3, AFTER).map((start) => start.toISOString());

  it('are in the zone of the schedule, UTC without one', () => {
    expect(of('0 9 * * 1', 'Europe/Dublin')).toEqual([
      '2026-11-30T09:00:00.000Z',
      '2026-12-07T09:00:00.000Z',
      '2026-12-14T09:00:00.000Z',
    ]);
    expect(of('0 9 * * *', 'America/New_York')[0]).toBe('2026-11-29T14:00:00.000Z');
    expect(of('30 12 * * *')[0]).toBe('2026-11-29T12:30:00.000Z');
  });

  it.each(['', '0 9 * *', '0 0 9 * * *', '0 9 L * *', '@daily', '61 * * * *'])('are none for %j', (cron) => {
    expect(() => of(cron)).toThrow();
  });

  it('are none in a zone that does not exist', () => {
    expect(() => of('0 9 * * *', 'Europe/Nowhere')).toThrow();
  });
});

describe('the schedules of an action', () => {
  it('are a list, one, a word, or none', () => {
    const one = { cron: '0 9 * * *', timezone: null };
    expect(entriesOf([one, 'every_1d', 'never'])).toEqual([one, 'every_1d']);
    expect(entriesOf(one)).toEqual([one]);
    expect([undefined, null, '', 'never', []].flatMap(entriesOf)).toEqual([]);
    expect([one, 'every_1d', { timezone: 'UTC' }, null].map(isEntry)).toEqual([true, false, false, false]);
  });
});
