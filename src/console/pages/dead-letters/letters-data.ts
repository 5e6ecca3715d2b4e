import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import type { GroupName, LetterFilters } from './letter-filters.js';

const PAGE = 100;

/** Returns the groups of dead letters with a part of the error, perhaps of one story; or that one group which is named. */
export function useLetterGroups({ error, story, group }: LetterFilters) {
  return useQuery({
    queryKey: ['dead-letters', 'groups', error, story, group],
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.listDeadLettersGroups({
        ...(story !== undefined && { story_id: story }),
        ...(group !== undefined && filterOf(group)),
        ...(error !== '' && { error }),
      }),
  });
}

/** Returns the letters of a group, newest first. */
export function useGroupLetters(group: GroupName) {
  return useInfiniteQuery({
    queryKey: ['dead-letters', 'of', group],
    queryFn: ({ pageParam: page }) => api.listDeadLetters({ ...filterOf(group), page, per_page: PAGE }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => meta.next_page_number ?? undefined,
  });
}

/** Returns the filter that selects the letters of a group. */
export function filterOf({ storyId, actionId, kind }: GroupName) {
  return { story_id: storyId, agent_id: actionId, error_kind: kind };
}

/** Returns the event that failed, without those before it. */
export function useFailedEvent(eventId: number | null) {
  return useQuery({
    queryKey: ['event', eventId],
    enabled: eventId !== null,
    queryFn: () => api.getEvent({ id: eventId ?? 0, exclude_previous_event_payloads: true }),
  });
}
