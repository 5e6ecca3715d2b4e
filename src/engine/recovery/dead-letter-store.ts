import type { Session } from '../../platform/mysql/session.js';
import type { DeliveryQueue } from '../../agents/face.js';

/** A dead letter as the caller loaded it. */
export interface DeadLetterRef {
  id: number;
  generation: number;
  queue: DeliveryQueue;
  storyId: number;
}

/**
 * Makes dead letters pending deliveries again, except those changed since. They are like new, but with one more retry by
 * hand, which changes the idempotency key (promise 2); the error stays until the next outcome. Returns them with their new
 * generation, for their jobs. The relay checks for the jobs after `graceSeconds`.
 */
export async function reviveDeadLetters(
  session: Session,
  letters: DeadLetterRef[],
  graceSeconds: number,
): Promise<DeadLetterRef[]> {
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

/** Returns the generation that a revived delivery had as a dead letter, with the rest of its job. */
export function asDeadLetter<Job extends { generation: number }>(job: Job): Job {
  return { ...job, generation: job.generation - 1 };
}

/** Deletes these dead letters, except those changed since; returns the number deleted. */
export async function deleteDeadLetters(session: Session, letters: DeadLetterRef[]): Promise<number> {
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
 * Locks in ascending order, as everywhere (rule 2), by primary key. Uses IN because MySQL refuses FOR UPDATE with
 * JSON_TABLE (3569).
 */
async function lockLetters(
  session: Session,
  ascending: Pick<DeadLetterRef, 'id' | 'generation'>[],
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
