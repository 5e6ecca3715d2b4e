import type { Session } from '../../platform/mysql/session.js';
import type { JsonObject } from '../../platform/json.js';

interface MemoryKey {
  agentId: number;
  name: string;
}

/**
 * Returns the agent's memory of this name, locked until the transaction ends. Creates it with `initial` if it does not
 * exist.
 */
export async function lockMemory<Value extends object>(
  session: Session,
  { agentId, name, initial }: MemoryKey & { initial: Value },
): Promise<Value> {
  const select = 'SELECT value FROM agent_memory WHERE agent_id = ? AND name = ? FOR UPDATE';
  const [known] = await session.rows<{ value: string }>(select, [agentId, name]);
  if (known !== undefined) return JSON.parse(known.value) as Value;
  // If another transaction inserts the row first, its value counts.
  await session.run(
    `INSERT INTO agent_memory (agent_id, name, value) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE name = VALUES(name)`,
    [agentId, name, JSON.stringify(initial)],
  );
  const [made] = await session.rows<{ value: string }>(select, [agentId, name]);
  if (made === undefined) throw new Error(`Agent ${agentId} has no memory of ${name}`);
  return JSON.parse(made.value) as Value;
}

/** Stores the agent's memory of this name; the caller has locked the row (`lockMemory`). */
export async function saveMemory(
  session: Session,
  { agentId, name, value }: MemoryKey & { value: JsonObject | object },
): Promise<void> {
  await session.run(
    'UPDATE agent_memory SET value = ?, updated_at = NOW(3) WHERE agent_id = ? AND name = ?',
    [JSON.stringify(value), agentId, name],
  );
}

/** Locks all memory of the agent until the transaction ends; returns the names and values. */
export function lockMemories(session: Session, agentId: number): Promise<{ name: string; value: string }[]> {
  return session.rows('SELECT name, value FROM agent_memory WHERE agent_id = ? ORDER BY name FOR UPDATE', [
    agentId,
  ]);
}

/** Deletes the agent's memory of this name; the caller has locked the row. */
export async function deleteMemory(session: Session, { agentId, name }: MemoryKey): Promise<void> {
  await session.run('DELETE FROM agent_memory WHERE agent_id = ? AND name = ?', [agentId, name]);
}

/** Returns the database's time in ms since 1970: the only clock that all workers share. */
export async function databaseNowMs(session: Session): Promise<number> {
  const [row] = await session.rows<{ now: string }>('SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS now');
  return Number(row?.now);
}
