import type { Session } from '../../platform/mysql/session.js';
import type { DeliveryQueue } from '../../agents/delivery-queues.js';

/** A dead letter as one who acts on it has seen it. */
export interface LetterRef {
  id: number;
  generation: number;
  queue: DeliveryQueue;
  storyId: number;
}

/**
 * Makes dead letters deliveries again: as new, but for the count of retries by hand, which changes the idempotency key
 * (promise 2). The error stays until the next outcome. Only those that still are the dead letters they
 * were; gives them with their new generation, for their jobs. The relay looks for the jobs after `graceSeconds`.
 */
export async function reviveLetters(
  session: Session,
  letters: LetterRef[],
  graceSeconds: number,
): Promise<LetterRef[]> {
  const ascending = letters.map(({ id, generation }) => ({ id, generation })).toSorted((a, b) => a.id - b.id);
  const still = await lockLetters(session, ascending);
  if (still.size === 0) return [];
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.state = 'pending', d.generation = d.generation + 1, d.attempts = 0, d.losses = 0,
         d.retries = d.retries + 1, d.failed_at = NULL, d.due_at = NOW(3) + INTERVAL ? SECOND
     WHERE d.state = 'failed'`,
    [JSON.stringify([...still]), graceSeconds],
  );
  return letters
    .filter(({ id }) => still.has(id))
    .map((letter) => ({ ...letter, generation: letter.generation + 1 }));
}

/** Deletes those that still are the dead letters they were; gives how many. */
export async function deleteLetters(session: Session, letters: LetterRef[]): Promise<number> {
  const ascending = letters.map(({ id, generation }) => ({ id, generation })).toSorted((a, b) => a.id - b.id);
  const { affectedRows } = await session.run(
    `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', generation INT PATH '$.generation')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     WHERE d.generation = v.generation AND d.state = 'failed'`,
    [JSON.stringify(ascending)],
  );
  return affectedRows;
}

/**
 * Ascending, as all tokens are locked (rule 2), straight by the primary key. IN, as MySQL refuses FOR UPDATE beside a
 * JSON_TABLE (3569).
 */
async function lockLetters(
  session: Session,
  ascending: Pick<LetterRef, 'id' | 'generation'>[],
): Promise<Set<number>> {
  if (ascending.length === 0) return new Set();
  const rows = await session.rows<{ id: number; generation: number }>(
    `SELECT id, generation FROM deliveries FORCE INDEX (PRIMARY) WHERE id IN (?) AND state = 'failed'
     ORDER BY id FOR UPDATE`,
    [ascending.map(({ id }) => id)],
  );
  const known = new Map(ascending.map(({ id, generation }) => [id, generation]));
  return new Set(rows.filter(({ id, generation }) => known.get(id) === generation).map(({ id }) => id));
}
