import { type DeliveryState, WAIT_REASON_SQL, type WaitReason } from '../../../engine/face.js';
import type { Database } from '../../../platform/mysql/database.js';

/** Why a delivery of a queue waits, or that it failed for good. */
export type WorkKind = Exclude<DeliveryState, 'waiting'> | 'sleeping' | 'retrying';

/** The deliveries of one action that wait for one reason. */
export interface ActionWork {
  storyId: number;
  agentId: number;
  count: number;
  /** When the first of them was made, in ms since 1970. */
  oldestMs: number;
  /** The first time at which one of them is due, in ms since 1970. */
  dueMs: number;
}

/** The deliveries of a team in a queue that wait for one reason. */
export interface WorkCount extends Pick<ActionWork, 'count' | 'oldestMs' | 'dueMs'> {
  teamId: number;
  queue: string;
  kind: WorkKind;
  /** Null: dead letters. */
  reason: WaitReason | null;
  /** The actions with most of them, and those with the oldest. */
  actions: ActionWork[];
  /** There are more actions than these. */
  isCut: boolean;
}

/** The deliveries of an action among the rows of one statement. */
interface Group extends Pick<ActionWork, 'storyId' | 'agentId' | 'count'> {
  /** Null: the story was deleted. */
  teamId: number | null;
  queue: string;
  kind: WorkKind;
  reason: WaitReason | null;
  oldestAt: Date;
  dueAt: Date;
  lastId: number;
}

/** Rows of one statement, so that it takes only tens of milliseconds. */
const ROWS_AT_ONCE = 20_000;
/** Actions of one reason that are kept: so many with most, and so many with the oldest. */
export const MOST_ACTIONS = 20;

/** Grouped before the joins: stories and agents are looked up once for each group. MariaDB would sort the groups. */
const GROUPS = `
  SELECT s.team_id AS teamId, d.story_id AS storyId, d.agent_id AS agentId, d.queue, d.kind,
         ${WAIT_REASON_SQL} AS reason, d.count, d.oldestAt, d.dueAt, d.lastId
  FROM (SELECT story_id, agent_id, queue, kind, wait_reason, IF(kind IN ('sleeping', 'retrying'), 'waiting', kind) AS state,
               kind = 'retrying' AS attempts, IF(kind = 'retrying', 1, NULL) AS error, COUNT(*) AS count,
               MIN(created_at) AS oldestAt, MIN(due_at) AS dueAt, MAX(id) AS lastId
        FROM (SELECT id, story_id, agent_id, queue, created_at, due_at,
                     IF(state = 'waiting', wait_reason, NULL) AS wait_reason,
                     CASE WHEN state <> 'waiting' THEN state
                          WHEN attempts > 0 AND error IS NOT NULL THEN 'retrying' ELSE 'sleeping' END AS kind
              FROM deliveries FORCE INDEX (PRIMARY) WHERE id > ? ORDER BY id LIMIT ?) r
        GROUP BY story_id, agent_id, queue, kind, wait_reason ORDER BY NULL) d
  LEFT JOIN stories s FORCE INDEX (PRIMARY) ON s.id = d.story_id
  LEFT JOIN agents a FORCE INDEX (PRIMARY) ON a.id = d.agent_id`;

/** The sum of one reason, with all its actions. */
interface Sum extends Omit<WorkCount, 'actions' | 'isCut'> {
  actions: Map<number, ActionWork>;
}

/** Counts all deliveries by team, queue, reason and action, in one walk through the table. */
export async function countQueueWork(
  database: Pick<Database, 'read'>,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<WorkCount[]> {
  const sums = new Map<string, Sum>();
  for (let last = 0; ; ) {
    const from = last;
    const groups = await database.read((session) => session.rows<Group>(GROUPS, [from, rowsAtOnce]));
    let rows = 0;
    for (const group of groups) {
      add(sums, group);
      rows += group.count;
      last = Math.max(last, group.lastId);
    }
    if (rows < rowsAtOnce) return [...sums.values()].map(withMostActions);
  }
}

function add(sums: Map<string, Sum>, group: Group): void {
  const { teamId, storyId, agentId, queue, kind, reason, count, oldestAt, dueAt } = group;
  if (teamId === null) return;
  const work = { storyId, agentId, count, oldestMs: oldestAt.getTime(), dueMs: dueAt.getTime() };
  const key = `${teamId} ${queue} ${kind} ${reason}`;
  const sum = sums.get(key) ?? { ...NOTHING, teamId, queue, kind, reason, actions: new Map() };
  const before = sum.actions.get(agentId);
  sum.actions.set(agentId, before === undefined ? work : { ...work, ...sumOfWork(before, work) });
  sums.set(key, { ...sum, ...sumOfWork(sum, work) });
}

type Figures = Pick<ActionWork, 'count' | 'oldestMs' | 'dueMs'>;

const NOTHING: Figures = { count: 0, oldestMs: Number.POSITIVE_INFINITY, dueMs: Number.POSITIVE_INFINITY };

/** Returns what two groups of deliveries are together. */
export function sumOfWork(one: Figures, other: Figures): Figures {
  return {
    count: one.count + other.count,
    oldestMs: Math.min(one.oldestMs, other.oldestMs),
    dueMs: Math.min(one.dueMs, other.dueMs),
  };
}

/** Dead letters have groups of their own: their actions are not named here. */
function withMostActions({ actions, ...sum }: Sum): WorkCount {
  if (sum.reason === null) return { ...sum, actions: [], isCut: false };
  const most = [...actions.values()].toSorted((a, b) => b.count - a.count);
  const oldest = most.toSorted((a, b) => a.oldestMs - b.oldestMs).slice(0, MOST_ACTIONS);
  const kept = [...new Set([...most.slice(0, MOST_ACTIONS), ...oldest])];
  return { ...sum, actions: kept, isCut: kept.length < actions.size };
}
