import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';

/** Whether a story has ever run; undefined until it is known. Runs that retention has removed are not counted. */
export function useHasRun(storyId: number, enabled: boolean): boolean | undefined {
  return useQuery({
    queryKey: keys.story(storyId).hasRun,
    enabled,
    queryFn: async () => (await api.stories.runs.list({ id: storyId, per_page: 1 })).story_runs.length > 0,
  }).data;
}
