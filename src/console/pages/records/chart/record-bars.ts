import type { ListedRecord } from '../../../../../clients/typescript/api.js';
import { valueText } from '../value-text.js';
import { isoOfRecord } from '../query/local-time.js';

/** Returns what a record adds to a bar: 1, or the number of a field. */
export type Weigh = (record: ListedRecord) => number;

/** Bars over time: the middle of each in seconds, its height, and its span in seconds. */
export interface TimeBars {
  times: number[];
  heights: number[];
  barSeconds: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPANS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];
/** More bars than that are lines. */
const MOST_BARS = 72;

/**
 * Returns bars by the time of creation: by hours, days, weeks or 30 days, whichever are the first that are few enough. Days
 * begin at midnight of the viewer: `offsetMs` is what UTC is ahead of that zone.
 */
export function barsByTime(records: readonly ListedRecord[], weigh: Weigh, offsetMs: number): TimeBars {
  const made = records.flatMap((record) => {
    const at = Date.parse(isoOfRecord(record.Timestamp) ?? '');
    return Number.isNaN(at) ? [] : [{ at: at - offsetMs, weight: weigh(record) }];
  });
  if (made.length === 0) return { times: [], heights: [], barSeconds: HOUR_MS / 1_000 };
  const first = made.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = made.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  const span = SPANS_MS.find((each) => (last - first) / each < MOST_BARS) ?? (last - first) / MOST_BARS;
  const start = Math.floor(first / span);
  const heights = Array.from({ length: Math.floor(last / span) - start + 1 }, () => 0);
  for (const { at, weight } of made) {
    const bar = Math.floor(at / span) - start;
    heights[bar] = (heights[bar] ?? 0) + weight;
  }
  const times = heights.map((_height, bar) => ((start + bar + 0.5) * span + offsetMs) / 1_000);
  return { times, heights, barSeconds: span / 1_000 };
}

/** One bar by value. */
export interface ValueBar {
  name: string;
  height: number;
}

/** Returns bars by the value of a field, the highest first, at most `most`; the last one then is all others together. */
export function barsByValue(
  records: readonly ListedRecord[],
  field: string,
  weigh: Weigh,
  most: number,
): ValueBar[] {
  const sums = new Map<string, number>();
  for (const record of records) {
    const name = valueText(record[field]) || '(empty)';
    sums.set(name, (sums.get(name) ?? 0) + weigh(record));
  }
  const bars = [...sums].map(([name, height]): ValueBar => ({ name, height }));
  bars.sort((a, b) => b.height - a.height);
  if (bars.length <= most) return bars;
  const others = bars.slice(most - 1);
  const height = others.reduce((sum, bar) => sum + bar.height, 0);
  return [...bars.slice(0, most - 1), { name: `${others.length} other values`, height }];
}
