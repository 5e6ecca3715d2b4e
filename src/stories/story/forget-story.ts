import { deleteStoryDeliveries } from '../activity/story-deliveries-store.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { StoryOwner } from './story-place-store.js';
import type { StoryChanges } from '../edit/story-changes.js';

/**
 * After the commit that deleted a story: every process forgets it, and what waits in it is deleted. `place`: whose it was,
 * for who is told of it. Never fails.
 */
export async function forgetStory(
  id: number,
  { database, changes }: { database: Pick<Database, 'read' | 'transaction'>; changes: StoryChanges },
  place?: StoryOwner,
): Promise<void> {
  await changes.announce(id, place);
  await changes.followUp(id, () => retryLockConflicts(() => deleteStoryDeliveries(database, id)));
}
