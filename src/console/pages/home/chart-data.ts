import type { Statistics } from '../../../../clients/typescript/api.js';

type Hour = Pick<Statistics, 'from' | 'runs_ended' | 'runs_failed' | 'runs_cancelled'>;

/**
 * Returns times (seconds, the middle of each hour) and heights of stacked bars, in runs: all that ended, those that
 * failed or were cancelled, those that were cancelled. Each bar is drawn over the one before.
 */
export function stackOf(hours: readonly Hour[]): [number[], number[], number[], number[]] {
  return [
    hours.map(({ from }) => Date.parse(from) / 1_000 + 1_800),
    hours.map(({ runs_ended: ended }) => ended ?? 0),
    hours.map(({ runs_failed: failed, runs_cancelled: cancelled }) => (failed ?? 0) + (cancelled ?? 0)),
    hours.map(({ runs_cancelled: cancelled }) => cancelled ?? 0),
  ];
}
