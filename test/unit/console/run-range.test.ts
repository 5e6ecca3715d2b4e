import { filtersIn, inputOf, queryOf, runsPath } from '../../../src/console/pages/runs/run-query.js';
import {
  bucketsFor,
  filtersOf,
  isLastNight,
  lastNight,
  rangeIn,
} from '../../../src/console/pages/runs/range/run-range.js';
import { placeOf } from '../../../src/console/pages/events/event-match.js';
import { shortGuid } from '../../../src/console/pages/runs/run-words.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-30T09:20:30Z');
const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);

describe('the range of a list of runs', () => {
  it('stands in the address, and counts instead of a span', () => {
    const query = 'since=2026-11-29T22%3A00%3A00Z&until=2026-11-30T06%3A00%3A00Z';
    const filters = filtersIn(`${query}&span=1h`);
    expect(queryOf({ ...filters, span: '' })).toBe(query);
    expect(inputOf(filters, NOW)).toEqual({ since: '2026-11-29T22:00:00Z', until: '2026-11-30T06:00:00Z' });
    expect(filtersIn('since=yesterday&until=2026-99-99T00%3A00Z')).toMatchObject({ since: '', until: '' });
    expect(inputOf(filtersIn('span=1h'), NOW)).toEqual({ since: '2026-11-30T08:20:30.000Z' });
    expect(runsPath({ story: 7, since: '2026-11-29T22:00:00Z' })).toBe(
      '/runs?story=7&since=2026-11-29T22%3A00%3A00Z',
    );
    expect(runsPath({})).toBe('/runs');
  });

  it('of last night goes from ten in the evening to six in the morning of the viewer, also before six', () => {
    for (const hour of [3, 9, 23]) {
      const now = new Date(2026, 10, 30, hour, 20).getTime();
      const night = lastNight(now);
      expect(new Date(night.from)).toEqual(new Date(2026, 10, 29, 22));
      expect(new Date(night.to)).toEqual(new Date(2026, 10, 30, 6));
      expect(isLastNight(filtersOf(night), now)).toBe(true);
    }
    expect(isLastNight({ span: '', since: '', until: '' }, NOW)).toBe(false);
  });

  it('that ends before it begins is none', () => {
    const range = filtersOf({ from: at('30T09:00'), to: at('30T08:00') });
    expect(rangeIn(range, NOW)).toBeUndefined();
  });
});

describe('the bars of a histogram', () => {
  it.each([
    ['the last hour by minutes', { from: NOW - HOUR, to: NOW }, 'minute', '30T08:20', '30T09:21'],
    [
      'five minutes among an hour',
      { from: at('30T08:00'), to: at('30T08:05') },
      'minute',
      '30T07:32',
      '30T08:33',
    ],
    ['a night among a day', { from: at('29T22:00'), to: at('30T06:00') }, 'hour', '29T09:00', '30T10:00'],
    ['an hour of last week', { from: at('24T10:00'), to: at('24T11:00') }, 'hour', '23T22:00', '24T23:00'],
    ['any time as seven days', undefined, 'hour', '23T09:00', '30T10:00'],
    ['thirty days', { from: NOW - 720 * HOUR, to: NOW }, 'day', '00T00:00', '31T00:00'],
  ])('are %s', (_what, range, by, ...ends) => {
    const buckets = bucketsFor(range, NOW);
    expect(buckets.by).toBe(by);
    if (by !== 'day') expect([buckets.from, buckets.to]).toEqual(ends.map(at));
  });

  it('are never more than the statistics have', () => {
    for (const length of [0.05, 1, 3, 5, 24, 100, 168, 200, 720, 10_000]) {
      for (const ago of [0, 2, 5.5, 30, 500]) {
        const to = NOW - ago * HOUR;
        const { from, to: end, by } = bucketsFor({ from: to - length * HOUR, to }, NOW);
        const bars = (end - from) / { minute: HOUR / 60, hour: HOUR, day: 24 * HOUR }[by];
        expect(bars).toBeLessThanOrEqual(200);
        expect(end - from).toBeLessThanOrEqual(by === 'minute' ? 3 * HOUR + 120_000 : 31 * 24 * HOUR);
        if (by === 'minute') expect(from).toBeGreaterThan(NOW - 6 * HOUR);
      }
    }
  });
});

it('shows of a guid the first eight digits that are random, and of a payload where a value is', () => {
  expect(shortGuid('019a1b2c-3d4e-7f56-8a9b-0123456789ab')).toBe('01234567');
  expect(placeOf({ body: { alerts: [{ id: 1 }, { id: 'A-7' }] } }, 'A-7')).toBe('body.alerts[1].id');
  expect(placeOf('A-7', 'A-7')).toBe('');
  expect(placeOf({ a: null }, 'A-7')).toBeUndefined();
});
