import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  DraftShadow,
  DraftShadowDifference,
  ListStoryDraftShadowDifferencesResponse,
} from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { keys } from '../../../../api/keys.js';
import type { DraftOf } from '../publish-data.js';

/** A shadow that goes on is asked for again after this time, in ms. */
const AGAIN_MS = 2_000;
/** More groups than a person looks at. */
const GROUPS = 100;
/** Runs of a list that are read at once: a list of them scrolls. */
const RUNS = 50;

/** Returns the newest shadow of a draft, or null; it is asked for again while it goes on. */
export function useShadow({ storyId, draftId }: DraftOf) {
  return useQuery({
    queryKey: keys.shadow(draftId),
    queryFn: async () => {
      const { shadows } = await api.stories.drafts.shadows.list({
        id: storyId,
        draft_id: draftId,
        per_page: 1,
      });
      return shadows[0] ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? AGAIN_MS : false),
  });
}

interface FoundSoFar extends ListStoryDraftShadowDifferencesResponse {
  /** The shadow, and how often it began. */
  of: string;
}

/** Returns the differences that a shadow has found so far, most runs first; those of an earlier one are not shown meanwhile. */
export function useShadowDifferences({ storyId, draftId }: DraftOf, shadow: DraftShadow | null | undefined) {
  const of = `${shadow?.id} ${shadow?.restarts}`;
  return useQuery({
    queryKey: keys.shadow(draftId, 'differences', of, shadow?.different),
    enabled: shadow !== null && shadow !== undefined && shadow.different > 0,
    placeholderData: (before: FoundSoFar | undefined) => (before?.of === of ? before : undefined),
    queryFn: async () => ({
      of,
      ...(await api.stories.drafts.shadows.differences.list({
        id: storyId,
        draft_id: draftId,
        shadow_id: shadow?.id ?? 0,
        per_page: GROUPS,
      })),
    }),
  });
}

/** The runs of a list: of a group of differences, or those that were not compared. */
export type RunsOf = { difference_id: number } | { verdict: 'not_compared' };

/**
 * Returns runs that a shadow lists, newest first, page by page. They are not read anew with each run that follows: `counted` is the
 * number that the shadow said it has when a page was read, `count` the present one.
 */
export function useShadowRuns(
  { storyId, draftId }: DraftOf,
  shadow: DraftShadow,
  { of, count }: { of: RunsOf; count: number },
) {
  return useInfiniteQuery({
    queryKey: keys.shadow(draftId, 'runs', shadow.id, shadow.restarts, of),
    queryFn: async ({ pageParam }) => ({
      counted: count,
      ...(await api.stories.drafts.shadows.runs.list({
        id: storyId,
        draft_id: draftId,
        shadow_id: shadow.id,
        per_page: RUNS,
        page: pageParam,
        ...of,
      })),
    }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => meta.next_page_number ?? undefined,
  });
}

/** Returns in how many runs at least each action did otherwise, by its guid: the most of its differences. */
export function differingRuns(
  differences: readonly DraftShadowDifference[] | undefined,
): ReadonlyMap<string, number> {
  const runs = new Map<string, number>();
  for (const { action, runs: count } of differences ?? [])
    runs.set(action.guid, Math.max(runs.get(action.guid) ?? 0, count));
  return runs;
}

/** Returns a trial of the present draft with one of the runs of a difference: it has the values. */
export function useExample({ draftId }: DraftOf, shadow: DraftShadow, runGuid: string) {
  return useQuery({
    queryKey: keys.shadow(draftId, 'example', shadow.draft_version, shadow.draft_changed, runGuid),
    staleTime: Number.POSITIVE_INFINITY,
    // The draft may be another one when the values are opened again.
    gcTime: 0,
    queryFn: () => api.trials.create({ draft_id: draftId, run_guid: runGuid }),
  });
}
