import type { Actor } from '../../api/face.js';
import { AppError } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { findDraftIds } from '../drafts/draft-store.js';
import { forgetStory } from './forget-story.js';
import { deleteStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { findStoryPlaces } from './story-place-store.js';
import { lockedStory } from '../edit/story-editor.js';
import { type Expecting, requireExpected } from '../edit/story-version.js';

interface Deps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

/** Deletes the story with all its waiting work. @throws NotFound or Forbidden; PreconditionFailed. */
export function removeStory(actor: Actor, { id, ifMatch }: Expecting, deps: Deps): Promise<void> {
  const lock = async (session: Session) => requireExpected(ifMatch, await lockedStory(actor, id, session));
  return removeAll([id], lock, deps);
}

/**
 * Deletes the stories with all their waiting work, all or none.
 * @throws NotFound or Forbidden naming the first story that the actor may not see or change.
 */
export function removeStories(actor: Actor, ids: readonly number[], deps: Deps): Promise<void> {
  // In order, so that two such requests cannot wait for each other.
  const ascending = [...new Set(ids)].toSorted((a, b) => a - b);
  return removeAll(ascending, (session, id) => named(id, () => lockedStory(actor, id, session)), deps);
}

async function removeAll(
  ids: number[],
  lock: (session: Session, id: number) => Promise<unknown>,
  deps: Deps,
): Promise<void> {
  const { deleted, places } = await retryLockConflicts(() =>
    deps.database.transaction(async (session) => {
      for (const id of ids) await lock(session, id);
      const places = await findStoryPlaces(session, ids);
      const drafts: number[] = [];
      for (const id of ids) drafts.push(...(await findDraftIds(id, session)));
      for (const id of ids) await deleteStory(id, session);
      return { deleted: [...ids, ...drafts], places };
    }),
  );
  for (const id of deleted) await forgetStory(id, deps, places.get(id));
}

/** Adds the story's id to the refusal. */
async function named<T>(id: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 404 && error.status !== 403)) throw error;
    const problems = error.problems.map(({ message }) => ({
      message: `${message} (story ${id})`,
      details: 'ids',
    }));
    throw new AppError(error.status, problems, { cause: error });
  }
}
