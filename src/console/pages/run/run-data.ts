import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import type { Step } from './run-tree.js';

/** Events of one response. */
const PAGE = 500;
const FOLLOW_MS = 3_000;
/** A run of more pages is read again at its end alone. */
const FOLLOWED_PAGES = 2;
const LOG_LINES = 100;
const MOST_ATTEMPTS = 100;

/** Pages that are loaded one after the other before the reader asks for more. */
const PAGES_AT_ONCE = 20;

/**
 * Returns a run with its events, page after page, and without their payloads: those are read when they are looked at.
 * `loadMore` is undefined while pages come, and once all are there.
 */
export function useRun(storyId: number, guid: string) {
  const [wanted, setWanted] = useState(PAGES_AT_ONCE);
  const run = useRunPages(storyId, guid);
  const { hasNextPage, isFetching, isError, fetchNextPage } = run;
  const loaded = run.data?.pages.length ?? 0;
  const comes = hasNextPage && loaded < wanted && !isError;
  useEffect(() => {
    if (comes && !isFetching) void fetchNextPage();
  }, [comes, isFetching, fetchNextPage]);
  const loadMore = () => {
    setWanted(loaded + PAGES_AT_ONCE);
    void fetchNextPage();
  };
  return { ...run, ...(hasNextPage && !comes && { loadMore }) };
}

function useRunPages(storyId: number, guid: string) {
  return useInfiniteQuery({
    queryKey: keys.story(storyId).run(guid),
    queryFn: async ({ pageParam: page }) => {
      const part = { page, per_page: PAGE, exclude_payloads: true };
      return api.stories.runs.get({ id: storyId, guid, ...part });
    },
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => meta.next_page_number ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      const isRunning = data?.pages[0]?.status === 'running';
      return isRunning && data.pages.length <= FOLLOWED_PAGES ? FOLLOW_MS : false;
    },
  });
}

/** Returns an event with all that its receivers see, or with its own output alone. */
export function useEvent(id: number | undefined, part: 'whole' | 'own') {
  return useQuery({
    queryKey: keys.event(id).part(part),
    enabled: id !== undefined,
    // Events do not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: () => api.events.get({ id: id ?? 0, exclude_previous_event_payloads: part === 'own' }),
  });
}

/** The beginning of a dry run of an action. */
export interface TrialStart {
  actionId: number;
  eventId: number | undefined;
  /** In place of an event, the input of the run. */
  input: unknown;
}

/** Returns what the action would do now with an event: nothing is sent, and nothing is stored. */
export function useDryRun({ actionId, eventId, input }: TrialStart) {
  return useQuery({
    queryKey: keys.dryRun(actionId, eventId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: () =>
      api.actions.dryRun({
        id: actionId,
        ...(eventId !== undefined && { event_id: eventId }),
        ...(eventId === undefined && isObject(input) && { event: input }),
      }),
  });
}

/** Returns the lines that an action wrote in a run, newest first. */
export function useRunLog(actionId: number, guid: string) {
  return useQuery({
    queryKey: keys.runLog(actionId, guid),
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (await api.actions.logs.list({ id: actionId, story_run_guid: guid, per_page: LOG_LINES })).action_logs,
  });
}

/** Returns the request that an event came of, as it was sent. */
export function useEventRequest(id: number | undefined) {
  return useQuery({
    queryKey: keys.event(id).request,
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: () => api.events.request.get({ id: id ?? 0 }),
  });
}

/** Returns the failed attempts of a step with their requests and responses, oldest first. */
export function useAttempts({ storyId, guid, step }: { storyId: number; guid: string; step: Step }) {
  const delivery = step.dead ?? step.open;
  const of =
    delivery === undefined
      ? { agent_id: step.actionId, ...(step.inputId !== undefined && { event_id: step.inputId }) }
      : { delivery_id: delivery.id };
  return useQuery({
    // A later failure of the same delivery is another answer.
    queryKey: keys.story(storyId).attempts(guid, { ...of, known: step.attempts.length }),
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (await api.stories.runs.attempts.list({ id: storyId, guid, ...of, per_page: MOST_ATTEMPTS })).attempts,
  });
}

/** Returns how far each action of a run has come, counted by the server; by its id. */
export function useRunActions(storyId: number, guid: string) {
  return useQuery({
    queryKey: keys.story(storyId).runActions(guid),
    placeholderData: keepPreviousData,
    queryFn: () => api.stories.runs.actions.count({ id: storyId, guid }),
  });
}

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
