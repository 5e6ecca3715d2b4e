import type { Session } from '../../platform/mysql/session.js';
import type { StoryRecord } from '../story/story-store.js';
import { type AnsweringOwner, findAnsweringOwners } from './answering-owner-store.js';
import { findOwners } from './owner-store.js';
import { findAgentsByGuid } from './settings-store.js';
import { readStorySettings, type StorySettings } from './story-settings.js';

/** A story as the API shows it whole: with its settings, and the ids of the agents that they name. */
export interface StoryView extends Omit<StoryRecord, 'settings'> {
  settings: StorySettings;
  entryId: number | null;
  exitIds: number[];
  apiEntryIds: number[];
  apiExitIds: number[];
  /** Ids of users. */
  owners: number[];
  /** Undefined: nobody answers for it. */
  owner: AnsweringOwner | undefined;
}

/** Returns the stories whole, in their order, with three statements at most. */
export async function viewStories(stories: StoryRecord[], session: Session): Promise<StoryView[]> {
  const ids = stories.map(({ id }) => id);
  const settings = stories.map((story) => readStorySettings(story.settings));
  const named = await findAgentsByGuid(settings.flatMap(guidsIn), session);
  // By story and guid: the guid of another story's agent names none here.
  const agents = new Map(named.map(({ id, storyId, guid }) => [`${storyId} ${guid}`, id]));
  const owners = await findOwners(ids, session);
  const answering = await findAnsweringOwners(
    stories.filter(hasOwner).map(({ id }) => id),
    session,
  );
  return stories.map((story, index) => {
    const own = settings[index] ?? readStorySettings({});
    const idsOf = (guids: string[]) => guids.flatMap((guid) => agents.get(`${story.id} ${guid}`) ?? []);
    return {
      ...story,
      settings: own,
      entryId: idsOf(own.entryGuid === undefined ? [] : [own.entryGuid])[0] ?? null,
      exitIds: idsOf(own.exitGuids),
      apiEntryIds: idsOf(own.apiEntryGuids),
      apiExitIds: idsOf(own.apiExitGuids),
      owners: owners.get(story.id) ?? [],
      owner: answering.get(story.id),
    };
  });
}

const hasOwner = ({ ownerUserId, ownerTeamId }: StoryRecord) => ownerUserId !== null || ownerTeamId !== null;

/** The same as `viewStories`, for one. */
export async function viewStory(story: StoryRecord, session: Session): Promise<StoryView> {
  const [view] = await viewStories([story], session);
  if (view === undefined) throw new Error(`Story ${story.id} has no view`);
  return view;
}

function guidsIn({ entryGuid, exitGuids, apiEntryGuids, apiExitGuids }: StorySettings): string[] {
  return [...(entryGuid === undefined ? [] : [entryGuid]), ...exitGuids, ...apiEntryGuids, ...apiExitGuids];
}
