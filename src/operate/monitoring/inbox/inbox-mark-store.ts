import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Severity } from '../reasons/reason.js';
import type { ActionNames } from './held-entries.js';

/** A person who has an entry. */
export interface Assignee {
  id: number;
  name: string;
  email: string;
}

/** What people noted of an entry. */
export interface InboxMark {
  /** Null: nobody has it, or who had it was deleted or deactivated. */
  assignee: Assignee | null;
  /** Until when it is hidden; null: it is not, or its time is over. */
  snoozedUntil: Date | null;
  /** Its count when it was hidden. */
  snoozedCount: number;
  /** How urgent it was then, and when that was; null: it is not hidden. */
  snoozedSeverity: Severity | null;
  snoozedAt: Date | null;
  /** Whole hours since then. */
  snoozedHours: number | null;
}

/** A change of a mark; absent: it stays. */
export interface MarkChange {
  assigneeId?: number | null | undefined;
  snooze?: { until: Date; count: number; severity: Severity } | null | undefined;
}

/** Days after its last change for which a mark is kept: entries come back that were away for a while. */
const KEPT_DAYS = 90;

interface MarkRow {
  key: string;
  snoozedUntil: Date | null;
  snoozedCount: number | null;
  snoozedSeverity: Severity | null;
  snoozedAt: Date | null;
  snoozedHours: number | null;
  userId: number | null;
  userName: string;
  email: string;
}

/** Returns the marks of these entries, by key. */
export async function findMarks(
  session: Session,
  tenantId: number,
  keys: readonly string[],
): Promise<Map<string, InboxMark>> {
  if (keys.length === 0) return new Map();
  const rows = await session.rows<MarkRow>(
    `SELECT m.entry_key AS \`key\`, IF(m.snoozed_until > NOW(3), m.snoozed_until, NULL) AS snoozedUntil,
            m.snoozed_count AS snoozedCount, m.snoozed_severity AS snoozedSeverity, m.snoozed_at AS snoozedAt,
            TIMESTAMPDIFF(HOUR, m.snoozed_at, NOW(3)) AS snoozedHours, u.id AS userId, u.email,
            COALESCE(NULLIF(TRIM(CONCAT_WS(' ', u.first_name, u.last_name)), ''),
                     SUBSTRING_INDEX(u.email, '@', 1)) AS userName
     FROM inbox_marks m FORCE INDEX (PRIMARY) LEFT JOIN users u ON u.id = m.assignee_id AND u.tenant_id = m.tenant_id
       AND u.deactivated_at IS NULL
     WHERE m.tenant_id = ? AND m.entry_key IN (?)`,
    [tenantId, [...keys]],
  );
  return new Map(
    rows.map(({ key, snoozedCount, userId, userName, email, ...snooze }) => [
      key,
      {
        ...snooze,
        assignee: userId === null ? null : { id: userId, name: userName, email },
        snoozedCount: snoozedCount ?? 0,
      },
    ]),
  );
}

/** Stores a change of the mark of an entry. */
export async function saveMark(
  session: Session,
  { tenantId, key }: { tenantId: number; key: string },
  { assigneeId, snooze }: MarkChange,
): Promise<void> {
  const set = [
    ...(assigneeId === undefined ? [] : ['assignee_id = VALUES(assignee_id)']),
    ...(snooze === undefined
      ? []
      : ['until', 'count', 'severity', 'at'].map((name) => `snoozed_${name} = VALUES(snoozed_${name})`)),
    'expires_at = VALUES(expires_at)',
  ];
  await session.run(
    `INSERT INTO inbox_marks (tenant_id, entry_key, assignee_id, snoozed_until, snoozed_count, snoozed_severity,
                              snoozed_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, IF(?, NOW(3), NULL), NOW(3) + INTERVAL ${KEPT_DAYS} DAY) ON DUPLICATE KEY UPDATE ${set.join(', ')}`,
    [
      tenantId,
      key,
      assigneeId ?? null,
      snooze?.until ?? null,
      snooze?.count ?? null,
      snooze?.severity ?? null,
      Boolean(snooze),
    ],
  );
}

/** Returns the names of these actions that exist and of their stories, by id. */
export async function findNamesOfActions(
  session: Session,
  ids: readonly number[],
): Promise<Map<number, ActionNames>> {
  const rows = await session.rows<ActionNames & { id: number }>(
    `SELECT a.id, a.name AS action, s.name AS story
     FROM agents a FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = a.story_id
     WHERE a.id IN (?)`,
    [idsOrNone(ids)],
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
