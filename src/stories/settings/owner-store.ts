import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** Returns the ids of each story's owners, in the order in which they were added, by story id. */
export async function findOwners(storyIds: number[], session: Session): Promise<Map<number, number[]>> {
  const rows = await session.rows<{ storyId: number; userId: number }>(
    'SELECT story_id AS storyId, user_id AS userId FROM story_owners WHERE story_id IN (?) ORDER BY id',
    [idsOrNone(storyIds)],
  );
  const owners = new Map<number, number[]>();
  for (const { storyId, userId } of rows) owners.set(storyId, [...(owners.get(storyId) ?? []), userId]);
  return owners;
}

/** Adds an owner. A user who is one already gives a duplicate-key error. */
export async function insertOwner(storyId: number, userId: number, session: Session): Promise<void> {
  await session.run('INSERT INTO story_owners (story_id, user_id) VALUES (?)', [[storyId, userId]]);
}

/** Returns false if the user is no owner of the story. */
export async function deleteOwner(storyId: number, userId: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM story_owners WHERE story_id = ? AND user_id = ?', [
    storyId,
    userId,
  ]);
  return affectedRows > 0;
}

/** Takes all owners from a story that is deleted. */
export async function deleteOwners(storyId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM story_owners WHERE story_id = ?', [storyId]);
}
