import type { Queue, Schedule } from '../../../clients/typescript/api.js';
import { queuesExample } from '../../../src/operate/monitoring/queues/queue-presenter.js';
import { barsOf, sumOf } from '../../../src/console/pages/queues/queue-sums.js';
import { cronWords } from '../../../src/console/pages/schedules/cron-words.js';
import { queryOf, shownIn } from '../../../src/console/pages/schedules/schedule-query.js';
import { pageOf } from '../../../src/console/pages/schedules/schedule-pages.js';
import { chosenOf, stateOf } from '../../../src/console/pages/schedules/schedule-state.js';
import { daysOf, entriesOf, gapOf, isOften } from '../../../src/console/pages/schedules/week.js';
import { scheduleExample } from '../../../src/observe/schedules/schedule-presenter.js';

const schedule = (change: Partial<Schedule> = {}): Schedule => ({
  ...(scheduleExample as Schedule),
  ...change,
});

test.each([
  ['* * * * *', 'every minute'],
  ['*/1 * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['*/7 * * * *', undefined],
  ['5 * * * *', 'each hour at :05'],
  ['20 */6 * * *', 'every 6 hours at :20'],
  ['0 9 * * *', 'daily at 09:00'],
  ['0 9 * * 1-5', 'Mondays to Fridays at 09:00'],
  ['15 3 * * 2', 'Tuesdays at 03:15'],
  ['0 0 * * 7', 'Sundays at 00:00'],
  ['0 0 1 * *', 'on day 1 of each month at 00:00'],
  ['0 0 1 1 *', undefined],
  ['0 0 1 * 1', undefined],
  ['0,30 9 * * *', undefined],
])('the cron expression %s is said as %s', (cron, words) => expect(cronWords(cron)).toBe(words));

const hour = (n: number) => new Date(2026, 10, 26, n).toISOString();
/** A start on the 26th, and the last one that is told. */
const last = (day: number) => [hour(0), new Date(2026, 10, day).toISOString()];

describe('the week', () => {
  const days = daysOf(0, new Date(2026, 10, 26, 15, 30).getTime());

  it('has seven days from midnight to midnight', () => {
    expect(days).toHaveLength(7);
    expect(new Date(days[0].from)).toEqual(new Date(2026, 10, 26));
    expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ until }) => until));
    expect(daysOf(1, days[0].from)[0].from).toBe(days[6].until);
  });

  it('shows few starts of a day one by one, and many as one, the first one first', () => {
    const few = schedule({ id: 1, starts: [hour(8), hour(12), new Date(2026, 10, 27).toISOString()] });
    const many = schedule({ id: 2, starts: [hour(9), hour(10), hour(11), hour(13)] });
    const entries = entriesOf([few, many, schedule({ id: 3, starts: null })], days[0]);
    expect(entries.map(({ schedule: { id }, times }) => [id, times.length])).toEqual([
      [1, 1],
      [2, 4],
      [1, 1],
    ]);
  });

  it('leaves out what starts more often than is told', () => {
    expect(isOften(schedule({ starts: last(28), starts_complete: false }), days)).toBe(true);
    expect(isOften(schedule({ starts: last(28), starts_complete: true }), days)).toBe(false);
    expect(isOften(schedule({ starts: last(34), starts_complete: false }), days)).toBe(false);
    expect(gapOf(last(27))).toBe(days[0].until - days[0].from);
    expect(gapOf(['2026-11-26T00:00:00Z'])).toBeUndefined();
  });
});

test('the list has pages of 200 rows, and beyond the last one shows that', () => {
  const all = Array.from({ length: 450 }, (_, n) => n);
  expect(pageOf(all, 1).items).toHaveLength(200);
  expect(pageOf(all, 2).meta).toMatchObject({ current_page: '?page=2', next_page_number: 3, pages: 3 });
  const last = pageOf(all, 9);
  expect([last.items[0], last.items.at(-1)]).toEqual([400, 449]);
  expect(last.meta).toMatchObject({ current_page: '?page=3', next_page_number: null, count: 450 });
  expect(pageOf([], 1)).toMatchObject({ items: [], meta: { pages: 1, next_page_number: null } });
});

test('a disabled schedule starts nothing, a locked one does', () => {
  const { action, story } = schedule();
  const locked = schedule({ story: { ...story, locked: true, name: 'Locked' } });
  const off = schedule({ action: { ...action, disabled: true, name: 'Off' } });
  expect(stateOf(locked)).toEqual({ isOn: true, reasons: [], guards: ['locked'] });
  expect(stateOf(off)).toEqual({ isOn: false, reasons: ['action disabled'], guards: [] });
  expect(chosenOf([locked, off], { search: '', onlyOn: true })).toEqual([locked]);
  expect(chosenOf([locked, off], { search: ' OFF', onlyOn: false })).toEqual([off]);
});

test('the address names what differs from the usual', () => {
  const shown = { ...shownIn(''), view: 'list' as const, search: 'a b', story: 12, onlyOn: true };
  expect(queryOf(shownIn(''))).toBe('');
  expect(shownIn(queryOf(shown))).toEqual(shown);
  expect(shownIn('week=99&page=x&story=-1&view=odd')).toEqual({ ...shownIn(''), week: 3 });
});

test('queues are summed; what one lacks, all lack', () => {
  const queue = queuesExample.queues[0] as Queue;
  const sums = sumOf([queue, queue]);
  expect(sums.jobs).toMatchObject({ waiting: 8, slots: 40, workers: 1, oldest_seconds: 3 });
  expect(sums.jobs?.ended.slice(-2)).toEqual([62, 24]);
  expect(sums.deliveries).toMatchObject({ pending: 12, failed: 6, oldest_at: '2026-11-26T09:29:57Z' });
  expect(sumOf([queue, { ...queue, jobs: null }]).jobs).toBeNull();
  expect(barsOf(queue.jobs!)).toHaveLength(20);
  expect(barsOf(queue.jobs!).at(-1)).toEqual({ all: 44, bad: 1 });
});
