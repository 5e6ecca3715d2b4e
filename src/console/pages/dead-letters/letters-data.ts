import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import type { LetterFilters } from './letter-filters.js';

const PAGE = 500;
/** Groups are made of this many of the newest letters; the page says so where there are more. */
const MOST_PAGES = 4;

/** The newest dead letters, and how many there are in all. */
export interface Letters {
  letters: DeadLetter[];
  count: number;
}

/** Returns the newest dead letters with a part of the error, perhaps of one story. */
export function useLetters({ error, story }: Pick<LetterFilters, 'error' | 'story'>) {
  return useQuery({
    queryKey: ['dead-letters', 'all', error, story],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Letters> => {
      const asked = {
        per_page: PAGE,
        ...(error !== '' && { error }),
        ...(story !== undefined && { story_id: story }),
      };
      const letters: DeadLetter[] = [];
      for (let page = 1; ; page += 1) {
        const { dead_letters: more, meta } = await api.listDeadLetters({ ...asked, page });
        letters.push(...more);
        if (page === MOST_PAGES || page >= meta.pages) return { letters, count: meta.count };
      }
    },
  });
}

/** Returns the event that failed, without those before it. */
export function useFailedEvent(eventId: number | null) {
  return useQuery({
    queryKey: ['event', eventId],
    enabled: eventId !== null,
    queryFn: () => api.getEvent({ id: eventId ?? 0, exclude_previous_event_payloads: true }),
  });
}
