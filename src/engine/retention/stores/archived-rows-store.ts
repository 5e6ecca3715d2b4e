import type { Session } from '../../../platform/mysql/session.js';

/*
 * With an archive, retention deletes what the archive has, and demands the rest. These are conditions for rows, as SQL.
 */

const archivedRun = (guid: string, more: string): string =>
  `EXISTS (SELECT 1 FROM archived_runs z WHERE z.story_run_guid = ${guid}${more})`;

/** True if the archive has the event `e`. */
export const EVENT_IS_ARCHIVED = archivedRun('e.story_run_guid', ' AND z.last_event_id >= e.id');

/** True if the archive has the line `l` of a log. A run whose row is gone was archived with all of its lines. */
export const LOG_IS_ARCHIVED = `(${archivedRun('l.story_run_guid', ' AND z.last_log_id >= l.id')}
  OR NOT EXISTS (SELECT 1 FROM story_runs y WHERE y.guid = l.story_run_guid))`;

/** True if the archive has the run `r`, and all lines of its logs. */
export const RUN_IS_ARCHIVED = archivedRun(
  'r.guid',
  ` AND NOT EXISTS (SELECT 1 FROM agent_logs x FORCE INDEX (agent_logs_run)
                    WHERE x.story_run_guid = r.guid AND x.id > z.last_log_id)`,
);

/** True if the archive has the dead letter `d`: its run was archived after the failure. */
export const LETTER_IS_ARCHIVED = archivedRun(
  'd.story_run_guid',
  ' AND z.archived_at > COALESCE(d.failed_at, d.due_at)',
);

/** Asks the archive for these runs: it looks at them next. */
export async function demandRuns(session: Session, guids: readonly string[]): Promise<void> {
  if (guids.length === 0) return;
  await session.run(
    `INSERT INTO archive_waits (story_run_guid, next_at) VALUES ?
     ON DUPLICATE KEY UPDATE next_at = LEAST(next_at, VALUES(next_at))`,
    [[...new Set(guids)].toSorted().map((guid) => [guid, AT_ONCE])],
  );
}

/** A time that has passed. */
const AT_ONCE = '2000-01-01';
