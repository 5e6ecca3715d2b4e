import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { inputOf, type RunFilters } from './run-query.js';

const PAGE = 50;
const MOST_STORIES = 500;

/** Returns runs of all stories, newest first; each further page goes on where the last ended. */
export function useRuns(filters: RunFilters) {
  return useInfiniteQuery({
    queryKey: keys.runs(filters),
    queryFn: ({ pageParam: before }) =>
      api.runs.search({
        ...inputOf(filters, Date.now()),
        per_page: PAGE,
        ...(before !== undefined && { before }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_before ?? undefined,
  });
}

/** Returns the stories to choose from and to name, by name. */
export function useStoryNames() {
  return useQuery({
    queryKey: keys.stories.names,
    staleTime: 60_000,
    queryFn: async () => {
      const { stories } = await api.stories.list({ per_page: MOST_STORIES, order: 'NAME' });
      return new Map(stories.map(({ id, name }): [number, string] => [id, name]));
    },
  });
}
