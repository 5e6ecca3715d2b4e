import type { Session } from '../../../platform/mysql/session.js';
import type { TeamRepository } from '../repository-store.js';
import { changesIn } from './sync-types.js';
import {
  listSyncedStories,
  listTeamStories,
  type SyncedStory,
  type TeamStory,
} from './synced-story-store.js';

/**
 * Whether a sync has nothing to do if the branch is at the commit of the last one: that came to its end, left nothing open, and no
 * story was changed since.
 */
export async function isSettled(repository: TeamRepository, session: Session): Promise<boolean> {
  const { id, teamId, direction, lastError, lastReport, left, conflicts } = repository;
  if (lastError !== null || lastReport === null || left > 0 || conflicts > 0) return false;
  if (changesIn(repository).some(({ state }) => state !== 'done')) return false;
  const rows = new Map((await listSyncedStories(id, session)).map((row) => [row.storyId, row]));
  const stories = await listTeamStories(teamId, session);
  const known = stories.filter((story) => rows.has(story.id));
  return (
    known.length === rows.size &&
    (direction === 'pull' || known.length === stories.length) &&
    known.every((story) => isSynced(story, rows.get(story.id)))
  );
}

/** Whether nothing of a story is open, and it was not changed since its last sync. */
export function isSynced({ version }: TeamStory, row: SyncedStory | undefined): boolean {
  return (
    row !== undefined &&
    row.digest !== null &&
    row.storyVersion === version &&
    row.pushedDigest === null &&
    row.draftId === null
  );
}
