import { HIGHEST_LOOKBACK } from '../../../agents/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../../platform/mysql/session.js';
import { deleteSeenValues } from '../../state/deliveries/deduplicate-store.js';
import { deleteMemory, lockMemories, saveMemory } from '../../../stories/face.js';
import { DEDUPLICATE_MEMORY, type DeduplicateState } from './settle-duplicates.js';

/** Values left after that are deleted with the next ones that the action lets through. */
const DELETE_FOR_MS = 10_000;

/**
 * Lets an agent forget the values that it has let through (deduplicate) and its last slot (throttle). Outcomes of workers
 * are decided under the same lock: each sees the memory from before, or none. Deliveries that wait for a slot or a group
 * go on waiting.
 */
export async function clearAgentMemory(
  database: Pick<Database, 'transaction' | 'read'>,
  agentId: number,
): Promise<void> {
  const upToSeq = await retryLockConflicts(() => database.transaction((session) => forget(session, agentId)));
  if (upToSeq === undefined) return;
  const until = performance.now() + DELETE_FOR_MS;
  while (performance.now() < until) {
    const deleted = await retryLockConflicts(() =>
      database.read((session) => deleteSeenValues(session, agentId, upToSeq)),
    );
    if (deleted === 0) return;
  }
}

/**
 * Values can be a million, so they are not deleted under the lock: the numbers go on beyond every lookback, and the values
 * up to the last number do not count any more. Returns that number; undefined if there are none.
 */
async function forget(session: Session, agentId: number): Promise<number | undefined> {
  let upToSeq: number | undefined;
  for (const { name, value } of await lockMemories(session, agentId)) {
    if (name !== DEDUPLICATE_MEMORY) await deleteMemory(session, { agentId, name });
    else {
      const { seq } = JSON.parse(value) as DeduplicateState;
      upToSeq = seq;
      await saveMemory(session, { agentId, name, value: { seq: seq + HIGHEST_LOOKBACK } });
    }
  }
  return upToSeq;
}
