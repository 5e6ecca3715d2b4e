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
  /** Of dead letters, where there are many: the newest of them, newest first. */
  failedIds?: number[];
}

/** The deliveries of a team in a queue that wait for one reason. */
export interface WorkCount extends Pick<ActionWork, 'count' | 'oldestMs' | 'dueMs'> {
  teamId: number;
  queue: string;
  kind: WorkKind;
  /** Null: dead letters. */
  reason: WaitReason | null;
  /**
   * The actions with most of them, and those with the oldest. Of dead letters none, unless there are many in the installation:
   * then those that failed last.
   */
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
/** Dead letters of the installation from which on the newest of each action are named: a flood would hide those of others. */
const MANY_LETTERS = 100_000;
/** Dead letters of an action that are named, and those of a team in a queue. */
const MOST_LETTERS = 50;
const MOST_LETTERS_OF_TEAM = 1_000;

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

/** The newest dead letters of each action among some rows; other rows are only counted. */
const LETTERS = `
  SELECT r.agent_id AS agentId, r.queue, COUNT(*) AS count, MAX(r.id) AS lastId,
         SUBSTRING_INDEX(GROUP_CONCAT(IF(r.state = 'failed', r.id, NULL) ORDER BY r.id DESC), ',', ${MOST_LETTERS}) AS failedIds
  FROM (SELECT id, agent_id, queue, state FROM deliveries FORCE INDEX (PRIMARY) WHERE id > ? ORDER BY id LIMIT ?) r
  GROUP BY r.agent_id, r.queue`;

interface Letters extends Pick<Group, 'agentId' | 'queue' | 'count' | 'lastId'> {
  failedIds: string | null;
}

/** The sum of one reason, with all its actions. */
interface Sum extends Omit<WorkCount, 'actions' | 'isCut'> {
  actions: Map<number, ActionWork>;
}

/**
 * Counts all deliveries by team, queue, reason and action, in one walk through the table; with many dead letters in two, so
 * that the newest of each action are named.
 */
export async function countQueueWork(
  database: Pick<Database, 'read'>,
  { rowsAtOnce = ROWS_AT_ONCE, manyLetters = MANY_LETTERS } = {},
): Promise<WorkCount[]> {
  const sums = await sumGroups(database, rowsAtOnce);
  const failed = sums.reduce((sum, { reason, count }) => sum + (reason === null ? count : 0), 0);
  const letters = failed < manyLetters ? undefined : await newestLetters(database, rowsAtOnce);
  return sums.map((sum) => (sum.reason === null ? withLetters(sum, letters) : withMostActions(sum)));
}

async function sumGroups(database: Pick<Database, 'read'>, rowsAtOnce: number): Promise<Sum[]> {
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
    if (rows < rowsAtOnce) return [...sums.values()];
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

/** Returns the newest dead letters of each action and queue, newest first. */
async function newestLetters(
  database: Pick<Database, 'read'>,
  rowsAtOnce: number,
): Promise<Map<string, number[]>> {
  const letters = new Map<string, number[]>();
  for (let last = 0; ; ) {
    const from = last;
    const found = await database.read((session) => session.rows<Letters>(LETTERS, [from, rowsAtOnce]));
    let rows = 0;
    for (const { agentId, queue, count, lastId, failedIds } of found) {
      const key = `${agentId} ${queue}`;
      // The walk goes up: what comes later is newer.
      const ids = [...(failedIds?.split(',').map(Number) ?? []), ...(letters.get(key) ?? [])];
      if (ids.length > 0) letters.set(key, ids.slice(0, MOST_LETTERS));
      rows += count;
      last = Math.max(last, lastId);
    }
    if (rows < rowsAtOnce) return letters;
  }
}

/** Dead letters have groups of their own: their actions are named where a flood hides some, those that failed last. */
function withLetters(
  { actions, ...sum }: Sum,
  letters: ReadonlyMap<string, number[]> | undefined,
): WorkCount {
  if (letters === undefined) return { ...sum, actions: [], isCut: false };
  const named = [...actions.values()].map((work) => ({
    ...work,
    failedIds: letters.get(`${work.agentId} ${sum.queue}`) ?? [],
  }));
  const kept = named
    .toSorted(({ failedIds: [a = 0] }, { failedIds: [b = 0] }) => b - a)
    .slice(0, 2 * MOST_ACTIONS);
  const each = Math.ceil(MOST_LETTERS_OF_TEAM / kept.length);
  return {
    ...sum,
    actions: kept.map((work) => ({ ...work, failedIds: work.failedIds.slice(0, each) })),
    isCut: kept.length < named.length,
  };
}

function withMostActions({ actions, ...sum }: Sum): WorkCount {
  const most = [...actions.values()].toSorted((a, b) => b.count - a.count);
  const oldest = most.toSorted((a, b) => a.oldestMs - b.oldestMs).slice(0, MOST_ACTIONS);
  const kept = [...new Set([...most.slice(0, MOST_ACTIONS), ...oldest])];
  return { ...sum, actions: kept, isCut: kept.length < actions.size };
}
