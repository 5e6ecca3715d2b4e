import type { RecordQuery } from './record-query.js';

/** Spans of whole days until now, today among them. */
export const PRESETS: readonly { days: string; words: string }[] = [
  { days: '1', words: 'Today' },
  { days: '7', words: 'Last 7 days' },
  { days: '30', words: 'Last 30 days' },
  { days: '90', words: 'Last 90 days' },
];

type Range = Pick<RecordQuery, 'from' | 'to'>;

/** Returns the range of a preset, from a midnight of the viewer on; any time for an empty one. `now` in milliseconds. */
export function presetRange(days: string, now: number): Range {
  return { from: days === '' ? '' : startOf(days, now), to: '' };
}

/** Returns the preset that a range is today; empty for any time, `other` for all else. */
export function presetOf({ from, to }: Range, now = Date.now()): string {
  if (from === '' && to === '') return '';
  const preset = to === '' ? PRESETS.find(({ days }) => startOf(days, now) === from) : undefined;
  return preset?.days ?? 'other';
}

function startOf(days: string, now: number): string {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - (Number(days) - 1));
  return start.toISOString();
}
