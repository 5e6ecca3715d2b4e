import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Run, StoryTrial } from '../../../../../clients/typescript/api.js';
import { api, sendText } from '../../../api/console-api.js';
import { keys, ofKind } from '../../../api/keys.js';
import { useMutation } from '../../../api/use-mutation.js';
import type { Need } from '../gallery-story.js';
import { lackedBy } from './sample-input.js';

const MOST = 500;
/** Sample secrets open nothing, and go to no real server. */
const SAMPLE_HOSTS = ['*.example.com'];

/** Returns the values that the team of a story lacks. */
export function useLacked(teamId: number, needs: readonly Need[]) {
  return useQuery({
    queryKey: keys.lacked(
      teamId,
      needs.map(({ name }) => name),
    ),
    queryFn: async () => {
      const asked = { team_id: teamId, per_page: MOST };
      const [{ global_resources: resource }, { user_credentials: credential }] = await Promise.all([
        api.globalResources.list(asked),
        api.userCredentials.list(asked),
      ]);
      return lackedBy(needs, { resource, credential });
    },
  });
}

/** Makes values with what the gallery has as their samples. Credentials may go to hosts for examples alone. */
export function useMakeSamples(teamId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (needs: readonly Need[]) => {
      for (const { kind, name, means, sample } of needs) {
        const made = { name, team_id: teamId, description: `${means} (sample from the gallery)` };
        if (kind === 'resource') await api.globalResources.create({ ...made, value: sample });
        else {
          const secret = { mode: 'TEXT' as const, value: String(sample), allowed_hosts: SAMPLE_HOSTS };
          await api.userCredentials.create({ ...made, ...secret });
        }
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('lacked') }),
  });
}

/** Runs the story in memory on an event, with the samples of the gallery in place of other servers. */
export async function trySample(storyId: number, event: string, answers: object[]): Promise<StoryTrial> {
  const rest = JSON.stringify({ story_id: storyId, responses: answers }).slice(0, -1);
  return JSON.parse(await sendText('POST', '/api/v1/trials', `${rest},"event":${event}}`)) as StoryTrial;
}

/** Starts a run of the story with an event. */
export async function sendSample(storyId: number, event: string): Promise<Run> {
  return JSON.parse(await sendText('POST', `/api/v1/stories/${storyId}/runs`, `{"payload":${event}}`)) as Run;
}
