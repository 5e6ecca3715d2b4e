import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Draft, DraftComparison, DraftConflict } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { LONG_CALL } from '../../../api/long-calls.js';
import { useChange } from '../../../api/use-change.js';

/** A draft of a story. */
export interface DraftOf {
  storyId: number;
  draftId: number;
}

/** Returns what the publication of a draft would do. */
export function useComparison({ storyId, draftId }: DraftOf) {
  return useQuery({
    queryKey: keys.publication(draftId, 'diff'),
    queryFn: () => api.stories.drafts.diff.compare({ id: storyId, draft_id: draftId }),
  });
}

/**
 * Returns the conflicts of a comparison, those that it lists and those that were listed since, and what lists more. A draft or
 * story that has changed since is compared anew.
 */
export function useConflicts({ storyId, draftId }: DraftOf, comparison: DraftComparison) {
  const [listed, setListed] = useState({ of: comparison, more: NONE });
  const client = useQueryClient();
  const more = listed.of === comparison ? listed.more : NONE;
  const conflicts = useMemo(() => [...comparison.conflicts, ...more], [comparison, more]);
  const listing = useChange(
    () =>
      api.stories.drafts.diff.compare({
        id: storyId,
        draft_id: draftId,
        skipped_conflicts: conflicts.length,
      }),
    {
      old: [],
      onDone: (next) => {
        const isSame = SAME.every((key) => next[key] === comparison[key]);
        if (isSame) setListed({ of: comparison, more: [...more, ...next.conflicts] });
        else void client.invalidateQueries({ queryKey: keys.publication(draftId, 'diff') });
      },
    },
  );
  return { conflicts, isListing: listing.isPending, onMore: () => listing.mutate(undefined) };
}

const NONE: readonly DraftConflict[] = [];
/** These tell two comparisons apart. */
const SAME = ['base_version', 'live_version', 'conflict_count'] as const;

/** Returns what the check finds in a draft. */
export function useCheck(draftId: number) {
  return useQuery({
    queryKey: keys.publication(draftId, 'check'),
    queryFn: () => api.stories.check({ draft_id: draftId }),
  });
}

/** Runs the tests of a draft, once for each state of it while a page shows them, and returns what they give. */
export function useDraftTests({ id, story_id: storyId, updated_at: updatedAt }: TestedDraft) {
  return useQuery({
    queryKey: keys.draftTests(id, updatedAt),
    refetchOnWindowFocus: false,
    // A run that nobody waits for any more ends.
    queryFn: ({ signal }) =>
      api.stories.tests.runMany({ id: storyId, draft_id: id }, { ...LONG_CALL.tests, signal }),
  });
}

/** A draft as it is now. */
export type TestedDraft = Pick<Draft, 'id' | 'story_id' | 'updated_at'>;

/** Returns the open change request of a draft, or null. */
export function useChangeRequest({ storyId, draftId }: DraftOf, isControlled: boolean) {
  return useQuery({
    queryKey: keys.publication(draftId, 'request'),
    enabled: isControlled,
    queryFn: async () =>
      (await api.stories.changeRequest.get({ id: storyId, draft_id: draftId })).change_request,
  });
}
