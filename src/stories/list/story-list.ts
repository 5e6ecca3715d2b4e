import { type Actor, requireTeam, visibleTeamIds } from '../../api/face.js';
import { countActivity, NO_ACTIVITY, type StoryActivity } from '../activity/story-activity-store.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Cursor, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Page } from '../../platform/mysql/statements/page-query.js';
import { redactStory } from '../agents/hidden-options.js';
import { type StoryView, viewStories } from '../settings/story-view.js';
import { visibleFolderTeam } from '../story/story-home.js';
import { countStories, listStories, type StoryFilter } from './story-list-store.js';
import type { StoryRecord } from '../story/story-store.js';

/** The filters of a list of stories (spec §3.2). */
export interface StoryQuery extends Omit<StoryFilter, 'tenantId' | 'teamIds'> {
  teamId?: number | undefined;
}

/** A whole story; with its activity if that was asked for. */
export interface ListedStory {
  story: StoryView;
  activity?: StoryActivity;
}

/** A page of stories; `next` is the place where the next page begins, if the list is newest first. */
export interface StoryPage extends Page<ListedStory> {
  next?: Cursor | null | undefined;
}

type Reads = Pick<Database, 'read'>;

/** Returns every story that the actor may see. @throws NotFound for an unknown team or folder. */
export async function listAllStories(
  actor: Actor,
  query: StoryQuery,
  database: Reads,
): Promise<StoryRecord[]> {
  const filter = await filterOf(actor, query, database);
  const { items: stories } = await database.read((session) => listStories(filter, undefined, session));
  return stories.map((story) => redactStory(actor, story));
}

/** Returns a page of whole stories. @throws NotFound as `listAllStories`. */
export async function listStoryPage(
  actor: Actor,
  { window, withActivity, ...query }: StoryQuery & { window: WalkWindow; withActivity: boolean },
  database: Reads,
): Promise<StoryPage> {
  const filter = await filterOf(actor, query, database);
  return database.read(async (session) => {
    const total = await countStories(filter, session);
    const { items: found, next } = await listStories(filter, window, session);
    const shown = found.map((story) => redactStory(actor, story));
    const stories = await viewStories(shown, session);
    if (!withActivity) return { items: stories.map((story) => ({ story })), total, next };
    const activity = await countActivity(
      stories.map(({ id }) => id),
      session,
    );
    const items = stories.map((story) => ({ story, activity: activity.get(story.id) ?? NO_ACTIVITY }));
    return { items, total, next };
  });
}

async function filterOf(
  actor: Actor,
  { teamId, ...query }: StoryQuery,
  database: Reads,
): Promise<StoryFilter> {
  if (teamId !== undefined) requireTeam(actor, teamId, 'read');
  await visibleFolderTeam(actor, query.folderId, database);
  const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
  return { ...query, tenantId: actor.tenantId, teamIds };
}
