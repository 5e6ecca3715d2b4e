import type { GetStatusResponse, Statistics } from '../../../clients/typescript/api.js';
import { placeOf } from '../../../src/console/pages/home/causes.js';
import { bandOf } from '../../../src/console/pages/home/day-band.js';

const hour = (at: number, ended = 0, failed = 0): Statistics =>
  ({
    from: `2026-11-21T${String(at).padStart(2, '0')}:00:00.000Z`,
    runs_started: ended,
    runs_ended: ended,
    runs_failed: failed,
  }) as Statistics;

const FACTS = { firstKept: 0, countedUntil: '2026-11-21T23:59:00Z', publications: [] };

describe('the band of a day', () => {
  it('has bars as high as their runs, and a foot as high as those that failed', () => {
    const bars = bandOf([hour(8), hour(9, 50, 10), hour(10, 200)], FACTS);
    expect(bars.map(({ height, badHeight }) => [height, badHeight])).toEqual([
      [0, 0],
      [25, 20],
      [100, 0],
    ]);
  });

  it('shows few runs and few failures all the same', () => {
    const [few] = bandOf([hour(8, 1_000, 1), hour(9, 100_000)], FACTS);
    expect(few).toMatchObject({ height: 4, badHeight: 8 });
  });

  it('leads from each hour to its runs', () => {
    const [bar] = bandOf([hour(9, 5)], FACTS);
    const given = new URL(bar.path, 'http://console').searchParams;
    expect([given.get('since'), given.get('until')]).toEqual([
      '2026-11-21T09:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ]);
  });

  it('marks the hours in which something was published, by name', () => {
    const publications = [
      { created_at: '2026-11-21T09:00:00Z', target_name: 'Alerts' },
      { created_at: '2026-11-21T09:59:59Z', target_name: null },
      { created_at: '2026-11-21T10:00:00Z', target_name: 'Mail' },
    ];
    const bars = bandOf([hour(8), hour(9), hour(10)], { ...FACTS, publications });
    expect(bars.map(({ marks }) => marks)).toEqual([0, 2, 1]);
    expect(bars[1].words).toMatch(/Published: .*Alerts.*, .*a draft/);
  });

  it('tells hours without figures from hours without runs', () => {
    const bars = bandOf([hour(8), hour(9), hour(10)], {
      ...FACTS,
      firstKept: 1,
      countedUntil: '2026-11-21T10:00:00Z',
    });
    expect(bars.map(({ isKept }) => isKept)).toEqual([false, true, false]);
    expect(bars[0].words).toMatch(/: no data$/);
    expect(bars[1].words).toMatch(/: 0 runs started, 0 ended, 0 failed$/);
  });
});

const silent = (...ids: number[]) =>
  ({
    stories: { silent_actions: ids.map((id) => ({ id, story: { id: 7 } })) },
  }) as unknown as GetStatusResponse;

describe('the button of a cause', () => {
  it('leads to where something can be done', () => {
    expect(placeOf('stories.dead-letters', silent())?.path).toBe('/dead-letters');
    expect(placeOf('work.paused', silent())?.path).toBe('/queues');
    expect(placeOf('work.unconnected-credentials', silent())?.path).toBe('/credentials');
    expect(placeOf('stories.silent-actions', silent(3))?.path).toBe('/stories/7?action=3');
    expect(placeOf('stories.silent-actions', silent(3, 4))?.path).toBe('/stories');
  });

  it('is not there where the console cannot help', () => {
    expect(placeOf('database.unreachable', silent())).toBeUndefined();
  });
});
