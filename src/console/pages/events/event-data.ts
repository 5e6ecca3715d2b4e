import { useInfiniteQuery } from '@tanstack/react-query';
import type { Event, RunSearchMeta } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { inputOf } from '../runs/run-query.js';
import type { EventFilters } from './event-query.js';
import { comparedPart, mayHaveValue } from './event-match.js';
import type { OlderPart } from './older-part.js';

const PAGE = 50;
/** Runs of one search; the newest events of each are read. */
const RUNS = 10;
export const EVENTS_OF_RUN = 200;

/** A page of events, newest first, and where the next one goes on. */
export interface EventPageOf {
  events: Event[];
  next: string | undefined;
  /** Older events of the runs of this page, which were not compared. */
  older: OlderPart[];
  /** How far the runs were searched; undefined without a search. */
  meta: RunSearchMeta | undefined;
}

/** Returns events, newest first. A value is looked for by the search of runs, then in the events of those. */
export function useEvents(filters: EventFilters) {
  const isSearch = filters.path !== '' || filters.value !== '';
  return useInfiniteQuery({
    queryKey: keys.events(filters),
    queryFn: ({ pageParam }) => (isSearch ? searched(filters, pageParam) : listed(filters, pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

async function listed(filters: EventFilters, from: string | undefined): Promise<EventPageOf> {
  const { story, action } = filters;
  const { since, until } = inputOf({ ...filters, status: '', source: '', drafts: false }, Date.now());
  const { events } = await api.events.list({
    per_page: PAGE,
    ...(story !== undefined && { story_id: story }),
    ...(action !== undefined && { action_id: action }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    // Pages would move as events come in; ids do not.
    ...(from !== undefined && { until_id: Number(from) }),
  });
  const last = events.at(-1);
  const goesOn = events.length === PAGE && last !== undefined && last.id > 1;
  return { events, next: goesOn ? String(last.id - 1) : undefined, older: [], meta: undefined };
}

async function searched(filters: EventFilters, before: string | undefined): Promise<EventPageOf> {
  const wanted = inputOf({ ...filters, status: '', source: '', drafts: false }, Date.now());
  const { story_runs: runs, meta } = await api.runs.search({
    ...wanted,
    per_page: RUNS,
    ...(before !== undefined && { before }),
  });
  const pages = await Promise.all(
    runs.map(({ guid, story_id: story }) =>
      api.events.list({
        story_id: story,
        story_run_guid: guid,
        per_page: EVENTS_OF_RUN,
        ...(filters.action !== undefined && { action_id: filters.action }),
      }),
    ),
  );
  const compared = pages.map(({ events, meta }) => ({ all: comparedPart(events), count: meta.count }));
  const events = compared.flatMap(({ all }) => all).filter((event) => mayHaveValue(event, filters));
  const older = compared.flatMap(({ all, count }): OlderPart[] => {
    const last = all.at(-1);
    if (last === undefined || count <= all.length) return [];
    const { story_id: storyId, story_run_guid: guid } = last;
    return [{ guid, storyId, untilId: last.id - 1, left: count - all.length }];
  });
  return { events, next: meta.next_before ?? undefined, older, meta };
}

/** Compares a page of older events of a run, the newest first. `isLast`: no older one follows. */
export async function findOlder(
  { guid, storyId }: OlderPart,
  untilId: number,
  filters: EventFilters,
): Promise<{ events: Event[]; ids: number[]; isLast: boolean }> {
  const { events, meta } = await api.events.list({
    story_id: storyId,
    story_run_guid: guid,
    until_id: untilId,
    per_page: EVENTS_OF_RUN,
    ...(filters.action !== undefined && { action_id: filters.action }),
  });
  const compared = comparedPart(events);
  return {
    events: compared.filter((event) => mayHaveValue(event, filters)),
    ids: compared.map(({ id }) => id),
    isLast: meta.count <= compared.length,
  };
}
