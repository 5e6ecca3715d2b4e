import type { Session } from '../../../platform/mysql/session.js';
import { demandRuns, EVENT_IS_ARCHIVED } from './archived-rows-store.js';
import {
  AGENT_KEEPS,
  findAgentOwners,
  findRunPage,
  findStoryOwners,
  isAwaited,
  isOver,
  type RetentionOwner,
  runIsBusy,
} from './due-store.js';
import {
  type Cleared,
  clearedOf,
  deleteEvents,
  type LookedAt,
  type RetentionPage,
} from './retention-rows-store.js';
import { lockIdleRuns } from './run-lock-store.js';

interface EventRow extends LookedAt {
  guid: string;
}

const DUE = `(s.id IS NULL OR ${isOver('e.created_at', AGENT_KEEPS)})`;
const COLUMNS = `e.id, e.story_run_guid AS guid, COALESCE(${DUE}, 0) AS due,
  IF(${DUE}, NOT ${runIsBusy('e.story_run_guid')} AND NOT ${isAwaited('e.story_run_guid')}, 0) AS free`;
/** The same, with what the archive has. */
const columnsOf = ({ onlyArchived }: RetentionPage) =>
  onlyArchived ? `${COLUMNS}, IF(${DUE}, ${EVENT_IS_ARCHIVED}, 0) AS archived` : COLUMNS;
/** If the agent was removed from an existing story, the story's retention time counts. */
const OWNERS = 'LEFT JOIN agents a ON a.id = e.agent_id LEFT JOIN stories s ON s.id = e.story_id';

/** Returns the next agents; `due` if their oldest event is past its retention time. */
export function findEventOwners(
  session: Session,
  page: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  return findAgentOwners(session, { table: 'events', index: 'events_agent', keeps: AGENT_KEEPS }, page);
}

/** Deletes the due events in an agent's next page, unless their run needs them. To be called in a transaction. */
export async function clearEvents(session: Session, page: RetentionPage): Promise<Cleared> {
  const rows = await session.rows<EventRow>(
    `SELECT ${columnsOf(page)} FROM events e FORCE INDEX (events_agent) ${OWNERS}
     WHERE e.agent_id = ? AND e.id > ? ORDER BY e.id LIMIT ?`,
    [page.ownerId, page.after.id, page.limit],
  );
  const { deleted, young } = await deleteFree(session, rows, page);
  // The story's retention time was just extended: the row is not settled, so that a later pass checks it again.
  const asTheyAre = rows.map((row) => (young.has(row.id) ? { ...row, due: 0 } : row));
  return clearedOf(asTheyAre, page, deleted);
}

/** Returns the next stories; `due` if their oldest run, and so its input, is past its retention time. */
export function findInputOwners(
  session: Session,
  page: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  return findStoryOwners(session, { keeps: 's.keep_events_for' }, page);
}

/** The first event of run `r` if it is the run's input, which no agent emitted. ORDER BY names the whole index, for MySQL. */
const INPUT = `(SELECT IF(x.agent_id = 0, x.id, NULL) FROM events x FORCE INDEX (events_run)
                WHERE x.story_run_guid = r.guid ORDER BY x.story_run_guid, x.id LIMIT 1)`;

/**
 * Deletes the inputs of the due runs in a story's next page. They are found by run: inputs belong to no agent, so the
 * index has those of all stories together.
 */
export async function clearInputs(session: Session, page: RetentionPage): Promise<Cleared> {
  const due = `(s.id IS NULL OR ${isOver('r.created_at', 's.keep_events_for')})`;
  const columns = `${due} AS due, 0 AS free, IF(${due}, ${INPUT}, NULL) AS inputId`;
  const runs = await findRunPage<LookedAt & { inputId: number | null }>(session, columns, page);
  const inputs = runs.flatMap(({ inputId }) => (inputId === null ? [] : [inputId]));
  const rows = inputs.length === 0 ? [] : await findAgain(session, inputs, page);
  const { deleted } = await deleteFree(session, rows, page);
  return clearedOf(runs, page, deleted);
}

/**
 * Locks the runs, then checks all conditions again: before the lock a run may have got new work, or its story a longer
 * retention time. Returns the number deleted, and the ids that are no longer due.
 */
async function deleteFree(
  session: Session,
  rows: EventRow[],
  page: RetentionPage,
): Promise<{ deleted: number; young: Set<number> }> {
  const ended = rows.filter(isFree);
  if (!page.countOnly) await demandRuns(session, guidsOf(ended.filter(isMissing)));
  const free = ended.filter((row) => !isMissing(row));
  if (page.countOnly || free.length === 0) return { deleted: free.length, young: new Set() };
  const idle = await lockIdleRuns(session, [...new Set(guidsOf(free))]);
  const again = await findAgain(
    session,
    free.map(({ id }) => id),
    page,
  );
  const ids = again.filter((row) => isFree(row) && !isMissing(row) && idle.has(row.guid)).map(({ id }) => id);
  const young = new Set(again.filter(({ due }) => due !== 1).map(({ id }) => id));
  return { deleted: await deleteEvents(session, ids), young };
}

function isFree({ due, free }: LookedAt): boolean {
  return due === 1 && free === 1;
}

const isMissing = ({ archived }: LookedAt): boolean => archived === 0;
const guidsOf = (rows: EventRow[]): string[] => rows.map(({ guid }) => guid);

function findAgain(session: Session, ids: number[], page: RetentionPage): Promise<EventRow[]> {
  return session.rows<EventRow>(`SELECT ${columnsOf(page)} FROM events e ${OWNERS} WHERE e.id IN (?)`, [ids]);
}
