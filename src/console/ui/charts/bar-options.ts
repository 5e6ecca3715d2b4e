import uPlot from 'uplot';
import { LOCALE } from '../../text/locale.js';

const WORDS = 'no data';
/** The smallest text of the console. */
const FONT_PX = 12;
/** Room on both sides of the words, in pixels. */
const ROOM = 8;

/** The name and the colour of each series. */
export type BarSeries = readonly (readonly [string, string])[];

/** The height of the plot with its axis, in pixels. */
export const PLOT_HEIGHT = 190;
/** The least height of the upper edge, so that a chart of nothing has a scale. */
const LEAST_TOP = 1;
/** Steps of an axis of whole numbers. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

const DAY_SECONDS = 86_400;
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });

interface BarPlot {
  width: number;
  series: BarSeries;
  barSeconds: number;
  /** Whether the axis has whole numbers alone. */
  isWhole: boolean;
  /** Returns how many of the first bars have no figures, whenever the plot is drawn. */
  gap: () => number;
  /** Told of the bar that a person points at, or of none. */
  onBar: ((bar: number | undefined) => void) | undefined;
}

/** Returns the options of a plot of bars, in the colours of the theme. */
export function optionsFor({ width, series, barSeconds, isWhole, gap, onBar }: BarPlot): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = style.getPropertyValue('--font');
  const bars = uPlot.paths.bars?.({ size: [0.72, 40] });
  const axis: uPlot.Axis = {
    stroke: colour('--ink-faint'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `${FONT_PX}px ${font}`,
  };
  return {
    width,
    height: PLOT_HEIGHT,
    legend: { show: false },
    cursor: {
      show: onBar !== undefined,
      y: false,
      points: { show: false },
      drag: { x: false, y: false, setScale: false },
    },
    hooks: {
      setCursor: [({ cursor }) => onBar?.(cursor.idx ?? undefined)],
      drawClear: [
        (plot) =>
          drawGap(plot, {
            bars: gap(),
            barSeconds,
            fill: colour('--sunken'),
            ink: colour('--ink-faint'),
            font,
          }),
      ],
    },
    padding: [12, 28, 0, 0],
    scales: {
      // Half a bar more at both ends: a bar stands on both sides of its middle.
      x: { range: (_plot, low, high) => [low - barSeconds / 2, high + barSeconds / 2] },
      y: { range: (_plot, low, high) => [Math.min(low, 0), Math.max(high * 1.1, LEAST_TOP)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, splits) => timeWords(splits),
      },
      {
        ...axis,
        size: 46,
        ...(isWhole && { incrs: WHOLE_STEPS }),
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

interface Gap {
  /** How many of the first bars have no figures. */
  bars: number;
  barSeconds: number;
  fill: string;
  ink: string;
  font: string;
}

/** Draws the place of bars without figures, with a word where it fits: an empty place alone would be zero. */
function drawGap(plot: uPlot, { bars, barSeconds, fill, ink, font }: Gap) {
  const last = plot.data[0][bars - 1];
  if (last === undefined) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const end = plot.valToPos(last + barSeconds / 2, 'x', true);
  ctx.save();
  ctx.fillStyle = fill;
  ctx.fillRect(bbox.left, bbox.top, end - bbox.left, bbox.height);
  ctx.font = `${FONT_PX * ratio}px ${font}`;
  ctx.fillStyle = ink;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const fits = ctx.measureText(WORDS).width + 2 * ROOM * ratio < end - bbox.left;
  if (fits) ctx.fillText(WORDS, (bbox.left + end) / 2, bbox.top + bbox.height / 2);
  ctx.restore();
}

/** Returns times in seconds as the viewer's language writes them; the first one of a day has its date below. */
function timeWords(times: readonly number[]): string[] {
  const [first = 0, second = 0] = times;
  const dates = times.map((time) => day.format(time * 1_000));
  if (second - first >= DAY_SECONDS) return dates;
  return times.map((time, place) => {
    const date = dates[place] === dates[place - 1] ? '' : `\n${dates[place]}`;
    return `${clock.format(time * 1_000)}${date}`;
  });
}
