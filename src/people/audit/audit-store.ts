import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import { countUpTo } from '../../platform/mysql/statements/id-page.js';
import {
  newestFirst,
  pageOf,
  placeAfter,
  rowsBefore,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditedChange } from './audited-changes.js';
import { type AuditTarget, findAuditTargets } from './audit-target-store.js';

/** A stored entry. */
export interface StoredAuditEntry extends Omit<AuditEntry, 'guid'> {
  id: number;
  /** The present name of its user; null without a user or a name. */
  userName: string | null;
  /** The present name of what it is about; undefined: it is gone, or its type has no names. */
  target: AuditTarget | undefined;
}

/** Filters of a tenant's entries; an absent one matches all. */
export interface AuditFilter {
  tenantId: number;
  /** Entries of any of these users; an empty list matches all. */
  userIds?: readonly number[] | undefined;
  /** Any of these; an empty list matches all. */
  actions?: readonly string[] | undefined;
  targetType?: string | undefined;
  targetId?: number | undefined;
  teamId?: number | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

const COLUMNS =
  'tenant_id, team_id, user_id, user_email, key_id, session_id, action, target_type, target_id,' +
  ' method, path, ip, user_agent, request_id, reason, status, changes, created_at';

const SELECTED =
  'id, tenant_id AS tenantId, team_id AS teamId, user_id AS userId, user_email AS userEmail, key_id AS keyId,' +
  ' session_id AS sessionId,' +
  ' action, target_type AS targetType, target_id AS targetId, method, path, ip, user_agent AS userAgent,' +
  ' request_id AS requestId, reason, status, changes, created_at AS createdAt';

const ORDER = { id: 'id', time: 'created_at' };

/** For each filter, the index that returns its entries in the order of the list. */
const INDEXES = {
  userIds: 'audit_logs_user',
  actions: 'audit_logs_action',
  targetType: 'audit_logs_type',
  targetId: 'audit_logs_target_id',
  teamId: 'audit_logs_team',
} as const;

/** Stores the entry. Does nothing if it is already stored (a retry). */
export async function insertAuditEntry(entry: AuditEntry, session: Session): Promise<void> {
  const row: SqlValue[] = [
    entry.guid,
    entry.tenantId,
    entry.teamId,
    entry.userId,
    entry.userEmail,
    entry.keyId,
    entry.sessionId,
    entry.action,
    entry.targetType,
    entry.targetId,
    entry.method,
    entry.path,
    entry.ip,
    entry.userAgent,
    entry.requestId,
    entry.reason,
    entry.status,
    entry.changes === null ? null : stringifyJson(entry.changes),
    entry.createdAt,
  ];
  try {
    await session.run(`INSERT INTO audit_logs (guid, ${COLUMNS}) VALUES (?)`, [row]);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Returns a page of entries, newest first, and the place of the next one. */
export async function listAuditEntries(
  filter: AuditFilter,
  window: WalkWindow,
  session: Session,
): Promise<Omit<WalkPage<StoredAuditEntry>, 'total'>> {
  const { sql, values } = whereOf(filter);
  const place = placeAfter(window.after, ORDER);
  const rows = await session.rows<
    Omit<StoredAuditEntry, 'userName' | 'target' | 'changes'> & { changes: string | null }
  >(
    `SELECT ${SELECTED} FROM audit_logs${indexHintOf(filter)} WHERE ${sql}${place.sql}
     ORDER BY ${newestFirst(ORDER)} LIMIT ? OFFSET ?`,
    [...values, ...place.values, window.limit + 1, rowsBefore(window)],
  );
  const { items, next } = pageOf(rows, window.limit, ({ id, createdAt }) => ({ id, time: createdAt }));
  const names = await namesOfUsers([...new Set(items.flatMap(({ userId }) => userId ?? []))], session);
  const targets = await targetsOf(items, filter.tenantId, session);
  const named = items.map((row) => ({
    ...row,
    changes: row.changes === null ? null : (parseJson(row.changes) as unknown as AuditedChange[]),
    userName: names.get(row.userId ?? 0) ?? null,
    target: targets.get(row.targetType)?.get(row.targetId ?? 0),
  }));
  return { items: named, next };
}

/** Returns what entries are about, by type and id. */
async function targetsOf(
  entries: readonly Pick<AuditEntry, 'targetType' | 'targetId'>[],
  tenantId: number,
  session: Session,
): Promise<Map<string, Map<number, AuditTarget>>> {
  const found = new Map<string, Map<number, AuditTarget>>();
  for (const type of new Set(entries.map(({ targetType }) => targetType))) {
    const ids = entries.flatMap(({ targetType, targetId }) => (targetType === type ? (targetId ?? []) : []));
    found.set(type, await findAuditTargets(type, { ids: [...new Set(ids)], tenantId }, session));
  }
  return found;
}

/** Returns the names of these users, by id: first and last name. Without those who have none. */
async function namesOfUsers(ids: readonly number[], session: Session): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; name: string }>(
    "SELECT id, TRIM(CONCAT(first_name, ' ', last_name)) AS name FROM users WHERE id IN (?)",
    [[...ids]],
  );
  return new Map(rows.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]));
}

/** Counts the entries of this filter up to the bound of lists, in the index of one of its terms. */
export function countAuditEntries(filter: AuditFilter, session: Session): Promise<number> {
  const { sql, values } = whereOf(filter);
  return countUpTo(session, { from: `audit_logs${indexHintOf(filter)}`, where: sql, values });
}

/**
 * Returns an index hint. Without it MySQL may choose an index that does not have the order of the list, and sort all
 * matches. With more than one filter or value the server chooses, because it knows which filter matches fewer rows.
 */
function indexHintOf(filter: AuditFilter): string {
  const given = Object.entries(INDEXES).filter(
    ([name]) => [filter[name as keyof typeof INDEXES] ?? []].flat().length > 0,
  );
  const hasSeveral = [filter.userIds, filter.actions].some((values = []) => values.length > 1);
  if (given.length > 1 || hasSeveral) return '';
  return ` FORCE INDEX (${given[0]?.[1] ?? 'audit_logs_tenant'})`;
}

const NOTHING = { sql: '1 = 0', values: [] };

function whereOf(filter: AuditFilter): { sql: string; values: SqlValue[] } {
  const terms: [string, SqlValue | undefined][] = [
    ['tenant_id = ?', filter.tenantId],
    oneOf('user_id', filter.userIds),
    oneOf('action', filter.actions),
    ['target_type = ?', filter.targetType],
    ['target_id = ?', filter.targetId],
    ['team_id = ?', filter.teamId],
    ['created_at >= ?', filter.from],
    ['created_at < ?', filter.to],
  ];
  const given = terms.filter((term): term is [string, SqlValue] => term[1] !== undefined);
  // The columns hold only ASCII, and the database refuses to compare them with other text.
  if (given.some(([, value]) => [value].flat().some((each) => typeof each === 'string' && !isAscii(each)))) {
    return NOTHING;
  }
  return { sql: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) };
}

function oneOf(column: string, values: readonly SqlValue[] = []): [string, SqlValue | undefined] {
  return values.length > 1 ? [`${column} IN (?)`, [...values]] : [`${column} = ?`, values[0]];
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
