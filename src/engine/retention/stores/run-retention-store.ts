import type { Session } from '../../../platform/mysql/session.js';
import { demandRuns, LETTER_IS_ARCHIVED, RUN_IS_ARCHIVED } from './archived-rows-store.js';
import {
  aDayAtLeast,
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
  deleteByIds,
  deleteByNames,
  type LookedAt,
  type RetentionPage,
} from './retention-rows-store.js';
import { lockIdleRuns } from './run-lock-store.js';

interface RunRow extends LookedAt {
  guid: string;
}

const KEEPS = aDayAtLeast('s.keep_events_for');
const DUE = `(s.id IS NULL OR ${isOver('r.created_at', KEEPS)})`;
const IS_EMPTY = 'NOT EXISTS (SELECT 1 FROM events e WHERE e.story_run_guid = r.guid)';
const COLUMNS = `r.guid, ${DUE} AS due,
  IF(${DUE}, ${IS_EMPTY} AND NOT ${runIsBusy('r.guid')} AND NOT ${isAwaited('r.guid')}, 0) AS free`;
/** The same, with what the archive has. */
const columnsOf = ({ onlyArchived }: RetentionPage) =>
  onlyArchived ? `${COLUMNS}, IF(${DUE}, ${RUN_IS_ARCHIVED}, 0) AS archived` : COLUMNS;

/** Returns the next stories; `due` if their oldest run is past its retention time. */
export function findRunOwners(
  session: Session,
  page: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  return findStoryOwners(session, { keeps: KEEPS }, page);
}

/** Deletes the due, empty runs in a story's next page, with the calls that started them. To be called in a transaction. */
export async function clearRuns(session: Session, page: RetentionPage): Promise<Cleared> {
  const rows = await findRunPage<RunRow>(session, columnsOf(page), page);
  const ended = rows.filter(({ free }) => free === 1);
  const missing = ended.filter(({ archived }) => archived === 0).map(({ guid }) => guid);
  if (!page.countOnly) await demandRuns(session, missing);
  const free = ended.filter(({ archived }) => archived !== 0);
  const deleted = page.countOnly || free.length === 0 ? free.length : await deleteRuns(session, free, page);
  return clearedOf(rows, page, deleted);
}

async function deleteRuns(session: Session, runs: RunRow[], page: RetentionPage): Promise<number> {
  const idle = await lockIdleRuns(
    session,
    runs.map(({ guid }) => guid),
  );
  const again = await session.rows<RunRow>(
    `SELECT r.id, ${columnsOf(page)} FROM story_runs r LEFT JOIN stories s ON s.id = r.story_id WHERE r.id IN (?)`,
    [runs.map(({ id }) => id)],
  );
  const over = again.filter(({ guid, free, archived }) => free === 1 && archived !== 0 && idle.has(guid));
  const guids = over.map(({ guid }) => guid);
  await deleteByNames(session, { table: 'story_calls', column: 'story_run_guid' }, guids);
  await deleteByNames(session, { table: 'archived_runs', column: 'story_run_guid' }, guids);
  await deleteByNames(session, { table: 'archive_waits', column: 'story_run_guid' }, guids);
  return deleteByIds(
    session,
    { table: 'story_runs' },
    over.map(({ id }) => id),
  );
}

/** Deletes the dead letters of a deleted story, which cannot be retried. To be called in a transaction. */
export async function clearDeadLettersOfStory(session: Session, page: RetentionPage): Promise<Cleared> {
  const runs = await findRunPage<RunRow>(session, 'r.guid, 1 AS due, 1 AS free', page);
  const ids = await findLetters(session, runs, page);
  const deleted = page.countOnly ? ids.length : await deleteByIds(session, { table: 'deliveries' }, ids);
  const cleared = clearedOf(runs, page, deleted);
  // These runs may have more dead letters than one batch: the same page is repeated.
  const again = deleted === page.limit && !page.countOnly;
  return again ? { ...cleared, last: page.after, more: true } : cleared;
}

async function findLetters(
  session: Session,
  runs: { guid: string }[],
  { limit, onlyArchived, countOnly }: RetentionPage,
): Promise<number[]> {
  if (runs.length === 0) return [];
  const rows = await session.rows<{ id: number; guid: string; archived: number }>(
    `SELECT d.id, d.story_run_guid AS guid, ${onlyArchived ? LETTER_IS_ARCHIVED : 1} AS archived
     FROM deliveries d FORCE INDEX (deliveries_run)
     WHERE d.story_run_guid IN (?) AND d.state = 'failed' ORDER BY archived DESC LIMIT ?`,
    [runs.map(({ guid }) => guid), limit],
  );
  const missing = rows.filter(({ archived }) => archived === 0);
  if (!countOnly) {
    await demandRuns(
      session,
      missing.map(({ guid }) => guid),
    );
  }
  return rows.filter(({ archived }) => archived === 1).map(({ id }) => id);
}
