import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useColours } from '../../app/theme.js';

const HEIGHT = 190;
/** The least height of the upper edge, so that a chart of nothing has a scale. */
const LEAST_TOP = 1;

interface BarChartProps {
  /** The middle of each bar, in seconds; the heights of each series beside it. The tallest series comes first. */
  data: [number[], ...number[][]];
  /** The name and the colour of each series. */
  series: [string, string][];
  /** How long the span of a bar is, in seconds. */
  barSeconds: number;
  /** The chart in words, for people who do not see it. */
  label: string;
}

/** Bars over time; those of later series are drawn over the earlier ones. */
export function BarChart({ data, series, barSeconds, label }: BarChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return undefined;
    const plot = new uPlot(optionsFor(parent.clientWidth, series, barSeconds), data, parent);
    const watcher = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: HEIGHT }));
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // Colours are drawn into the canvas, so another theme is another chart.
  }, [data, series, barSeconds, colours]);
  return <div ref={frame} className="bar-chart" role="img" aria-label={label} />;
}

function optionsFor(width: number, series: readonly [string, string][], barSeconds: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const bars = uPlot.paths.bars?.({ size: [0.72, 40] });
  const axis: uPlot.Axis = {
    stroke: colour('--ink-faint'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [12, 16, 0, 0],
    scales: {
      // Half a bar more at both ends: a bar stands on both sides of its middle.
      x: { range: (_plot, low, high) => [low - barSeconds / 2, high + barSeconds / 2] },
      y: { range: (_plot, low, high) => [Math.min(low, 0), Math.max(high * 1.1, LEAST_TOP)] },
    },
    axes: [
      { ...axis, grid: { show: false } },
      {
        ...axis,
        size: 46,
        values: (_plot, splits) => splits.map((value) => String(Number(value.toFixed(2)))),
      },
    ],
    series: [
      {},
      ...series.map(
        ([label, name]): uPlot.Series => ({
          label,
          fill: colour(name),
          width: 0,
          points: { show: false },
          ...(bars !== undefined && { paths: bars }),
        }),
      ),
    ],
  };
}
