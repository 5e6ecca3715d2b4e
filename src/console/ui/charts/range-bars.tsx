import './range-bars.css';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { LOCALE } from '../../text/locale.js';
import { countWords, nounWords } from '../words/figures.js';

/** The runs of a part of time (in milliseconds): all of them, and how many were bad. */
export interface Bar {
  from: number;
  to: number;
  all: number;
  bad: number;
}

/** Bars from one to another, both included. */
interface Marked {
  first: number;
  last: number;
}

interface RangeBarsProps {
  /** The oldest first. */
  bars: readonly Bar[];
  /** The range that is chosen, in milliseconds; undefined: none is. */
  range: { from: number; to: number } | undefined;
  label: string;
  /** Words for all bars, shown while no bar is pointed at. */
  note: string;
  /** Stands beside the words. */
  aside: ReactNode;
  onRange: (range: { from: number; to: number }) => void;
}

const HEIGHT = 100;
/** The least height of a bar that is not zero. */
const LEAST = 4;
const TIMES = 4;
const DAY_MS = 24 * 60 * 60_000;

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short' });
const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });

/** Bars over time. A drag marks a range of them; so do Shift and the arrow keys, with Enter to choose it. */
export function RangeBars({ bars, range, label, note, aside, onRange }: RangeBarsProps) {
  const [at, setAt] = useState<number>();
  const [marked, setMarked] = useState<Marked>();
  const [origin, setOrigin] = useState<number>();
  const last = bars.length - 1;
  const shown = Math.min(at ?? last, last);
  const choose = (given: Marked) => {
    const { first, last: end } = inOrder(given);
    const [from, to] = [bars[first]?.from, bars[end]?.to];
    setMarked(undefined);
    setOrigin(undefined);
    if (from !== undefined && to !== undefined) onRange({ from, to });
  };
  const barUnder = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || last < 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const bar = barUnder(event);
    setOrigin(bar);
    setMarked({ first: bar, last: bar });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (last < 0) return;
    const bar = barUnder(event);
    setAt(bar);
    if (origin !== undefined) setMarked({ first: origin, last: bar });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      const next = Math.max(0, Math.min(to, last));
      setAt(next);
      setMarked(event.shiftKey ? { first: marked?.first ?? shown, last: next } : undefined);
    } else if (event.key === 'Enter') choose(marked ?? { first: shown, last: shown });
    else if (event.key === 'Escape' && marked !== undefined) setMarked(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (last < 0) return null;
  const words = marked === undefined ? wordsOf(bars.slice(shown, shown + 1)) : wordsOf(partOf(bars, marked));
  return (
    <div>
      <div
        className="range-bars"
        role="slider"
        tabIndex={0}
        aria-label={label}
        title="Drag to choose a time range; or Shift with the arrow keys, then Enter"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={words}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => marked !== undefined && origin !== undefined && choose(marked)}
        onPointerCancel={() => {
          setMarked(undefined);
          setOrigin(undefined);
        }}
        onPointerLeave={() => setAt(undefined)}
        onFocus={() => setAt(shown)}
        onBlur={() => {
          setAt(undefined);
          setMarked(undefined);
        }}
      >
        <Drawn bars={bars} marked={marked ?? markedBy(bars, range)} at={at} />
        <div className="range-bars-times" aria-hidden="true">
          {timesOf(bars).map(({ from, share }) => (
            <span key={from} style={{ left: `${share * 100}%` }}>
              {timeWords(from, bars)}
            </span>
          ))}
        </div>
      </div>
      <div className="range-bars-foot">
        <p className="range-bars-words">{at === undefined && marked === undefined ? note : words}</p>
        {aside}
      </div>
    </div>
  );
}

interface DrawnProps {
  bars: readonly Bar[];
  marked: Marked | undefined;
  at: number | undefined;
}

function Drawn({ bars, marked, at }: DrawnProps) {
  const most = Math.max(1, ...bars.map(({ all, bad }) => Math.max(all, bad)));
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT));
  const band = marked && inOrder(marked);
  return (
    <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {band !== undefined && (
        <rect
          x={band.first}
          y={0}
          width={band.last - band.first + 1}
          height={HEIGHT}
          fill="var(--accent)"
          opacity={0.16}
        />
      )}
      {at !== undefined && <rect x={at} y={0} width={1} height={HEIGHT} fill="var(--hover)" />}
      {bars.map(({ from, all, bad }, index) => {
        const [whole, failed] = [height(Math.max(all, bad)), height(bad)];
        return (
          <g key={from}>
            <rect x={index + 0.12} y={HEIGHT - whole} width={0.76} height={whole} fill="var(--chart-ok)" />
            <rect x={index + 0.12} y={HEIGHT - failed} width={0.76} height={failed} fill="var(--chart-bad)" />
          </g>
        );
      })}
    </svg>
  );
}

const inOrder = ({ first, last }: Marked): Marked => ({
  first: Math.min(first, last),
  last: Math.max(first, last),
});

function partOf(bars: readonly Bar[], marked: Marked): readonly Bar[] {
  const { first, last } = inOrder(marked);
  return bars.slice(first, last + 1);
}

/** Returns the bars that a range is of; undefined: none, or all. */
function markedBy(bars: readonly Bar[], range: RangeBarsProps['range']): Marked | undefined {
  if (range === undefined) return undefined;
  const first = bars.findIndex(({ to }) => to > range.from);
  const last = bars.findLastIndex(({ from }) => from < range.to);
  return first === -1 || last < first || last - first + 1 === bars.length ? undefined : { first, last };
}

/** Returns bars in words: `Mon 30 Nov 22:00–23:00: 120 runs, 3 failed`. */
function wordsOf(bars: readonly Bar[]): string {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return '';
  const sum = (of: 'all' | 'bad') => bars.reduce((total, bar) => total + bar[of], 0);
  return `${day.format(first.from)} ${clock.format(first.from)} to ${endWords(first.from, last.to)}: ${nounWords(sum('all'), 'run')}, ${countWords(sum('bad'))} failed`;
}

function endWords(from: number, to: number): string {
  const isSameDay = day.format(from) === day.format(to);
  return isSameDay ? clock.format(to) : `${day.format(to)} ${clock.format(to)}`;
}

/** Returns the beginnings of some bars, and how far from the left they are, from 0 to 1. A day is named where it begins. */
function timesOf(bars: readonly Bar[]): { from: number; share: number }[] {
  const named = lengthOf(bars) > 2 * DAY_MS ? bars.filter(isFirstOfDay) : bars;
  const step = Math.max(1, Math.round(named.length / TIMES));
  const room = bars.length * (1 - 1 / (2 * TIMES));
  return named
    .filter((_bar, at) => at % step === 0)
    .map((bar) => ({ from: bar.from, index: bars.indexOf(bar) }))
    .filter(({ index }) => index <= room)
    .map(({ from, index }) => ({ from, share: index / bars.length }));
}

const isFirstOfDay = ({ from }: Bar, index: number, bars: readonly Bar[]) =>
  index > 0 && day.format(from) !== day.format(bars[index - 1]?.from);

const lengthOf = (bars: readonly Bar[]) => (bars.at(-1)?.to ?? 0) - (bars[0]?.from ?? 0);

function timeWords(time: number, bars: readonly Bar[]): string {
  const length = lengthOf(bars);
  if (length > 2 * DAY_MS) return day.format(time);
  return length > DAY_MS / 2 ? `${weekday.format(time)} ${clock.format(time)}` : clock.format(time);
}
