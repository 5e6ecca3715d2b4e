import { array, assert, constantFrom, property } from 'fast-check';
import {
  barWords,
  countedPart,
  firstKept,
  gapWords,
  noFiguresWords,
  stackOf,
} from '../../../src/console/pages/home/chart-data.js';
import { filtersIn, queryOf } from '../../../src/console/pages/stories/filter-query.js';
import { placesOf } from '../../../src/console/canvas/canvas-layout.js';
import { templateParts } from '../../../src/console/inspector/template-parts.js';

const action = (id: number, position: { x: number; y: number } | null, ...receivers: number[]) => ({
  id,
  position,
  links_to_receivers: receivers.map((receiver) => ({ receiver_id: receiver, type: 'DEFAULT' as const })),
});

describe('the parts of a text with templates', () => {
  test('templates of both languages are found, with what stands between', () => {
    const parts = templateParts('a <<b.c>> {{ d | e }}{% if f %}g');
    expect(parts.map(({ part, isTemplate }) => [part, isTemplate])).toEqual([
      ['a ', false],
      ['<<b.c>>', true],
      [' ', false],
      ['{{ d | e }}', true],
      ['{% if f %}', true],
      ['g', false],
    ]);
  });

  test('they are the text, whatever it is', () => {
    const piece = constantFrom('<<', '>>', '{{', '}}', '{%', '%}', 'x', '\n', '"');
    assert(
      property(array(piece), (pieces) => {
        const text = pieces.join('');
        expect(
          templateParts(text)
            .map(({ part }) => part)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('the places of actions', () => {
  test('a layout stays as it is', () => {
    const places = placesOf([action(1, { x: 15, y: 30 }, 2), action(2, { x: -15, y: 90 })]);
    expect([...places]).toEqual([
      [1, { x: 15, y: 30 }],
      [2, { x: -15, y: 90 }],
    ]);
  });

  test('without a layout, receivers stand below, in a circle too', () => {
    const places = placesOf([action(1, null, 2), action(2, null, 3), action(3, null, 2)]);
    expect(places.size).toBe(3);
    expect(places.get(2)!.y).toBeGreaterThan(places.get(1)!.y);
  });

  test('an action that the layout lacks stands below all others', () => {
    const places = placesOf([action(1, { x: 0, y: 300 }, 2), action(2, null)]);
    expect(places.get(2)!.y).toBeGreaterThan(300);
  });
});

test('an address names only what differs from the usual list, and means the same again', () => {
  expect(queryOf(filtersIn(''))).toBe('');
  const query = 'search=mail&folder=7&tag=soc&kind=DISABLED&order=NAME&page=3';
  expect(queryOf(filtersIn(query))).toBe(query);
  expect(filtersIn('order=constructor&kind=__proto__&folder=-1&page=x')).toEqual(filtersIn(''));
});

const from = '2026-11-26T10:00:00Z';

test('bars of runs stand on each other: all, then failed or cancelled, then cancelled', () => {
  const hour = { from, runs_started: 70, runs_ended: 60, runs_failed: 12, runs_cancelled: 6 };
  const [at, all, bad, off] = stackOf([hour], 3_600);
  expect(at).toEqual([Date.parse(from) / 1_000 + 1_800]);
  expect([all, bad, off]).toEqual([[60], [18], [6]]);
  expect(stackOf([hour], 60)[0]).toEqual([Date.parse(from) / 1_000 + 30]);
  expect(barWords(hour)).toMatch(/: 70 started, 42 completed, 12 failed, 6 cancelled$/);
});

const at = (time: string) => `2026-11-26T${time}Z`;

test('minutes that ended before figures were kept have none, unless there are sums of them', () => {
  const minutes = [0, 1, 2, 3].map((minute) => ({
    from: `2026-11-26T10:0${minute}:00Z`,
    runs_started: 0,
    runs_ended: 0,
    runs_failed: 0,
    runs_cancelled: 0,
  }));
  const first = (since: string | null, spans = minutes) => firstKept(spans, 60, since);
  expect([null, at('09:30:00'), at('10:00:59')].map((since) => first(since))).toEqual([0, 0, 0]);
  expect([at('10:01:00'), at('10:02:30'), at('10:04:00')].map((since) => first(since))).toEqual([1, 2, 4]);
  const moved = minutes.with(1, { ...minutes[1], runs_ended: 1 });
  expect(first(at('10:03:00'), moved)).toBe(1);
  expect(gapWords(at('10:00:00'))).toMatch(/^No data before \d/);
  expect(noFiguresWords(minutes[0])).toMatch(/^\d.*: no data$/);
});

test('a span that is not counted yet has no bar, one that is counted in part has', () => {
  const empty = { runs_started: 0, runs_ended: 0, runs_failed: 0, runs_cancelled: 0 };
  const minutes = ['10:00', '10:01', '10:02'].map((time) => ({ from: `2026-11-26T${time}:00Z`, ...empty }));
  const counted = (until: string) => countedPart(minutes, `2026-11-26T${until}Z`).length;
  expect(['09:00:00', '10:00:01', '10:01:00', '10:01:40', '10:30:00'].map(counted)).toEqual([0, 1, 1, 2, 3]);
});
