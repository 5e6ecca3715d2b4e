import type { Session } from '../../platform/mysql/session.js';
import type { RunSource } from '../../api/face.js';
import { causeOf } from '../../engine/face.js';
import { countWarnings } from '../attempts/attempt-store.js';
import type { RunStatus, RunView } from './run.js';

interface RunRow {
  id: number;
  guid: string;
  storyId: number;
  source: RunSource;
  createdAt: Date;
  cancelledAt: Date | null;
  isOpen: number;
  lastEventAt: Date | null;
  draftOf: number | null;
  draftName: string | null;
}

/** The numbers of a run's events and of the actions that emitted them, and the first event. */
type Counts = Pick<RunView, 'eventCount' | 'actionCount' | 'firstEventId'>;
/** Values of a run that other statements find. */
type Found = keyof Counts | 'cause' | 'warnings';

/** The dead letters of a run. */
interface Failures {
  guid: string;
  lastAt: Date | null;
  firstId: number;
}

const LAST_EVENT =
  '(SELECT l.created_at FROM events l WHERE l.id =' +
  ' (SELECT MAX(e.id) FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid = r.guid))';
const IS_OPEN =
  'EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)' +
  " WHERE d.story_run_guid = r.guid AND d.state <> 'failed')";

/** Returns the runs with these ids that exist, in the order of the ids. */
export async function findRunViews(session: Session, ids: number[]): Promise<RunView[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<RunRow>(
    `SELECT r.id, r.guid, r.story_id AS storyId, r.source, r.created_at AS createdAt,
            r.cancelled_at AS cancelledAt, ${IS_OPEN} AS isOpen, ${LAST_EVENT} AS lastEventAt,
            s.draft_of AS draftOf, s.draft_name AS draftName
     FROM story_runs r LEFT JOIN stories s ON s.id = r.story_id WHERE r.id IN (?)`,
    [ids],
  );
  const guids = rows.map(({ guid }) => guid);
  const over = rows.filter(({ isOpen, cancelledAt }) => isOpen === 0 || cancelledAt !== null);
  // A run that goes on may have any number of dead letters, and each page would read them all.
  const failures = await findFailures(
    session,
    over.map(({ guid }) => guid),
  );
  const counts = await findCounts(session, guids);
  const causes = await findCauses(session, failures);
  const warnings = await countWarnings(session, guids);
  const byId = new Map(
    rows.map((row) => [
      row.id,
      {
        ...toView(row, failures.get(row.guid)),
        ...(counts.get(row.guid) ?? NOTHING),
        cause: causes.get(row.guid) ?? null,
        warnings: warnings.get(row.guid) ?? 0,
      },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const NOTHING: Counts = { eventCount: 0, actionCount: 0, firstEventId: null };

/** Returns the status of the runs with these guids that exist, by guid. */
export async function findRunStatuses(session: Session, guids: string[]): Promise<Map<string, RunStatus>> {
  if (guids.length === 0) return new Map();
  const rows = await session.rows<Pick<RunRow, 'guid' | 'cancelledAt' | 'isOpen'>>(
    `SELECT r.guid, r.cancelled_at AS cancelledAt, ${IS_OPEN} AS isOpen
     FROM story_runs r FORCE INDEX (story_runs_guid) WHERE r.guid IN (?)`,
    [guids],
  );
  const failures = await findFailures(session, guids);
  return new Map(
    rows.map(({ guid, cancelledAt, isOpen }) => [
      guid,
      statusOf(cancelledAt, { isOpen: isOpen !== 0, hasFailures: failures.has(guid) }),
    ]),
  );
}

async function findCounts(session: Session, guids: string[]): Promise<Map<string, Counts>> {
  if (guids.length === 0) return new Map();
  const rows = await session.rows<Counts & { guid: string }>(
    `SELECT story_run_guid AS guid, COUNT(NULLIF(agent_id, 0)) AS eventCount,
            COUNT(DISTINCT NULLIF(agent_id, 0)) AS actionCount, MIN(id) AS firstEventId
     FROM events FORCE INDEX (events_run) WHERE story_run_guid IN (?) GROUP BY story_run_guid`,
    [guids],
  );
  return new Map(rows.map(({ guid, ...counts }) => [guid, counts]));
}

async function findFailures(session: Session, guids: string[]): Promise<Map<string, Failures>> {
  if (guids.length === 0) return new Map();
  const rows = await session.rows<Failures>(
    `SELECT story_run_guid AS guid, MAX(failed_at) AS lastAt, MIN(id) AS firstId FROM deliveries FORCE INDEX (deliveries_run)
     WHERE story_run_guid IN (?) AND state = 'failed' GROUP BY story_run_guid`,
    [guids],
  );
  return new Map(rows.map((row) => [row.guid, row]));
}

/** Returns why the first dead letter of each run failed, by guid. */
async function findCauses(
  session: Session,
  failures: ReadonlyMap<string, Failures>,
): Promise<Map<string, string | null>> {
  if (failures.size === 0) return new Map();
  const rows = await session.rows<{ guid: string; cause: string | null; error: string | null }>(
    'SELECT story_run_guid AS guid, cause, error FROM deliveries FORCE INDEX (PRIMARY) WHERE id IN (?)',
    [[...failures.values()].map(({ firstId }) => firstId)],
  );
  return new Map(rows.map((row) => [row.guid, causeOf(row)]));
}

function toView(
  { isOpen, lastEventAt, draftOf, draftName, ...row }: RunRow,
  failures: Failures | undefined,
): Omit<RunView, Found> {
  const status = statusOf(row.cancelledAt, { isOpen: isOpen !== 0, hasFailures: failures !== undefined });
  const endedAt = status === 'running' ? null : (row.cancelledAt ?? later(lastEventAt, failures?.lastAt));
  const draft = draftOf === null ? null : { id: row.storyId, name: draftName ?? '' };
  return { ...row, status, endedAt, draft };
}

function statusOf(
  cancelledAt: Date | null,
  { isOpen, hasFailures }: { isOpen: boolean; hasFailures: boolean },
): RunStatus {
  if (cancelledAt !== null) return 'cancelled';
  if (isOpen) return 'running';
  return hasFailures ? 'failed' : 'completed';
}

function later(a: Date | null, b: Date | null | undefined): Date | null {
  if (a === null || b === null || b === undefined) return a ?? b ?? null;
  return a > b ? a : b;
}
