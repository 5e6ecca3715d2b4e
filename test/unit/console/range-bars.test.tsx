import { fireEvent, render, screen } from '@testing-library/react';
import { type Bar, RangeBars } from '../../../src/console/ui/charts/range-bars.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-29T20:00:00Z');
const bars: Bar[] = Array.from({ length: 10 }, (_, at) => ({
  from: START + at * HOUR,
  to: START + (at + 1) * HOUR,
  all: at * 2,
  bad: at === 5 ? 3 : 0,
}));

function shown(range?: { from: number; to: number }) {
  const chosen: [number, number][] = [];
  render(
    <RangeBars
      bars={bars}
      range={range}
      label="Runs over time"
      note="90 runs"
      aside={null}
      onRange={({ from, to }) => chosen.push([(from - START) / HOUR, (to - START) / HOUR])}
    />,
  );
  const chart = screen.getByRole('slider', { name: 'Runs over time' });
  chart.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
  return { chart, chosen };
}

it('chooses a range by a drag in either direction, and one bar by a press', () => {
  const { chart, chosen } = shown();
  fireEvent.pointerDown(chart, { clientX: 145, button: 0 });
  fireEvent.pointerMove(chart, { clientX: 205 });
  expect(chart.getAttribute('aria-valuetext')).toContain('28 runs, 3 failed');
  fireEvent.pointerUp(chart, { clientX: 205 });
  fireEvent.pointerDown(chart, { clientX: 500, button: 0 });
  fireEvent.pointerMove(chart, { clientX: 241 });
  fireEvent.pointerUp(chart, { clientX: 241 });
  fireEvent.pointerDown(chart, { clientX: 101, button: 0 });
  fireEvent.pointerUp(chart, { clientX: 101 });
  expect(chosen).toEqual([
    [2, 6],
    [7, 10],
    [0, 1],
  ]);
});

it('chooses nothing by moving over it, with another button, or when the drag is taken away', () => {
  const { chart, chosen } = shown();
  fireEvent.pointerMove(chart, { clientX: 145 });
  fireEvent.pointerUp(chart, { clientX: 145 });
  fireEvent.pointerDown(chart, { clientX: 145, button: 2 });
  fireEvent.pointerUp(chart, { clientX: 145 });
  fireEvent.pointerDown(chart, { clientX: 145, button: 0 });
  fireEvent.pointerCancel(chart);
  fireEvent.pointerUp(chart, { clientX: 145 });
  expect(chosen).toEqual([]);
});

it('chooses a range with the keyboard', () => {
  const { chart, chosen } = shown();
  const press = (key: string, shiftKey = false) => fireEvent.keyDown(chart, { key, shiftKey });
  press('Home');
  press('ArrowRight');
  expect(chart.getAttribute('aria-valuenow')).toBe('1');
  press('ArrowRight', true);
  press('ArrowRight', true);
  press('Enter');
  press('End', true);
  press('Escape');
  press('Enter');
  expect(chosen).toEqual([
    [1, 4],
    [9, 10],
  ]);
});

it('marks the chosen range among its bars', () => {
  const { chart } = shown({ from: START + 2 * HOUR, to: START + 5 * HOUR });
  const band = chart.querySelector('rect');
  expect([band?.getAttribute('x'), band?.getAttribute('width')]).toEqual(['2', '3']);
});

it('names days where they begin, not where its bars do', () => {
  const week = Array.from({ length: 7 * 24 }, (_, at) => ({
    from: START + at * HOUR,
    to: START + (at + 1) * HOUR,
    all: 1,
    bad: 0,
  }));
  render(
    <RangeBars bars={week} range={undefined} label="A week" note="" aside={null} onRange={() => undefined} />,
  );
  const named = [...document.querySelectorAll<HTMLElement>('.range-bars-times span')].map(({ style }) =>
    Math.round((Number.parseFloat(style.left) / 100) * week.length),
  );
  expect(named.length).toBeGreaterThan(2);
  for (const at of named) expect(new Date(START + at * HOUR).getHours()).toBe(0);
});
