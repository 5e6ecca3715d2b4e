import { LOG_LEVELS } from '../../agents/face.js';
import { WAIT_REASON_SQL, type WaitReason } from '../../engine/face.js';
import type { Session } from '../../platform/mysql/session.js';
import { MAX_COUNT } from '../../platform/mysql/statements/id-page.js';
import { IS_WARNING } from './attempt-store.js';

/** Open deliveries that wait for one reason. */
export interface WaitingReason {
  reason: WaitReason;
  count: number;
  /** When the first of them goes on; null: not at a set time. */
  until: Date | null;
}

/** Counts of one action in a run. */
export interface RunAction {
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** Events that it emitted. */
  done: number;
  /** Dead letters. */
  failed: number;
  /** Open deliveries. */
  waiting: number;
  /** Why they do not run, the reason of most first. */
  waitingReasons: WaitingReason[];
  /** Steps that logged errors and did not fail. */
  warnings: number;
  /** Failed attempts. */
  attempts: number;
  /** Median and 95th percentile of the time that it worked, in ms; null: not known. */
  p50Ms: number | null;
  p95Ms: number | null;
}

type Part<Key extends keyof RunAction> = Pick<RunAction, 'agentId' | Key>;

/** Returns what the actions of a run did; `complete`: the times are those of all events. */
export async function findRunActions(
  session: Session,
  guid: string,
): Promise<{ actions: RunAction[]; complete: boolean }> {
  const events = await session.rows<Part<'done'>>(
    `SELECT agent_id AS agentId, COUNT(*) AS done FROM events FORCE INDEX (events_run)
     WHERE story_run_guid = ? AND agent_id <> 0 GROUP BY agent_id`,
    [guid],
  );
  const deliveries = await session.rows<Part<'failed' | 'waiting'>>(
    `SELECT agent_id AS agentId, CAST(SUM(state = 'failed') AS SIGNED) AS failed,
            CAST(SUM(state <> 'failed') AS SIGNED) AS waiting
     FROM deliveries FORCE INDEX (deliveries_run) WHERE story_run_guid = ? GROUP BY agent_id`,
    [guid],
  );
  const lines = await session.rows<Part<'warnings' | 'attempts'>>(
    `SELECT l.agent_id AS agentId, COUNT(DISTINCT IF(${IS_WARNING}, l.delivery_id, NULL)) AS warnings,
            CAST(SUM(l.attempt IS NOT NULL) AS SIGNED) AS attempts
     FROM agent_logs l FORCE INDEX (agent_logs_run)
     WHERE l.story_run_guid = ? AND l.level >= ? AND l.delivery_id IS NOT NULL GROUP BY l.agent_id`,
    [guid, LOG_LEVELS.warn],
  );
  const times = await findTimes(session, guid);
  const parts = [...events, ...deliveries, ...(await findReasons(session, guid)), ...lines, ...times];
  const names = await findNames(session, [...new Set(parts.map(({ agentId }) => agentId))]);
  const actions = new Map<number, RunAction>();
  for (const part of parts) {
    const { agentId } = part;
    const known = actions.get(agentId) ?? { ...NOTHING, agentId, agentName: names.get(agentId) ?? null };
    actions.set(agentId, { ...known, ...part });
  }
  const total = events.reduce((sum, { done }) => sum + done, 0);
  return { actions: [...actions.values()], complete: total <= MAX_COUNT };
}

const NOTHING = {
  done: 0,
  failed: 0,
  waiting: 0,
  waitingReasons: [],
  warnings: 0,
  attempts: 0,
  p50Ms: null,
  p95Ms: null,
};

/** Returns why the open deliveries of each action do not run. */
async function findReasons(session: Session, guid: string): Promise<Part<'waitingReasons'>[]> {
  const rows = await session.rows<WaitingReason & { agentId: number }>(
    `SELECT d.agent_id AS agentId, ${WAIT_REASON_SQL} AS reason, COUNT(*) AS count,
            MIN(IF(d.state = 'waiting', d.due_at, NULL)) AS until
     FROM deliveries d FORCE INDEX (deliveries_run) LEFT JOIN agents a FORCE INDEX (PRIMARY) ON a.id = d.agent_id
     WHERE d.story_run_guid = ? AND d.state <> 'failed' GROUP BY d.agent_id, reason ORDER BY count DESC`,
    [guid],
  );
  const byAgent = new Map<number, WaitingReason[]>();
  for (const { agentId, ...reason } of rows) byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), reason]);
  return [...byAgent].map(([agentId, waitingReasons]) => ({ agentId, waitingReasons }));
}

/** Returns percentiles of the first events of a run: those with the rank of the part. */
function findTimes(session: Session, guid: string): Promise<Part<'p50Ms' | 'p95Ms'>[]> {
  return session.rows(
    `SELECT r.agent_id AS agentId, MIN(IF(r.place >= 0.5 * r.count, r.work_ms, NULL)) AS p50Ms,
            MIN(IF(r.place >= 0.95 * r.count, r.work_ms, NULL)) AS p95Ms
     FROM (SELECT f.agent_id, f.work_ms, ROW_NUMBER() OVER (PARTITION BY f.agent_id ORDER BY f.work_ms) AS place,
                  COUNT(*) OVER (PARTITION BY f.agent_id) AS count
           FROM (SELECT agent_id, work_ms FROM events FORCE INDEX (events_run)
                 WHERE story_run_guid = ? AND agent_id <> 0 ORDER BY id LIMIT ${MAX_COUNT}) f
           WHERE f.work_ms IS NOT NULL) r
     GROUP BY r.agent_id`,
    [guid],
  );
}

async function findNames(session: Session, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; name: string }>(
    'SELECT id, name FROM agents WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
