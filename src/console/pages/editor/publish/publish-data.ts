import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';

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

/** Returns what the check finds in a draft. */
export function useCheck(draftId: number) {
  return useQuery({
    queryKey: keys.publication(draftId, 'check'),
    queryFn: () => api.stories.check({ draft_id: draftId }),
  });
}

/** Returns the open change request of a draft, or null. */
export function useChangeRequest({ storyId, draftId }: DraftOf, isControlled: boolean) {
  return useQuery({
    queryKey: keys.publication(draftId, 'request'),
    enabled: isControlled,
    queryFn: async () =>
      (await api.stories.changeRequest.get({ id: storyId, draft_id: draftId })).change_request,
  });
}
