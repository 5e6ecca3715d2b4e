import { differencesText, type StoryDifference, withKnownGuids } from '../../../stories/face.js';
import type { ApiClient } from './api-client.js';
import { createBaseStore, rootOf } from './base-store.js';
import { differencesOf, isSameStory } from './compare-stories.js';
import { findServerStory, findStoryOfFiles, getStory, liveStory } from './server-stories.js';
import type { ReadStory } from './story-place.js';

/** Differences, and how they are shown. */
export interface ShownDifference {
  title: string;
  differences: StoryDifference[];
  lines: string[];
  isDifferent: boolean;
}

/** Returns what differs between two stories in files. */
export function storyDifference(before: ReadStory, after: ReadStory): ShownDifference {
  const { story } = withKnownGuids(after.story, before.story, undefined);
  const title = `${before.shown} → ${after.shown}`;
  return shownDifference(title, differencesOf(before.story, story), !isSameStory(before.story, story));
}

/** Returns what differs between the story on the server and its files. */
export async function serverDifference(api: ApiClient, local: ReadStory): Promise<ShownDifference> {
  const base = await createBaseStore(await rootOf(local.stem), api.url).read(local.stem);
  const { name } = local.story;
  const known = base === undefined ? await findStoryOfFiles(api, local.story, {}) : undefined;
  const target =
    base !== undefined
      ? await getStory(api, base.storyId)
      : known !== undefined && known !== 'several'
        ? known
        : await findServerStory(api, typeof name === 'string' ? name : '', {});
  const live = await liveStory(api, target.id);
  const { story } = withKnownGuids(local.story, live.story, base?.story);
  const title = `${local.shown}, compared with story ${target.id}`;
  return shownDifference(title, differencesOf(live.story, story), !isSameStory(live.story, story));
}

/** Returns differences with the lines that show them. */
export function shownDifference(
  title: string,
  differences: StoryDifference[],
  isDifferent: boolean,
): ShownDifference {
  const lines = differencesText(differences);
  const only = isDifferent ? ['  only the order of keys differs'] : ['  no differences'];
  return { title, differences, lines: lines.length === 0 ? only : lines, isDifferent };
}
