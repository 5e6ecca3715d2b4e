import type { Session } from '../../platform/mysql/session.js';
import {
  readNewestRows,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import type { RunVerdict, ShadowRun, ShadowSkipReason } from './shadow.js';

/** Rows that are deleted in one transaction. */
export const CLEARED_AT_ONCE = 2_000;
/** In place of a group: the run itself. */
const NO_GROUP = 0;

/** A run with a result that is listed; `reason` null: it differs. */
export interface ListedRun {
  runId: number;
  reason: ShadowSkipReason | null;
}

/** Lists runs of one turn, and the groups that they are in. The caller holds the row of the shadow. */
export async function addListedRuns(
  session: Session,
  shadowId: number,
  {
    runs,
    groups,
  }: { runs: readonly ListedRun[]; groups: readonly { differenceId: number; runId: number }[] },
): Promise<void> {
  const rows = [
    ...runs.map(({ runId, reason }) => [shadowId, NO_GROUP, runId, reason]),
    ...groups.map(({ differenceId, runId }) => [shadowId, differenceId, runId, null]),
  ];
  if (rows.length === 0) return;
  await session.insert('INSERT INTO shadow_runs (shadow_id, difference_id, run_id, reason) VALUES ?', rows);
}

/** Runs of a shadow that are asked for: of one group, or with one verdict. */
export interface ListedRunFilter {
  shadowId: number;
  differenceId: number | undefined;
  verdict: RunVerdict | undefined;
}

const OF_VERDICT: Record<RunVerdict, string> = {
  different: ' AND x.reason IS NULL',
  not_compared: ' AND x.reason IS NOT NULL',
};

/** Returns a page of the listed runs that are still kept, the newest first. */
export function listRuns(
  session: Session,
  { shadowId, differenceId, verdict }: ListedRunFilter,
  window: WalkWindow,
): Promise<WalkPage<ShadowRun & { runId: number }>> {
  const query = {
    columns: 'x.run_id AS runId, r.guid, r.created_at AS createdAt, x.reason',
    from: 'shadow_runs x FORCE INDEX (PRIMARY) STRAIGHT_JOIN story_runs r FORCE INDEX (PRIMARY) ON r.id = x.run_id',
    where: `x.shadow_id = ? AND x.difference_id = ?${verdict === undefined ? '' : OF_VERDICT[verdict]}`,
    values: [shadowId, differenceId ?? NO_GROUP],
    order: { id: 'x.run_id' },
    placeOf: ({ runId }: { runId: number }) => ({ id: runId }),
  };
  return readNewestRows<ShadowRun & { runId: number }>(session, query, window);
}

/** Deletes up to `CLEARED_AT_ONCE` listed runs of a shadow; returns the number. */
export async function deleteListedRuns(session: Session, shadowId: number): Promise<number> {
  const { affectedRows } = await session.run('DELETE FROM shadow_runs WHERE shadow_id = ? LIMIT ?', [
    shadowId,
    CLEARED_AT_ONCE,
  ]);
  return affectedRows;
}
