import './bar-chart.css';
import { type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useColours } from '../browser/theme.js';
import { type BarSeries, optionsFor, PLOT_HEIGHT } from './bar-options.js';

interface BarChartProps {
  /** The middle of each bar, in seconds; the heights of each series beside it. The tallest series comes first. */
  data: [number[], ...number[][]];
  series: BarSeries;
  /** How long the span of a bar is, in seconds. */
  barSeconds: number;
  /** Heights are whole numbers, and so are those of the axis. */
  isWhole?: boolean;
  /** How many of the first bars have no figures: they are a gap, which is not zero. */
  gap?: number;
  /** The chart in words, for people who do not see it. */
  label: string;
  /** Words for a bar, shown while a person points at it or reaches it with arrow keys; otherwise `note` is shown. */
  reading?: { wordsOf: (bar: number) => string; note: string };
}

/** Bars over time; those of later series are drawn over the earlier ones. */
export function BarChart(props: BarChartProps) {
  // Colours are drawn into the canvas, so another theme is another chart.
  return <Plot key={useColours()} {...props} />;
}

function Plot({ data, series, barSeconds, isWhole = false, gap = 0, label, reading }: BarChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [bar, setBar] = useState<number>();
  const isRead = reading !== undefined;
  const latestGap = useEffectEvent(() => gap);
  const draw = useEffectEvent(
    (options: uPlot.Options, parent: HTMLElement) => new uPlot(options, data, parent),
  );
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return undefined;
    const width = parent.clientWidth;
    const onBar = isRead ? setBar : undefined;
    const options = optionsFor({ width, series, barSeconds, isWhole, gap: () => latestGap(), onBar });
    const made = draw(options, parent);
    plot.current = made;
    const watcher = new ResizeObserver(() =>
      made.setSize({ width: parent.clientWidth, height: PLOT_HEIGHT }),
    );
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
      setBar(undefined);
    };
    // New data are no other chart: the effect below draws them.
  }, [series, barSeconds, isWhole, isRead]);
  useEffect(() => plot.current?.setData(data), [data]);

  if (reading === undefined) return <div ref={frame} className="bar-chart" role="img" aria-label={label} />;
  const last = data[0].length - 1;
  const shown = Math.min(bar ?? last, last);
  const point = (to: number) =>
    plot.current?.setCursor({ left: plot.current.valToPos(data[0][to] ?? 0, 'x'), top: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    point(Math.max(0, Math.min(to, last)));
  };
  const onFocus = ({ currentTarget }: FocusEvent) => {
    // A press of the pointer has its own place.
    if (currentTarget.matches(':focus-visible')) point(shown);
  };
  return (
    <>
      <div
        ref={frame}
        className="bar-chart"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={reading.wordsOf(shown)}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={() => plot.current?.setCursor({ left: -1, top: -1 })}
      />
      <p className="bar-words" aria-hidden="true">
        {bar === undefined ? reading.note : reading.wordsOf(shown)}
      </p>
    </>
  );
}
