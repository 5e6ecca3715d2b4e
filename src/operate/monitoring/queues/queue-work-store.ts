import type { DeliveryState } from '../../../engine/face.js';
import type { Database } from '../../../platform/mysql/database.js';

/** Why a delivery of a queue waits, or that it failed for good. */
export type WorkKind = Exclude<DeliveryState, 'waiting'> | 'sleeping' | 'retrying';

/** The deliveries of a team in a queue that wait for one reason. */
export interface WorkCount {
  teamId: number;
  queue: string;
  kind: WorkKind;
  count: number;
  /** When the first of them was made, in ms since 1970. */
  oldestMs: number;
  /** The first time at which one of them is due, in ms since 1970. */
  dueMs: number;
}

/** The deliveries of a story among the rows of one statement. */
interface Group {
  /** Null: the story was deleted. */
  teamId: number | null;
  queue: string;
  kind: WorkKind;
  count: number;
  oldestAt: Date;
  dueAt: Date;
  lastId: number;
}

/** Rows of one statement, so that it takes only tens of milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Grouped before the join: stories are looked up once for each group. MariaDB would sort the groups. */
const GROUPS = `
  SELECT s.team_id AS teamId, g.queue, g.kind, g.count, g.oldestAt, g.dueAt, g.lastId
  FROM (SELECT d.story_id, d.queue, d.kind, COUNT(*) AS count, MIN(d.created_at) AS oldestAt,
               MIN(d.due_at) AS dueAt, MAX(d.id) AS lastId
        FROM (SELECT id, story_id, queue, created_at, due_at,
                     CASE WHEN state <> 'waiting' THEN state
                          WHEN attempts > 0 AND error IS NOT NULL THEN 'retrying' ELSE 'sleeping' END AS kind
              FROM deliveries FORCE INDEX (PRIMARY) WHERE id > ? ORDER BY id LIMIT ?) d
        GROUP BY d.story_id, d.queue, d.kind ORDER BY NULL) g
  LEFT JOIN stories s FORCE INDEX (PRIMARY) ON s.id = g.story_id`;

/** Counts all deliveries by team, queue and reason, in one walk through the table. */
export async function countQueueWork(
  database: Pick<Database, 'read'>,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<WorkCount[]> {
  const sums = new Map<string, WorkCount>();
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

function add(sums: Map<string, WorkCount>, { teamId, queue, kind, count, oldestAt, dueAt }: Group): void {
  if (teamId === null) return;
  const key = `${teamId} ${queue} ${kind}`;
  const sum = sums.get(key);
  sums.set(key, {
    teamId,
    queue,
    kind,
    count: count + (sum?.count ?? 0),
    oldestMs: Math.min(oldestAt.getTime(), sum?.oldestMs ?? Number.POSITIVE_INFINITY),
    dueMs: Math.min(dueAt.getTime(), sum?.dueMs ?? Number.POSITIVE_INFINITY),
  });
}
