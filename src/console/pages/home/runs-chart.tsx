import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Statistics } from '../../../../clients/typescript/api.js';
import { useColours } from '../../app/theme.js';
import { stackOf } from './chart-data.js';

const HEIGHT = 190;
/** Seconds. */
const HALF_HOUR = 1_800;

/** Ended runs a minute, by the hour: stacked bars of completed, failed and cancelled ones. */
export function RunsChart({ hours }: { hours: Statistics[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return undefined;
    const plot = new uPlot(optionsFor(parent.clientWidth), stackOf(hours), parent);
    const watcher = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: HEIGHT }));
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // Colours are drawn into the canvas, so another theme is another chart.
  }, [hours, colours]);
  return <div ref={frame} className="runs-chart" role="img" aria-label={`Runs by hour: ${inWords(hours)}`} />;
}

function inWords(hours: Statistics[]): string {
  const most = hours.toSorted((a, b) => (b.runs_ended ?? 0) - (a.runs_ended ?? 0))[0];
  if (most === undefined) return 'none';
  return `the most, ${most.runs_ended ?? 0}, ended in the hour from ${new Date(most.from).toLocaleTimeString()}`;
}

function optionsFor(width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const bars = uPlot.paths.bars?.({ size: [0.72, 40] });
  const series = (label: string, name: string): uPlot.Series => ({
    label,
    fill: colour(name),
    width: 0,
    points: { show: false },
    ...(bars !== undefined && { paths: bars }),
  });
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
      // Half an hour more at both ends: bars are as wide as hours.
      x: { range: (_plot, low, high) => [low - HALF_HOUR, high + HALF_HOUR] },
      y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, 0.1)] },
    },
    axes: [
      { ...axis, grid: { show: false } },
      {
        ...axis,
        size: 46,
        values: (_plot, splits) => splits.map((value) => String(Number(value.toFixed(2)))),
      },
    ],
    // The tallest is drawn first, the others over it.
    series: [
      {},
      series('completed', '--chart-ok'),
      series('failed', '--chart-bad'),
      series('cancelled', '--chart-off'),
    ],
  };
}
