import type { Session } from '../../platform/mysql/session.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import { type ActionRename, withRenamedActions } from './edit-tests.js';

/** Names actions anew in the tests of a story that is locked. `kept`: the names of its other actions. */
export async function renameInTests(
  storyId: number,
  { renames, kept }: { renames: readonly ActionRename[]; kept: readonly string[] },
  session: Session,
): Promise<void> {
  const before = await findExtra(storyId, session);
  const extra = withRenamedActions(before, renames, kept);
  if (extra !== before) await updateStory(storyId, { extra }, session);
}
