import type { Session } from '../../platform/mysql/session.js';

/** How far the archive is. */
export interface ArchiveProgress {
  /** Its place; empty before the first run was archived. */
  place: string;
  /** Runs up to this id were looked at. */
  afterRunId: number;
  runs: number;
  files: number;
  bytes: number;
  /** When a file was stored last; null: never. */
  storedAt: Date | null;
}

const ROW = 1;

/** Returns how far the archive is. */
export async function findProgress(session: Session): Promise<ArchiveProgress> {
  const [row] = await session.rows<ArchiveProgress>(
    `SELECT place, after_run_id AS afterRunId, runs, files, bytes, stored_at AS storedAt
     FROM archive_progress WHERE id = ?`,
    [ROW],
  );
  return row ?? { place: '', afterRunId: 0, runs: 0, files: 0, bytes: 0, storedAt: null };
}

/** Notes where the archive is. */
export async function storePlace(session: Session, place: string): Promise<void> {
  await session.run(
    'INSERT INTO archive_progress (id, place) VALUES (?, ?) ON DUPLICATE KEY UPDATE place = VALUES(place)',
    [ROW, place],
  );
}

/** The runs that were stored and looked at. */
export interface ArchiveStep {
  afterRunId: number;
  runs: number;
  files: number;
  bytes: number;
}

/** Adds what was stored; the position moves on and never back. */
export async function addProgress(
  session: Session,
  { afterRunId, runs, files, bytes }: ArchiveStep,
): Promise<void> {
  await session.run(
    `UPDATE archive_progress SET after_run_id = GREATEST(after_run_id, ?), runs = runs + ?, files = files + ?,
       bytes = bytes + ?, stored_at = IF(? = 0, stored_at, NOW(3)) WHERE id = ?`,
    [afterRunId, runs, files, bytes, files, ROW],
  );
}

/** A run that is in the archive, up to these ids. */
export interface ArchivedRun {
  guid: string;
  lastEventId: number;
  lastLogId: number;
  /** Events of the run in the archive, with its input. */
  events: number;
  /** The database's time when it was read. */
  seenAt: string;
}

/** Notes the runs, and ends their waits. At most some hundred at a time. */
export async function storeArchived(session: Session, runs: ArchivedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await session.run(
    `INSERT INTO archived_runs (story_run_guid, last_event_id, last_log_id, events, archived_at) VALUES ?
     ON DUPLICATE KEY UPDATE last_event_id = VALUES(last_event_id), last_log_id = VALUES(last_log_id),
       events = VALUES(events), archived_at = VALUES(archived_at)`,
    [
      runs.map(({ guid, lastEventId, lastLogId, events, seenAt }) => [
        guid,
        lastEventId,
        lastLogId,
        events,
        seenAt,
      ]),
    ],
  );
  await endWaits(
    session,
    runs.map(({ guid }) => guid),
  );
}

/** Removes the waits of these runs. */
export async function endWaits(session: Session, guids: string[]): Promise<void> {
  if (guids.length === 0) return;
  await session.run('DELETE FROM archive_waits WHERE story_run_guid IN (?)', [guids]);
}

/** Lets runs wait until they are looked at again. */
export async function storeWaits(session: Session, guids: string[], minutes: number): Promise<void> {
  if (guids.length === 0) return;
  await session.run(
    `INSERT INTO archive_waits (story_run_guid, next_at) VALUES ?
     ON DUPLICATE KEY UPDATE story_run_guid = VALUES(story_run_guid)`,
    [guids.map((guid) => [guid, LATER])],
  );
  await session.run(
    'UPDATE archive_waits SET next_at = NOW(3) + INTERVAL ? MINUTE WHERE story_run_guid IN (?)',
    [minutes, guids],
  );
}

/** Stands for a time that follows in the same transaction. */
const LATER = '2100-01-01';

/** The work that is left to archive. */
export interface ArchiveLag {
  /** Runs that wait, because they had work left or are due for deletion; counted up to 100,000. */
  waiting: number;
  /** Seconds for which the oldest run behind the position has been old enough; 0 if there is none. */
  seconds: number;
}

/** Returns how far the archive is behind. */
export async function readLag(session: Session, hours: number): Promise<ArchiveLag> {
  const [waits] = await session.rows<{ waiting: number }>(
    'SELECT COUNT(*) AS waiting FROM (SELECT 1 FROM archive_waits LIMIT 100000) w',
  );
  const { afterRunId } = await findProgress(session);
  const [oldest] = await session.rows<{ seconds: number }>(
    `SELECT TIMESTAMPDIFF(SECOND, created_at, NOW(3)) - ? * 3600 AS seconds FROM story_runs FORCE INDEX (PRIMARY)
     WHERE id > ? ORDER BY id LIMIT 1`,
    [hours, afterRunId],
  );
  return { waiting: waits?.waiting ?? 0, seconds: Math.max(0, oldest?.seconds ?? 0) };
}

/** A run that is archived and still stored. */
export interface ArchivedAndStored {
  /** Events in the archive, with the input. */
  events: number;
  storedEvents: number;
  /** 1 if an event was stored after those in the archive. */
  isNewer: number;
}

/** Returns what of the run is archived and stored; undefined if it is not archived, or is gone. */
export async function findArchived(session: Session, guid: string): Promise<ArchivedAndStored | undefined> {
  const [row] = await session.rows<ArchivedAndStored>(
    `SELECT a.events, COUNT(e.id) AS storedEvents, COALESCE(MAX(e.id) > a.last_event_id, 0) AS isNewer
     FROM archived_runs a LEFT JOIN events e FORCE INDEX (events_run) ON e.story_run_guid = a.story_run_guid
     WHERE a.story_run_guid = ? GROUP BY a.events, a.last_event_id`,
    [guid],
  );
  return row;
}
