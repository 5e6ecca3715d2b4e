import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { DeadLetter, DeadLetterCanary } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { sinceInput } from '../runs/run-query.js';
import type { GroupName, LetterFilters } from './letter-filters.js';

const PAGE = 100;

/** Returns the groups of dead letters with a part of the error, of one story, of a time; or that one group which is named. */
export function useLetterGroups({ error, story, span, group }: Omit<LetterFilters, 'letter'>) {
  return useQuery({
    queryKey: keys.letters.groups(error, story, span, group),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.deadLetters.groups.list({
        ...(story !== undefined && { story_id: story }),
        ...(group !== undefined && filterOf(group)),
        ...(error !== '' && { error }),
        ...sinceInput(span),
      }),
  });
}

/** A retry that goes on is followed closely; one that waits, for a quota perhaps, is not. */
const MOVING_MS = 20_000;
const MOVING_AGAIN_MS = 1_000;
const WAITING_AGAIN_MS = 10_000;
/** Since when each response is as it is: an equal one is the same object. */
const sameSince = new WeakMap<DeadLetterCanary, number>();

/** Returns in how many milliseconds a canary retry is asked for again; false: never, it has ended. `now` in milliseconds. */
export function canaryAgainMs(canary: DeadLetterCanary | null | undefined, now: number): number | false {
  if (!canary || !isOpen(canary)) return false;
  const since = sameSince.get(canary) ?? now;
  sameSince.set(canary, since);
  return now - since < MOVING_MS ? MOVING_AGAIN_MS : WAITING_AGAIN_MS;
}

/** Returns the newest canary retry of a group; it is asked for again while something of it runs. */
export function useCanary(group: GroupName) {
  return useQuery({
    queryKey: keys.canary(group),
    queryFn: async () => {
      const { canaries } = await api.deadLetters.canaries.list({ ...filterOf(group), per_page: 1 });
      return canaries[0] ?? null;
    },
    refetchInterval: ({ state: { data } }) => canaryAgainMs(data, Date.now()),
  });
}

/** Whether something of a canary retry still runs. */
export function isOpen(canary: Pick<DeadLetterCanary, 'ended_at'> | null | undefined): boolean {
  return canary?.ended_at === null;
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

/** Returns a letter with its attempts, oldest first, each with its request and response. */
export function useLetterAttempts(letter: DeadLetter) {
  return useQuery({
    queryKey: keys.letter(letter.id).attempts(letter.failed_at),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async () => (await api.deadLetters.get({ id: letter.id })).attempt_log,
  });
}
