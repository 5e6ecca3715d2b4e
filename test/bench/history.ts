import type { BenchStores } from './bench-stores.js';
import { TRANSFORMATION, TRIGGER } from './floor/story.js';
import type { Product } from './measure.js';
import { alertBody } from './two-templates.js';

/*
 * A system's history before it is measured: finished runs, with the three events that each run of measure 1
 * leaves behind, in a story of their own.
 */

/** Far above what a turn hands out: the tables of stories and actions are emptied before each. */
const STORY_ID = 1_000_000;
const AGENT_ID = 1_000_000;
const HOPS = [alertBody(), TRANSFORMATION.payload, TRIGGER.payload];
const AGENT_IDS = HOPS.map((_, hop) => AGENT_ID + hop);
/** One statement and transaction: half a second's work. */
const RUNS_AT_ONCE = 10_000;
const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ');
const DAY_MS = 86_400_000;
const YEAR_SECONDS = 365 * 86_400;
const SAY_EVERY_MS = 30_000;

/** The stores that it is written to. */
export type HistoryStores = Pick<BenchStores, 'db' | 'schema'>;

/** Runs of history that have at least so many events. */
export function runsFor(events: number): number {
  return Math.ceil(events / HOPS.length);
}

/** Its story with its actions, a copy of the product's. Its events stay for a year, until `keepHistoryFor` is called. */
export async function addHistoryStory(
  { db, schema }: HistoryStores,
  { exitAgentId }: Pick<Product, 'exitAgentId'>,
): Promise<void> {
  await db.read(async (session) => {
    await session.run(
      `INSERT INTO ${schema}.stories
         (id, tenant_id, team_id, user_id, name, guid, schema_version, language, keep_events_for, extra)
       SELECT ?, s.tenant_id, s.team_id, s.user_id, 'History', REVERSE(s.guid), s.schema_version, s.language, ?, s.extra
       FROM ${schema}.stories s JOIN ${schema}.agents a ON a.story_id = s.id WHERE a.id = ?`,
      [STORY_ID, YEAR_SECONDS, exitAgentId],
    );
    await session.run(
      `INSERT INTO ${schema}.agents (id, story_id, position, type, name, guid, options, extra)
       SELECT ? + a.position, ?, a.position, a.type, a.name, REVERSE(a.guid), a.options, a.extra
       FROM ${schema}.agents a JOIN ${schema}.agents x ON x.story_id = a.story_id WHERE x.id = ?`,
      [AGENT_ID, STORY_ID, exitAgentId],
    );
  });
}

/** Changes how long the events of history are kept; a year when nothing is said. */
export async function keepHistoryFor(
  { db, schema }: HistoryStores,
  seconds: number = YEAR_SECONDS,
): Promise<void> {
  await db.read((session) =>
    session.run(`UPDATE ${schema}.stories SET keep_events_for = ? WHERE id = ?`, [seconds, STORY_ID]),
  );
}

/** How many events of history there are. */
export async function countHistory({ db, schema }: HistoryStores): Promise<number> {
  const [row] = await db.read((session) =>
    session.rows<{ events: number }>(
      `SELECT COUNT(*) AS events FROM ${schema}.events WHERE agent_id IN (?)`,
      [AGENT_IDS],
    ),
  );
  return row?.events ?? 0;
}

/** The oldest event of each of its actions: changes as soon as one of them is deleted, and costs next to nothing. */
export async function oldestHistory({ db, schema }: HistoryStores): Promise<string> {
  const oldest = AGENT_IDS.map(
    (_, hop) => `(SELECT MIN(id) FROM ${schema}.events WHERE agent_id = ?) AS hop_${hop}`,
  );
  const found = await db.read((session) => session.rows(`SELECT ${oldest.join(', ')}`, AGENT_IDS));
  return JSON.stringify(found);
}

/** The days that history is from, counted back from today. */
export interface Days {
  from: number;
  to: number;
}

/**
 * Fills the empty tables of runs and events in `schema`, in the order in which it would have happened, and comes back
 * when all of it is on the disk: what follows shall not do the fill's work.
 */
export async function fillHistory(
  { db }: Pick<HistoryStores, 'db'>,
  { schema, runs, days }: { schema: string; runs: number; days: Days },
  say: (text: string) => void,
): Promise<void> {
  const began = Date.now();
  const fromMs = began - days.from * DAY_MS;
  const stepMs = ((days.from - days.to) * DAY_MS) / runs;
  let saidAt = began;
  for (let first = 0; first < runs; first += RUNS_AT_ONCE) {
    const count = Math.min(RUNS_AT_ONCE, runs - first);
    await db.read(async (session) => {
      await session.run(runsStatement(schema), [fromMs, stepMs, STORY_ID, first + 1, first + count]);
      await session.run(eventsStatement(schema), [AGENT_ID, ...HOPS, first + 1, first + count]);
    });
    if (Date.now() - saidAt < SAY_EVERY_MS) continue;
    saidAt = Date.now();
    say(`  ${((first + count) * HOPS.length).toLocaleString('en')} events stored`);
  }
  await settle(db, schema);
  const seconds = Math.round((Date.now() - began) / 1000);
  say(`  ${(runs * HOPS.length).toLocaleString('en')} events stored in ${seconds} s`);
}

/** Guids are UUIDv7, as the product's: new ones stand at the end of their index. */
function runsStatement(schema: string): string {
  return `INSERT INTO ${schema}.story_runs (id, guid, story_id, source, created_at)
    SELECT n, CONCAT(SUBSTR(ms, 1, 8), '-', SUBSTR(ms, 9, 4), '-7', SUBSTR(md, 1, 3), '-8', SUBSTR(md, 4, 3), '-',
                     SUBSTR(md, 7, 12)), story_id, 'webhook', FROM_UNIXTIME(CONV(ms, 16, 10) / 1000)
    FROM (SELECT n, LPAD(LOWER(HEX(FLOOR(? + n * ?))), 12, '0') AS ms, MD5(n) AS md, ? AS story_id
          FROM (SELECT ? + a.n + 10 * b.n + 100 * c.n + 1000 * d.n AS n
                FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) d) numbers
          WHERE n <= ?) runs
    ORDER BY n`;
}

function eventsStatement(schema: string): string {
  const idOf = (hop: number) => `(r.id - 1) * ${HOPS.length} + ${hop + 1}`;
  const hops = HOPS.map((_, hop) => `SELECT ${hop} AS hop, ? AS payload`).join(' UNION ALL ');
  return `INSERT INTO ${schema}.events (id, story_run_guid, story_id, agent_id, payload, lineage, created_at)
    SELECT (r.id - 1) * ${HOPS.length} + h.hop + 1, r.guid, r.story_id, ? + h.hop, h.payload,
           CASE h.hop WHEN 0 THEN '{"receive":0}'
                      WHEN 1 THEN CONCAT('{"receive":', ${idOf(0)}, ',"shape":0}')
                      ELSE CONCAT('{"receive":', ${idOf(0)}, ',"shape":', ${idOf(1)}, ',"check":0}') END,
           r.created_at + INTERVAL h.hop * 5000 MICROSECOND
    FROM ${schema}.story_runs r CROSS JOIN (${hops}) h
    WHERE r.id BETWEEN ? AND ? ORDER BY r.id, h.hop`;
}

/** None of their pages is left to be written. */
async function settle(db: HistoryStores['db'], schema: string): Promise<void> {
  await db.read(async (session) => {
    await session.run(`ANALYZE TABLE ${schema}.story_runs, ${schema}.events`);
    await session.run(`FLUSH TABLES ${schema}.story_runs, ${schema}.events FOR EXPORT`);
    await session.run('UNLOCK TABLES');
  });
}
