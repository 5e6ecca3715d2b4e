import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import type { Bar } from '../../../ui/charts/range-bars.js';
import type { RunFilters } from '../run-query.js';
import type { Buckets } from './run-range.js';

/** Runs are counted every ten seconds. */
const COUNTED_MS = 15_000;
/** More than any range has bars. */
const MOST_BARS = 200;

/** Returns the runs of each bar, the oldest first, and until when they are counted. */
export function useRunHistogram(
  { from, to, by }: Buckets,
  { story, drafts }: Pick<RunFilters, 'story' | 'drafts'>,
) {
  return useQuery({
    queryKey: keys.histogram({ from, to, by, story, drafts }),
    placeholderData: keepPreviousData,
    refetchInterval: COUNTED_MS,
    queryFn: async (): Promise<{ bars: Bar[]; countedUntil: string }> => {
      const { stats, counted_until: countedUntil } = await api.stats.get({
        by,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        per_page: MOST_BARS,
        ...(story !== undefined && { story_id: story }),
        ...(drafts && { test_mode: true }),
      });
      const bars = stats
        .map(({ from: start, to: end, runs_started: all, runs_failed: bad }) => ({
          from: Date.parse(start),
          to: Date.parse(end),
          all: all ?? 0,
          bad: bad ?? 0,
        }))
        .toReversed();
      return { bars, countedUntil };
    },
  });
}
