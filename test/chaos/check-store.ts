import type { Database } from '../../src/platform/mysql/database.js';
import { retryTransient } from '../../src/platform/mysql/connections/retry-transient.js';

/** Rows of one run in the database. */
export interface StoredRun {
  guid: string;
  /** Undefined: its first event is not there. */
  number: number | undefined;
  /** By agent. */
  events: Record<string, number>;
  /** JSON texts of the imploded lists. */
  lists: string[];
  /** Numbers that the events of the last agents bear; all must be the run's. */
  borne: number[];
}

/** All runs of the story, by guid. */
export async function readRuns(db: Database, storyId: number): Promise<Map<string, StoredRun>> {
  const runs = new Map<string, StoredRun>();
  const runOf = (guid: string): StoredRun => {
    const known = runs.get(guid) ?? { guid, number: undefined, events: {}, lists: [], borne: [] };
    runs.set(guid, known);
    return known;
  };
  const rows = <Row>(sql: string, values: (string | number)[]) =>
    retryTransient(() => db.read((session) => session.rows<Row>(sql, values)));
  for (const { guid } of await rows<{ guid: string }>('SELECT guid FROM story_runs WHERE story_id = ?', [
    storyId,
  ])) {
    runOf(guid);
  }
  const counts = await rows<{ guid: string; agent: string; events: number }>(
    `SELECT e.story_run_guid AS guid, a.name AS agent, COUNT(*) AS events
     FROM events e JOIN agents a ON a.id = e.agent_id WHERE e.story_id = ?
     GROUP BY e.story_run_guid, a.name`,
    [storyId],
  );
  for (const { guid, agent, events } of counts) runOf(guid).events[agent] = events;
  const payloads = await rows<{ guid: string; agent: string; payload: string }>(
    `SELECT e.story_run_guid AS guid, a.name AS agent, e.payload
     FROM agents a STRAIGHT_JOIN events e ON e.agent_id = a.id
     WHERE a.story_id = ? AND a.name IN ('Receive', 'Join', 'Even', 'Odd')`,
    [storyId],
  );
  for (const { guid, agent, payload } of payloads) {
    if (agent === 'Join') runOf(guid).lists.push(payload);
    else if (agent === 'Even' || agent === 'Odd') runOf(guid).borne.push(numberIn(payload));
    else runOf(guid).number = (JSON.parse(payload) as { number: number }).number;
  }
  return runs;
}

function numberIn(payload: string): number {
  const { even, odd } = JSON.parse(payload) as { even?: number; odd?: number };
  return even ?? odd ?? Number.NaN;
}

/** Counts of open work, and of finished work. */
export interface Progress {
  open: number;
  imploding: number;
  deadLetters: number;
  lastEvent: number;
}

export async function readProgress(db: Database): Promise<Progress> {
  const [row] = await db.read((session) =>
    session.rows<Progress>(
      `SELECT (SELECT COUNT(*) FROM deliveries WHERE state <> 'failed') AS open,
              (SELECT COUNT(*) FROM implode_items) AS imploding,
              (SELECT COUNT(*) FROM deliveries WHERE state = 'failed') AS deadLetters,
              (SELECT COALESCE(MAX(id), 0) FROM events) AS lastEvent`,
    ),
  );
  if (row === undefined) throw new Error('The database says nothing');
  return row;
}

/** Has the relay look at what is open as it would after a minute. */
export async function makeDue(db: Database): Promise<void> {
  await retryTransient(() =>
    db.read((session) =>
      session.run(
        `UPDATE deliveries SET due_at = NOW(3)
         WHERE state = 'pending' AND created_at < NOW(3) - INTERVAL 5 SECOND AND due_at > NOW(3) + INTERVAL 10 SECOND`,
      ),
    ),
  );
}

/** Reasons of the dead letters, each once. */
export async function deadLetterReasons(db: Database): Promise<string[]> {
  const rows = await retryTransient(() =>
    db.read((session) =>
      session.rows<{ error: string; letters: number }>(
        "SELECT error, COUNT(*) AS letters FROM deliveries WHERE state = 'failed' GROUP BY error LIMIT 10",
      ),
    ),
  );
  return rows.map(({ error, letters }) => `${letters} × ${error}`);
}
