import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { useChange } from '../../api/use-change.js';
import { isolated } from '../../text/isolated.js';
import { say } from '../../ui/overlay/toasts.js';

/** A list of one page is asked for again after this time, one of ten pages after ten times as long. */
const AGAIN_MS = 20_000;
const PAGE = 200;

/** The schedules that were read, those that are due next first, and how many there are. */
export interface ReadSchedules {
  schedules: Schedule[];
  count: number;
}

/**
 * Returns schedules with their starts up to a time, perhaps of one story: page after page, until there are `most` of them.
 * `isReading`: further pages follow by themselves.
 */
export function useSchedules({
  story,
  until,
  most,
}: {
  story: number | undefined;
  until: string;
  most: number;
}) {
  const query = useInfiniteQuery({
    queryKey: keys.schedules(story, until),
    placeholderData: keepPreviousData,
    initialPageParam: 1,
    queryFn: ({ pageParam: page }) =>
      api.schedules.list({
        page,
        per_page: PAGE,
        starts_until: until,
        ...(story !== undefined && { story_id: story }),
      }),
    getNextPageParam: ({ meta }) => meta.next_page_number ?? undefined,
    refetchInterval: (asked) => AGAIN_MS * (asked.state.data?.pages.length ?? 1),
  });
  const { data, error, refetch, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = query;
  const isReading =
    hasNextPage && !isPlaceholderData && error === null && (data?.pages.length ?? 0) * PAGE < most;
  const wantsPage = isReading && !isFetching;
  useEffect(() => {
    if (wantsPage) void fetchNextPage();
  }, [wantsPage, fetchNextPage]);
  return { data: useMemo(() => data && joined(data.pages), [data]), error, refetch, isReading };
}

/** A schedule that has just started a run stands later in the list, perhaps on two pages. */
function joined(pages: readonly { schedules: Schedule[]; meta: { count: number } }[]): ReadSchedules {
  const all = pages.flatMap(({ schedules }) => schedules);
  const byId = new Map(all.map((schedule) => [schedule.id, schedule]));
  return { schedules: [...byId.values()], count: pages.at(-1)?.meta.count ?? 0 };
}

/** Pauses and resumes a schedule; the message of a pause undoes it. `onDone` is called when it has succeeded. */
export function usePause({ id, action }: Schedule, onDone: () => void) {
  const name = isolated(action.name);
  const pausing = useChange((paused: boolean) => api.schedules.update({ id, paused }), {
    old: ['schedules'],
    // The undo of its message may come while lists are still read again.
    isParallel: true,
    onDone: ({ paused_at: pausedAt }) => {
      onDone();
      if (pausedAt === null) return say(`The schedule of ${name} is resumed.`);
      say(`The schedule of ${name} is paused.`, 'ok', { name: 'Undo', onDo: () => pausing.mutate(false) });
    },
  });
  return pausing;
}
