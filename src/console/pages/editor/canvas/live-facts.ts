import { useMemo } from 'react';
import type { ActionFacts } from '../../../canvas/draft-elements.js';
import { useActionCounts, useActivity } from '../../story/story-data.js';
import { useEditor } from '../editor-context.js';

/** Returns what waits, failed and was counted at each action of the story or the draft, by its id. */
export function useLiveFacts(): ReadonlyMap<number, ActionFacts> {
  const { storyId, draftId } = useEditor();
  const place = { storyId, draftId };
  const activity = useActivity(place).data;
  const counts = useActionCounts(place, 1).data;
  return useMemo(
    () =>
      new Map(
        [...(activity ?? [])].map(([id, live]) => [
          id,
          {
            waiting: live.pending_action_runs_count ?? 0,
            failed: live.not_working ?? false,
            events: counts?.get(id)?.events,
          },
        ]),
      ),
    [activity, counts],
  );
}
