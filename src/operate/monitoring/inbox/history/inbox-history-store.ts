import type { Session } from '../../../../platform/mysql/session.js';
import type { SqlValue } from '../../../../platform/mysql/statements/sql.js';
import { idsOrNone } from '../../../../platform/mysql/statements/page-query.js';
import { entryOf, type InboxEntry, type InboxKind } from '../inbox-entry.js';

/** Days for which a closed entry can be seen. */
const KEPT_DAYS = 30;
/** An entry that comes back within so many minutes is the same one. */
const SAME_MINUTES = 60;
/** Newest changes among which the one is sought that ended an entry. */
const MOST_CHANGES = 200;
/** Rows of a tenant: no more are added. */
const MOST_ROWS = 10_000;

/** Kinds that are noted. Keys are not: they are in their list. */
export type NotedKind = Exclude<InboxKind, 'api_key'>;

/** The entries of a kind that are open, and the teams of which they are told. */
export interface NotedScope {
  tenantId: number;
  kind: NotedKind;
  teamIds: readonly number[];
}

/** An entry that was open when it was last noted. */
export interface OpenEntry {
  id: number;
  key: string;
  teamId: number | null;
  notedAt: Date;
}

/** A change that may have ended entries. */
export interface Ending {
  action: string;
  /** Null: it is not told. */
  userId: number | null;
  at: Date;
}

/** An entry that has ended. */
export interface ClosedEntry extends InboxEntry {
  closed: { at: Date; after: string | null; by: { id: number; name: string } | null };
}

const SCOPE = 'tenant_id = ? AND kind = ? AND (team_id IS NULL OR team_id IN (?))';
const scopeValues = ({ tenantId, kind, teamIds }: NotedScope): SqlValue[] => [
  tenantId,
  kind,
  idsOrNone([...teamIds]),
];

/** Returns up to `limit` noted entries that have not ended. */
export function findOpenEntries(session: Session, scope: NotedScope, limit: number): Promise<OpenEntry[]> {
  return session.rows<OpenEntry>(
    `SELECT id, open_key AS \`key\`, team_id AS teamId, noted_at AS notedAt
     FROM inbox_history FORCE INDEX (inbox_history_open) WHERE ${SCOPE} AND open_key IS NOT NULL LIMIT ?`,
    [...scopeValues(scope), limit],
  );
}

/** Entries that were read at a time. `returned`: keys of those that were not open. */
export interface ReadEntries {
  entries: readonly InboxEntry[];
  returned: ReadonlySet<string>;
  readAt: Date;
}

/** Returns those of these keys that ended after a time. */
export async function findEndedSince(
  session: Session,
  { tenantId, keys, since }: { tenantId: number; keys: readonly string[]; since: Date },
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await session.rows<{ key: string }>(
    `SELECT entry_key AS \`key\` FROM inbox_history FORCE INDEX (inbox_history_ended)
     WHERE tenant_id = ? AND ended_at >= ? AND entry_key IN (?)`,
    [tenantId, since, [...keys]],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Notes entries that are open: new ones, those that came back soon, and what others have grown to. */
export async function noteOpenEntries(
  session: Session,
  { tenantId, kind }: Pick<NotedScope, 'tenantId' | 'kind'>,
  { entries, returned, readAt }: ReadEntries,
): Promise<void> {
  if (entries.length === 0) return;
  if (returned.size > 0) {
    // Another process may have noted it anew: then that row stays.
    await session.run(
      `UPDATE IGNORE inbox_history FORCE INDEX (inbox_history_ended)
       SET open_key = entry_key, ended_at = NULL, ended_after = NULL, ended_by = NULL
       WHERE tenant_id = ? AND ended_at > NOW(3) - INTERVAL ${SAME_MINUTES} MINUTE AND entry_key IN (?)`,
      [tenantId, [...returned]],
    );
  }
  // All processes lock them in one order.
  const inOrder = entries.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const rows = inOrder.map((entry) => ({
    entryKey: entry.key,
    isNew: returned.has(entry.key) ? 1 : 0,
    teamId: entry.teamId,
    storyId: entry.story?.id ?? null,
    firstSeen: entry.firstSeen?.toISOString().replace('T', ' ').replace('Z', '') ?? null,
    count: entry.count,
    severity: entry.severity,
    facts: JSON.stringify(factsOf(entry)),
  }));
  // A story moves to another team with what fails in it.
  await session.run(
    `INSERT INTO inbox_history (tenant_id, kind, entry_key, open_key, team_id, story_id, severity, count, facts, first_seen,
                                noted_at, expires_at)
     SELECT ?, ?, v.entryKey, v.entryKey, v.teamId, v.storyId, v.severity, v.count, v.facts, v.firstSeen, ?,
            NOW(3) + INTERVAL ${KEPT_DAYS} DAY
     FROM JSON_TABLE(?, '$[*]' COLUMNS (
       entryKey VARCHAR(80) PATH '$.entryKey', isNew INT PATH '$.isNew', teamId BIGINT UNSIGNED PATH '$.teamId',
       storyId BIGINT UNSIGNED PATH '$.storyId', severity VARCHAR(8) PATH '$.severity', count BIGINT UNSIGNED PATH '$.count',
       firstSeen DATETIME(3) PATH '$.firstSeen', facts LONGTEXT PATH '$.facts')) v
     WHERE v.isNew = 0
       OR (SELECT COUNT(*) FROM (SELECT 1 FROM inbox_history h FORCE INDEX (inbox_history_ended) WHERE h.tenant_id = ?
                                 LIMIT ${MOST_ROWS}) n) < ${MOST_ROWS}
     ON DUPLICATE KEY UPDATE team_id = VALUES(team_id), story_id = VALUES(story_id), severity = VALUES(severity),
                             count = VALUES(count), facts = VALUES(facts),
                             noted_at = GREATEST(noted_at, VALUES(noted_at)), expires_at = VALUES(expires_at)`,
    [tenantId, kind, readAt, JSON.stringify(rows), tenantId],
  );
}

/** Notes that entries have ended, after a change or by themselves. Entries that another process has closed stay as they are. */
export async function closeEntries(
  session: Session,
  ids: readonly number[],
  ending: Pick<Ending, 'action' | 'userId'> | undefined,
): Promise<void> {
  if (ids.length === 0) return;
  await session.run(
    `UPDATE inbox_history SET open_key = NULL, ended_at = NOW(3), ended_after = ?, ended_by = ?,
            expires_at = NOW(3) + INTERVAL ${KEPT_DAYS} DAY
     WHERE id IN (?) AND open_key IS NOT NULL`,
    [ending?.action ?? null, ending?.userId ?? null, [...ids]],
  );
}

/**
 * Returns the last of these changes of a team since a time; undefined: there was none. Without a team: of the tenant, and not
 * whose it was, for every team reads that. Changes of drafts are left out. If a draft is gone, so are its actions and versions;
 * of those that are deleted, the audit log keeps the name of their draft.
 */
export async function findEnding(
  session: Session,
  { tenantId, teamId, since }: { tenantId: number; teamId: number | null; since: Date },
  actions: readonly string[],
): Promise<Ending | undefined> {
  const of =
    teamId === null
      ? { index: 'audit_logs_tenant', where: '', values: [] }
      : { index: 'audit_logs_team', where: ' AND team_id = ?', values: [teamId] };
  const [row] = await session.rows<Ending>(
    `SELECT l.action, l.userId, l.at
     FROM (SELECT id, action, target_type AS type, target_id AS targetId, user_id AS userId, created_at AS at,
                  COALESCE(changes, '') LIKE '%"draft_name"%' AS namesDraft
           FROM audit_logs FORCE INDEX (${of.index})
           WHERE tenant_id = ?${of.where} AND created_at >= ? AND action IN (?) AND COALESCE(status, 200) < 400
           ORDER BY created_at DESC, id DESC LIMIT ${MOST_CHANGES}) l
       LEFT JOIN agents a FORCE INDEX (PRIMARY) ON l.type = 'agent' AND a.id = l.targetId
       LEFT JOIN story_versions v FORCE INDEX (PRIMARY) ON l.type = 'story_version' AND v.id = l.targetId
       LEFT JOIN stories s FORCE INDEX (PRIMARY)
         ON s.id = CASE l.type WHEN 'story' THEN l.targetId WHEN 'agent' THEN a.story_id ELSE v.story_id END
     WHERE s.draft_of IS NULL AND NOT l.namesDraft
       AND (s.id IS NOT NULL OR l.targetId IS NULL OR l.action LIKE '%.delete' OR l.type NOT IN ('story', 'agent', 'story_version'))
     ORDER BY l.at DESC, l.id DESC LIMIT 1`,
    [tenantId, ...of.values, since, [...actions]],
  );
  return row && { ...row, userId: teamId === null ? null : row.userId };
}

interface ClosedRow {
  key: string;
  kind: InboxKind;
  teamId: number | null;
  severity: InboxEntry['severity'];
  count: number;
  firstSeen: Date | null;
  endedAt: Date;
  endedAfter: string | null;
  facts: string;
  userId: number | null;
  userName: string;
}

/** A filter of closed entries; all conditions must hold. */
export interface ClosedQuery {
  tenantId: number;
  teamIds: readonly number[];
  kind?: InboxKind | undefined;
  teamId?: number | undefined;
  storyId?: number | undefined;
}

/** Returns up to `limit` entries that ended within 30 days, the last first. */
export async function findClosedEntries(
  session: Session,
  { tenantId, teamIds, kind, teamId, storyId }: ClosedQuery,
  limit: number,
): Promise<ClosedEntry[]> {
  const rows = await session.rows<ClosedRow>(
    `SELECT h.entry_key AS \`key\`, h.kind, h.team_id AS teamId, h.severity, h.count, h.first_seen AS firstSeen,
            h.ended_at AS endedAt, h.ended_after AS endedAfter, h.facts, u.id AS userId,
            COALESCE(NULLIF(TRIM(CONCAT_WS(' ', u.first_name, u.last_name)), ''),
                     SUBSTRING_INDEX(u.email, '@', 1)) AS userName
     FROM inbox_history h FORCE INDEX (inbox_history_ended) LEFT JOIN users u ON u.id = h.ended_by AND u.tenant_id = h.tenant_id
     WHERE h.tenant_id = ? AND h.ended_at > NOW(3) - INTERVAL ${KEPT_DAYS} DAY
       AND (h.team_id IS NULL OR h.team_id IN (?)) AND (? IS NULL OR h.kind = ?)
       AND (? IS NULL OR h.team_id IS NULL OR h.team_id = ?) AND (? IS NULL OR h.story_id = ?)
     ORDER BY h.ended_at DESC, h.id DESC LIMIT ?`,
    [
      tenantId,
      idsOrNone([...teamIds]),
      ...[kind, teamId, storyId].flatMap((value) => [value ?? null, value ?? null]),
      limit,
    ],
  );
  return rows.map(toClosed);
}

/** The parts of an entry that have no column: its title, names and ids. Texts of errors are left out. */
type Facts = Pick<
  InboxEntry,
  'reason' | 'title' | 'story' | 'action' | 'queue' | 'quota' | 'scheduleId' | 'credentialId'
>;

function factsOf({ reason, title, story, action, queue, quota, scheduleId, credentialId }: Facts): Facts {
  return { reason, title, story, action, queue, quota, scheduleId, credentialId };
}

function toClosed({ facts, endedAt, endedAfter: after, userId, userName, ...row }: ClosedRow): ClosedEntry {
  const by = userId === null ? null : { id: userId, name: userName };
  return { ...entryOf({ ...row, ...(JSON.parse(facts) as Facts) }), closed: { at: endedAt, after, by } };
}
