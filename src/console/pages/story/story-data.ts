import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { keys } from '../../api/keys.js';
import type { Graph } from '../../canvas/graph.js';

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
/** The most that one response may hold; larger stories come in several. */
const PAGE = 500;
const MOST_DRAFTS = 100;
/** Schedules of one response: an action has at most twenty. */
const MOST_SCHEDULES = 200;

/** A story, or one of its drafts. */
export interface Place {
  storyId: number;
  draftId: number | undefined;
}

/** Returns the parts of a request that name a story, or one of its drafts. */
export const inPlace = ({ storyId, draftId }: Place) => ({
  id: storyId,
  ...(draftId !== undefined && { draft_id: draftId }),
});

/** Returns the settings of a story. */
export function useStory(id: number) {
  return useQuery({ queryKey: keys.story(id).self, queryFn: () => api.stories.get({ id }) });
}

/** Whether the signed-in person may change a story; undefined until the story is known. */
export function useMayChange(storyId: number): boolean | undefined {
  const story = useStory(storyId);
  const may = useMay('write', story.data?.team_id);
  return story.isPending ? undefined : may;
}

/** Returns its drafts. */
export function useDrafts(id: number) {
  return useQuery({
    queryKey: keys.story(id).drafts,
    queryFn: async () => (await api.stories.drafts.list({ id, per_page: MOST_DRAFTS })).drafts,
  });
}

/** Returns the schedules of its actions, those that are due next first. */
export function useStorySchedules(id: number, enabled = true) {
  return useQuery({
    queryKey: keys.story(id).schedules,
    enabled,
    queryFn: async () => (await api.schedules.list({ story_id: id, per_page: MOST_SCHEDULES })).schedules,
  });
}

/** Returns actions, links and notes. */
export function useGraph(place: Place) {
  return useQuery({
    queryKey: keys.place(place).graph,
    queryFn: async (): Promise<Graph> => {
      const { storyId, draftId } = place;
      const found = {
        story_id: storyId,
        per_page: PAGE,
        ...(draftId !== undefined && { draft_id: draftId }),
      };
      const [actions, notes] = await Promise.all([
        allOf(api.stories.actions.all({ ...inPlace(place), per_page: PAGE })),
        allOf(api.notes.all(found)),
      ]);
      return { actions, notes };
    },
  });
}

/** Returns each action with what waits for it and whether it failed, by its id. */
export function useActivity(place: Place) {
  return useQuery({
    queryKey: keys.place(place).activity,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const asked = { ...inPlace(place), per_page: PAGE, include_live_activity: true };
      const actions = await allOf(api.stories.actions.all(asked));
      return new Map(actions.map((action) => [action.id, action]));
    },
  });
}

/** Returns the sums of each action over a span until now, by its id. The API counts whole hours. */
export function useActionCounts({ storyId, draftId }: Place, hours: number) {
  return useQuery({
    queryKey: keys.place({ storyId, draftId }).sums(hours),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
    queryFn: async () => {
      const from = new Date(Date.now() - (hours - 1) * HOUR_MS).toISOString();
      const asked = { by: 'action' as const, story_id: draftId ?? storyId, from, per_page: PAGE };
      const { stats } = await api.stats.get({
        ...asked,
        ...(draftId !== undefined && { test_mode: true }),
      });
      return new Map(stats.map((item): [number, Statistics] => [item.action_id ?? 0, item]));
    },
  });
}

/** Returns the types of actions with the meaning of their options, by type. */
export function useAgentTypes() {
  return useQuery({
    queryKey: keys.agentTypes,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { agent_types: types } = await api.agentTypes.list({ per_page: PAGE });
      return new Map(types.map((type) => [type.type, type]));
    },
  });
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
