import { deleteStoryDeliveries } from '../engine/state/story-deliveries-store.js';
import type { Database } from '../platform/mysql/database.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { StoryChanges } from './edit/story-changes.js';

/** After the commit that deleted a story: every process forgets it, and what waits in it is deleted. Never fails. */
export async function forgetStory(
  id: number,
  { database, changes }: { database: Pick<Database, 'read' | 'transaction'>; changes: StoryChanges },
): Promise<void> {
  await changes.announce(id);
  await changes.followUp(id, () => retryLockConflicts(() => deleteStoryDeliveries(database, id)));
}
