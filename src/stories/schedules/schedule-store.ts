import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Schedule } from './parse-schedule.js';

/** A stored schedule. */
export interface StoredSchedule extends Schedule {
  id: number;
  agentId: number;
}

/** A stored schedule, and since when it is paused; null: it starts runs. */
export interface PausableSchedule extends StoredSchedule {
  pausedAt: Date | null;
}

/** A schedule to be inserted, with its first time. */
export interface NewSchedule extends Schedule {
  storyId: number;
  agentId: number;
  nextAt: Date;
  pausedAt: Date | null;
}

/** Returns the schedules of the story's agents, or of one of them. */
export function findSchedules(
  { storyId, agentId }: { storyId: number; agentId?: number },
  session: Session,
): Promise<PausableSchedule[]> {
  const columns = 'id, agent_id AS agentId, cron, timezone, paused_at AS pausedAt';
  if (agentId === undefined) {
    return session.rows(`SELECT ${columns} FROM schedules WHERE story_id = ? ORDER BY id`, [storyId]);
  }
  return session.rows(`SELECT ${columns} FROM schedules WHERE agent_id = ? ORDER BY id`, [agentId]);
}

/** Inserts the schedules. */
export async function insertSchedules(schedules: NewSchedule[], session: Session): Promise<void> {
  await insertRows(session, {
    table: 'schedules',
    columns: ['story_id', 'agent_id', 'cron', 'timezone', 'next_at', 'paused_at'],
    rows: schedules.map((row) => [
      row.storyId,
      row.agentId,
      row.cron,
      row.timezone,
      row.nextAt,
      row.pausedAt,
    ]),
    sizeOf: () => 400,
  });
}

/** Pauses a schedule, or lets it start runs again. A paused one keeps the time since when it is. */
export async function pauseSchedule(
  { id, isPaused }: { id: number; isPaused: boolean },
  session: Session,
): Promise<void> {
  await session.run(
    'UPDATE schedules SET paused_at = IF(?, COALESCE(paused_at, NOW(3)), NULL) WHERE id = ?',
    [isPaused, id],
  );
}

/** Deletes the schedules with these ids. */
export async function deleteSchedules(ids: number[], session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run(
    `DELETE s FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN schedules s FORCE INDEX (PRIMARY) ON s.id = v.id`,
    [JSON.stringify(ids.toSorted((a, b) => a - b))],
  );
}

/** Deletes all schedules of the story. */
export async function deleteStorySchedules(storyId: number, session: Session): Promise<void> {
  const stored = await findSchedules({ storyId }, session);
  await deleteSchedules(
    stored.map(({ id }) => id),
    session,
  );
}

/** Returns true if the story is a draft. */
export async function isDraft(storyId: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM stories WHERE id = ? AND draft_of IS NOT NULL', [storyId]);
  return rows.length > 0;
}

/** Returns the ids of the story's agents, by guid. */
export async function findAgentIds(storyId: number, session: Session): Promise<Map<string, number>> {
  const rows = await session.rows<{ id: number; guid: string }>(
    'SELECT id, guid FROM agents WHERE story_id = ?',
    [storyId],
  );
  return new Map(rows.map(({ id, guid }) => [guid, id]));
}
