import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { type Place, useActionCounts, useActivity, useStorySchedules } from '../story-data.js';

const MINUTES = 60;

/** What of a story or of one of its actions stops when it is disabled; undefined: it is not known yet. */
export interface Stops {
  used: Use | undefined;
  /** Its schedules that start runs, and when the next one does. */
  schedules: { count: number; nextAt: string | undefined } | undefined;
  /** Events that wait in it. */
  waiting: number | undefined;
}

/** How much it was used lately. */
export interface Use {
  /** Calls of its webhook. */
  calls: number;
  /** Runs of a story, events of an action. */
  count: number;
  /** The time in ms from which on is counted; undefined: nothing was. */
  since: number | undefined;
}

/** Returns what stops when the story of a place is disabled, or one of its actions. */
export function useStops({ place, actionId }: { place: Place; actionId?: number | undefined }): Stops {
  const { storyId, draftId } = place;
  const ofStory = useLastHour(storyId, actionId === undefined);
  const ofAction = useActionUse(place, actionId);
  const schedules = useStorySchedules(storyId, draftId === undefined);
  const activity = useActivity(place).data;
  const isOf = (id: number) => actionId === undefined || id === actionId;
  const due = schedules.data
    ?.filter(({ action, paused_at: pausedAt }) => isOf(action.id) && !action.disabled && pausedAt === null)
    .map(({ next_at: next }) => next)
    .toSorted();
  const waits = activity && [...activity.values()].filter(({ id }) => isOf(id));
  return {
    used: actionId === undefined ? ofStory : ofAction,
    schedules: due && { count: due.length, nextAt: due[0] },
    waiting: waits?.reduce((sum, { pending_action_runs_count: count = 0 }) => sum + count, 0),
  };
}

function useLastHour(storyId: number, enabled: boolean): Use | undefined {
  return useQuery({
    queryKey: keys.story(storyId).lastHour,
    enabled,
    queryFn: async (): Promise<Use> => {
      const { stats, from } = await api.stats.get({ by: 'minute', story_id: storyId, per_page: MINUTES });
      return {
        calls: stats.reduce((sum, { webhook_calls: calls }) => sum + calls, 0),
        count: stats.reduce((sum, { runs_started: started }) => sum + (started ?? 0), 0),
        since: Date.parse(from),
      };
    },
  }).data;
}

/** Actions are counted by whole hours: those of this hour and of the one before. */
function useActionUse(place: Place, actionId = 0): Use | undefined {
  const counts = useActionCounts(place, 2).data;
  const own = counts?.get(actionId);
  if (counts === undefined) return undefined;
  return { calls: own?.webhook_calls ?? 0, count: own?.events ?? 0, since: own && Date.parse(own.from) };
}
