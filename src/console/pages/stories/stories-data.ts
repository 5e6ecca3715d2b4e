import { useQuery } from '@tanstack/react-query';
import type { ActiveStory, Folder, PageMeta, Statistics } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { isolated } from '../../text/isolated.js';

/** A page of stories. */
export interface StoryList {
  stories: ActiveStory[];
  meta: PageMeta;
}

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** Folders and tags of one response; more of them than that do not fit a list to choose from. */
const MOST = 500;
const COUNTS_FRESH_MS = 60_000;

/** Returns all folders of stories. */
export function useFolders() {
  return useQuery({
    queryKey: keys.folders,
    queryFn: async () => (await api.folders.list({ content_type: 'STORY', per_page: MOST })).folders,
  });
}

/** Returns all tags. */
export function useTags() {
  return useQuery({
    queryKey: keys.tags,
    queryFn: async () => (await api.tags.list({ per_page: MOST })).tags,
  });
}

/** Returns what happened in each story within the last day, by the id of the story. */
export function useDayOfStories() {
  return useQuery({
    queryKey: keys.stats.dayOfStories,
    staleTime: COUNTS_FRESH_MS,
    queryFn: async () => {
      const { stats } = await api.stats.get({
        by: 'story',
        from: new Date(Date.now() - DAY_MS).toISOString(),
        per_page: MOST,
      });
      return new Map(stats.map((item): [number, Statistics] => [item.story_id ?? 0, item]));
    },
  });
}

/** Returns the runs of one story by hour, the oldest first, over the last day. */
export function useHoursOf(storyId: number, enabled: boolean) {
  return useQuery({
    queryKey: keys.story(storyId).hours,
    enabled,
    staleTime: 5 * COUNTS_FRESH_MS,
    queryFn: async () => {
      const from = new Date(Date.now() - DAY_MS + HOUR_MS).toISOString();
      const { stats } = await api.stats.get({ by: 'hour', story_id: storyId, from, per_page: 25 });
      return stats.toReversed();
    },
  });
}

/** Returns the name of a folder with those that hold it: `Security / Mail`. */
export function folderPath(folders: readonly Folder[], id: number | null): string {
  const names: string[] = [];
  // A folder that held itself would have no end.
  for (let at = id; at !== null && names.length < 20; ) {
    const folder = folders.find((each) => each.id === at);
    if (folder === undefined) break;
    names.unshift(folder.name);
    at = folder.parent_folder_id;
  }
  return names.map(isolated).join(' / ');
}
