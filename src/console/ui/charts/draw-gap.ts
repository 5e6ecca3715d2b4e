import type uPlot from 'uplot';

const WORDS = 'no data';
const FONT_PX = 11;
/** Room on both sides of the words, in pixels. */
const ROOM = 8;

interface Gap {
  /** How many of the first bars have no figures. */
  bars: number;
  barSeconds: number;
  fill: string;
  ink: string;
}

/** Draws the place of bars without figures, with a word where it fits: an empty place alone would be zero. */
export function drawGap(plot: uPlot, { bars, barSeconds, fill, ink }: Gap) {
  const last = plot.data[0][bars - 1];
  if (last === undefined) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const end = plot.valToPos(last + barSeconds / 2, 'x', true);
  ctx.save();
  ctx.fillStyle = fill;
  ctx.fillRect(bbox.left, bbox.top, end - bbox.left, bbox.height);
  ctx.font = `${FONT_PX * ratio}px system-ui`;
  ctx.fillStyle = ink;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const fits = ctx.measureText(WORDS).width + 2 * ROOM * ratio < end - bbox.left;
  if (fits) ctx.fillText(WORDS, (bbox.left + end) / 2, bbox.top + bbox.height / 2);
  ctx.restore();
}
