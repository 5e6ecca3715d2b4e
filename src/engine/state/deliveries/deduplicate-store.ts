import type { Session } from '../../../platform/mysql/session.js';

/** A value that a deduplicate agent let through. */
export interface SeenValue {
  seq: number;
  ageMs: number;
}

/** Values deleted by one statement. */
const TRIM_ROWS = 1_000;

/** Returns the stored values with these digests, by digest. */
export async function findSeenValues(
  session: Session,
  agentId: number,
  digests: string[],
): Promise<Map<string, SeenValue>> {
  const rows = await session.rows<SeenValue & { digest: string }>(
    `SELECT digest, seq, TIMESTAMPDIFF(MICROSECOND, seen_at, NOW(3)) DIV 1000 AS ageMs
     FROM deduplicated_values WHERE agent_id = ? AND digest IN (?)`,
    [agentId, digests],
  );
  return new Map(rows.map(({ digest, ...value }) => [digest, value]));
}

/** Stores values as let through now. The caller has locked the agent's memory (`lockMemory`). */
export async function rememberValues(
  session: Session,
  agentId: number,
  values: { digest: string; seq: number }[],
): Promise<void> {
  await session.run(
    `REPLACE INTO deduplicated_values (agent_id, digest, seq, seen_at)
     SELECT ?, CONVERT(v.digest USING ascii), v.seq, NOW(3)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (digest CHAR(64) PATH '$.digest', seq BIGINT PATH '$.seq')) v`,
    [agentId, JSON.stringify(values)],
  );
}

/** Deletes up to `TRIM_ROWS` of the oldest values with a `seq` up to `upToSeq`; returns the number deleted. */
export async function deleteSeenValues(session: Session, agentId: number, upToSeq: number): Promise<number> {
  const { affectedRows } = await session.run(
    'DELETE FROM deduplicated_values WHERE agent_id = ? AND seq <= ? ORDER BY seq LIMIT ?',
    [agentId, upToSeq, TRIM_ROWS],
  );
  return affectedRows;
}

/** Deletes up to `TRIM_ROWS` values with a `seq` up to `upToSeq`, and as many older than `olderThanSeconds`. */
export async function trimSeenValues(
  session: Session,
  agentId: number,
  { upToSeq, olderThanSeconds }: { upToSeq: number; olderThanSeconds: number | undefined },
): Promise<void> {
  await deleteSeenValues(session, agentId, upToSeq);
  if (olderThanSeconds === undefined) return;
  await session.run(
    `DELETE FROM deduplicated_values
     WHERE agent_id = ? AND seen_at < NOW(3) - INTERVAL ? SECOND ORDER BY seen_at LIMIT ?`,
    [agentId, olderThanSeconds, TRIM_ROWS],
  );
}
