import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { DeadLetter, LogLine } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import type { GroupName, LetterFilters } from './letter-filters.js';

const PAGE = 100;
/** Lines of a log in one response, each with its event, and those that are looked through. */
const LOG_PAGE = 50;
const MOST_LINES = 1_000;

/** Returns the groups of dead letters with a part of the error, perhaps of one story; or that one group which is named. */
export function useLetterGroups({ error, story, group }: LetterFilters) {
  return useQuery({
    queryKey: keys.letters.groups(error, story, group),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.deadLetters.groups.list({
        ...(story !== undefined && { story_id: story }),
        ...(group !== undefined && filterOf(group)),
        ...(error !== '' && { error }),
      }),
  });
}

/** Returns the letters of a group, newest first. */
export function useGroupLetters(group: GroupName) {
  return useInfiniteQuery({
    queryKey: keys.letters.ofGroup(group),
    queryFn: ({ pageParam: page }) => api.deadLetters.list({ ...filterOf(group), page, per_page: PAGE }),
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
    queryKey: keys.event(eventId).part('own'),
    enabled: eventId !== null,
    queryFn: () => api.events.get({ id: eventId ?? 0, exclude_previous_event_payloads: true }),
  });
}

/** Returns the request that the last attempt of a letter sent; `sent_request` null: none is found. */
export function useLetterRequest(letter: DeadLetter) {
  return useQuery({
    queryKey: keys.letter(letter.id).request(letter.failed_at),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async () => {
      const line = await lastErrorOf(letter);
      if (line === undefined) return { sent_request: null };
      return api.actions.logs.request.get({ id: letter.agent_id, log_id: line.id });
    },
  });
}

/** Returns the line about the failure of a letter: the newest error of its action about its event. */
async function lastErrorOf(letter: DeadLetter): Promise<LogLine | undefined> {
  const { agent_id: id, agent_name: name, story_run_guid: guid, event_id: eventId } = letter;
  // A deleted action has no log.
  if (name === null) return undefined;
  const errors = api.actions.logs.all({
    id,
    story_run_guid: guid,
    severity: 'error',
    per_page: LOG_PAGE,
  });
  let looked = 0;
  for await (const line of errors) {
    if (line.inbound_event_id === eventId) return line;
    looked += 1;
    if (looked === MOST_LINES) return undefined;
  }
  return undefined;
}
