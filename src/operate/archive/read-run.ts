import type { Database } from '../../platform/mysql/database.js';
import { findRunViews, findUndone, type RunView } from '../../observe/face.js';
import type { ArchivedRun } from './archive-progress-store.js';
import {
  type ArchivableRun,
  findEventSizes,
  findRunFacts,
  findStoredEvents,
  findStoredLogs,
  type RunFacts,
} from './archive-run-store.js';
import { deadLetterLine, eventLine, logLine, summaryLine } from './archived-lines.js';

const IDS_AT_ONCE = 500;
const LOGS_AT_ONCE = 200;
/** Size of events that are read together; a larger one is read alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Dead letters of one run that are archived. */
const MOST_DEAD_LETTERS = 1_000;

/** The values of a run's first line. */
export interface PreparedRun {
  facts: RunFacts;
  view: RunView;
}

/** Reads what is known of these runs without their events, together; runs that are gone are missing. */
export async function prepareRuns(
  database: Pick<Database, 'read'>,
  runs: readonly ArchivableRun[],
): Promise<Map<string, PreparedRun>> {
  const ids = runs.flatMap(({ id, live }) => (id === null || live === 1 ? [] : [id]));
  return database.read(async (session) => {
    const views = new Map((await findRunViews(session, ids)).map((view) => [view.guid, view]));
    const facts = await findRunFacts(session, ids);
    return new Map(
      facts.flatMap((each) => {
        const view = views.get(each.guid);
        return view === undefined ? [] : [[each.guid, { facts: each, view }] as const];
      }),
    );
  });
}

/**
 * Gives the lines of a run that are not in the archive yet to `add`, some at a time. Returns what the archive has of the run
 * then.
 */
export async function readRun(
  database: Pick<Database, 'read'>,
  { run, facts, view }: PreparedRun & { run: ArchivableRun },
  add: (line: string) => Promise<void>,
): Promise<ArchivedRun> {
  const { guid, seenAt } = run;
  await add(summaryLine(view, facts));
  // Only a completed run is known to have no dead letters.
  if (view.status !== 'completed') {
    const page = { guid, failed: true, limit: MOST_DEAD_LETTERS };
    const letters = await database.read((session) => findUndone(session, page));
    for (const letter of letters.deliveries) await add(deadLetterLine(guid, letter));
  }
  const events = await addEvents(database, run, add);
  return { guid, seenAt, ...events, lastLogId: await addLogs(database, run, add) };
}

async function addEvents(
  database: Pick<Database, 'read'>,
  { guid, lastEventId: from, events: before }: ArchivableRun,
  add: (line: string) => Promise<void>,
): Promise<{ lastEventId: number; events: number }> {
  let lastEventId = from;
  let events = before;
  for (let more = true; more; ) {
    const page = { guid, afterId: lastEventId, limit: IDS_AT_ONCE };
    const sizes = await database.read((session) => findEventSizes(session, page));
    for (const ids of groupsOf(sizes)) {
      for (const event of await database.read((session) => findStoredEvents(session, ids))) {
        await add(eventLine(guid, event));
        events += 1;
      }
    }
    lastEventId = sizes.at(-1)?.id ?? lastEventId;
    more = sizes.length === IDS_AT_ONCE;
  }
  return { lastEventId, events };
}

function groupsOf(sizes: { id: number; bytes: number }[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const { id, bytes } of sizes) {
    const group = groups.at(-1);
    if (group === undefined || bytes > room) {
      groups.push([id]);
      room = BYTES_AT_ONCE - bytes;
    } else {
      group.push(id);
      room -= bytes;
    }
  }
  return groups;
}

async function addLogs(
  database: Pick<Database, 'read'>,
  { guid, lastLogId: from }: ArchivableRun,
  add: (line: string) => Promise<void>,
): Promise<number> {
  let lastLogId = from;
  for (let more = true; more; ) {
    const page = { guid, afterId: lastLogId, limit: LOGS_AT_ONCE };
    const logs = await database.read((session) => findStoredLogs(session, page));
    for (const log of logs) await add(logLine(guid, log));
    lastLogId = logs.at(-1)?.id ?? lastLogId;
    more = logs.length === LOGS_AT_ONCE;
  }
  return lastLogId;
}
