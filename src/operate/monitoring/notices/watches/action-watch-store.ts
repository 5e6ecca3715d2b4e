import type { Session } from '../../../../platform/mysql/session.js';
import type { AgentPage } from './watched-action-store.js';

/** The knowledge of an action's watch. */
export interface ActionWatch {
  agentId: number;
  /** Its last event; 0: none is known. */
  eventId: number;
  toldEventId: number;
  toldSilence: boolean;
  /** Whole seconds since its last event, or since watching began. */
  quietSeconds: number;
  /** The time of its last event, or when watching began. */
  seenAt: Date;
}

/** Events of an action that were not reported yet. */
export interface UnnotifiedEvents {
  events: number;
  /** The time of the first; null: it was deleted. */
  firstAt: Date | null;
}

interface WatchRow extends Omit<ActionWatch, 'eventId' | 'toldSilence'> {
  knownId: number;
  newestId: number | null;
  newestAt: string | null;
  toldSilence: number;
}

const NEWEST = '(SELECT MAX(x.id) FROM events x FORCE INDEX (events_agent) WHERE x.agent_id = w.agent_id)';

/** Begins the watches of these agents that have none, and ends the others of the page. */
export async function keepWatches(
  session: Session,
  { afterId, lastId }: AgentPage,
  agentIds: readonly number[],
): Promise<void> {
  const rows = await session.rows<{ id: number }>(
    'SELECT agent_id AS id FROM action_watches WHERE agent_id > ? AND agent_id <= ?',
    [afterId, lastId],
  );
  const known = new Set(rows.map(({ id }) => id));
  const wanted = new Set(agentIds);
  const over = [...known].filter((id) => !wanted.has(id));
  if (over.length > 0) await session.run('DELETE FROM action_watches WHERE agent_id IN (?)', [over]);
  const missing = agentIds.filter((id) => !known.has(id));
  if (missing.length > 0) await beginWatches(session, missing);
}

/** Events and silence are reported from now on. */
async function beginWatches(session: Session, agentIds: number[]): Promise<void> {
  await session.run(
    `INSERT INTO action_watches (agent_id, seen_at, last_event_id, told_event_id)
     SELECT w.agent_id, NOW(3), COALESCE(${NEWEST}, 0), COALESCE(${NEWEST}, 0)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (agent_id BIGINT PATH '$')) w
     ON DUPLICATE KEY UPDATE agent_id = VALUES(agent_id)`,
    [JSON.stringify(agentIds)],
  );
}

/** Returns the watches of the page, and stores which event of each action is the last one. */
export async function readWatches(
  session: Session,
  { afterId, lastId }: AgentPage,
): Promise<Map<number, ActionWatch>> {
  const rows = await session.rows<WatchRow>(
    `SELECT f.agent_id AS agentId, f.last_event_id AS knownId, f.told_event_id AS toldEventId,
            f.told_silence AS toldSilence, f.newestId, CAST(e.created_at AS CHAR) AS newestAt,
            GREATEST(f.seen_at, COALESCE(e.created_at, f.seen_at)) AS seenAt,
            TIMESTAMPDIFF(SECOND, GREATEST(f.seen_at, COALESCE(e.created_at, f.seen_at)), NOW(3)) AS quietSeconds
     FROM (SELECT w.*, ${NEWEST} AS newestId FROM action_watches w
           WHERE w.agent_id > ? AND w.agent_id <= ?) f
     LEFT JOIN events e FORCE INDEX (PRIMARY) ON e.id = f.newestId`,
    [afterId, lastId],
  );
  await noteNewest(session, rows.filter(hasNewer));
  return new Map(rows.map((row) => [row.agentId, toWatch(row)]));
}

function hasNewer({ newestId, newestAt, knownId }: WatchRow): boolean {
  return newestAt !== null && (newestId ?? 0) > knownId;
}

async function noteNewest(session: Session, rows: WatchRow[]): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.agentId', event_id BIGINT PATH '$.newestId',
                                          at DATETIME(3) PATH '$.newestAt')) v
     STRAIGHT_JOIN action_watches w FORCE INDEX (PRIMARY) ON w.agent_id = v.id
     SET w.seen_at = GREATEST(w.seen_at, v.at), w.told_silence = FALSE, w.last_event_id = v.event_id
     WHERE w.last_event_id < v.event_id`,
    [JSON.stringify(rows.map(({ agentId, newestId, newestAt }) => ({ agentId, newestId, newestAt })))],
  );
}

function toWatch(row: WatchRow): ActionWatch {
  const { agentId, toldEventId, quietSeconds, seenAt, knownId, newestId } = row;
  const toldSilence = row.toldSilence === 1 && !hasNewer(row);
  return {
    agentId,
    toldEventId,
    quietSeconds,
    seenAt,
    toldSilence,
    eventId: Math.max(knownId, newestId ?? 0),
  };
}

/** Returns the events that were not reported yet, by agent, up to `limit` for each. */
export async function countUnnotifiedEvents(
  session: Session,
  watches: readonly ActionWatch[],
  limit: number,
): Promise<Map<number, UnnotifiedEvents>> {
  if (watches.length === 0) return new Map();
  const one =
    'SELECT ? AS id, COUNT(*) AS events, MIN(c.id) AS firstId FROM (SELECT id FROM events FORCE INDEX (events_agent)' +
    ' WHERE agent_id = ? AND id > ? AND id <= ? ORDER BY agent_id, id LIMIT ?) c';
  const rows = await session.rows<UnnotifiedEvents & { id: number }>(
    `SELECT x.id, x.events, e.created_at AS firstAt FROM (${watches.map(() => one).join(' UNION ALL ')}) x
     LEFT JOIN events e ON e.id = x.firstId`,
    watches.flatMap((watch) => [watch.agentId, watch.agentId, watch.toldEventId, watch.eventId, limit]),
  );
  return new Map(rows.map(({ id, ...untold }) => [id, untold]));
}

/** The recipients know of the events so far, and of the silence after them. */
export async function markWatchesNotified(
  session: Session,
  { silent, emitted }: { silent: readonly ActionWatch[]; emitted: readonly ActionWatch[] },
): Promise<void> {
  for (const [watches, change] of [
    [silent, 'w.told_silence = (w.last_event_id = v.event_id)'],
    [emitted, 'w.told_event_id = GREATEST(w.told_event_id, v.event_id)'],
  ] as const) {
    if (watches.length === 0) continue;
    await session.run(
      `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$[0]', event_id BIGINT PATH '$[1]')) v
       STRAIGHT_JOIN action_watches w FORCE INDEX (PRIMARY) ON w.agent_id = v.id SET ${change}`,
      [JSON.stringify(watches.map(({ agentId, eventId }) => [agentId, eventId]))],
    );
  }
}
