import type { Session } from '../../platform/mysql/session.js';
import { type DayUsage, QUOTA_NAMES, type QuotaLimits } from './quota.js';

/** Number of days kept, not counting today. */
const KEPT_DAYS = 40;
/** Maximum number of rows that one `deleteOldUsage` deletes. */
const DELETED_AT_ONCE = 10_000;

/** Use of a tenant today, and its own quotas. Times are the database's (notes/stores.md, Whose clock). */
export interface StoredQuotaState extends DayUsage {
  tenantId: number;
  /** Null: the default applies. */
  limits: Record<keyof QuotaLimits, number | null>;
  /** Start of the next day: as `YYYY-MM-DDTHH:MM:SSZ`, and in ms from now. */
  resetsAt: string;
  resetsInMs: number;
}

type QuotaStateRow = Omit<StoredQuotaState, 'limits'> & StoredQuotaState['limits'];

/** COALESCE of an unsigned and a signed number is a decimal, which the driver returns as text: hence the CAST. */
const USED = [
  ['events', 'events'],
  ['bytes', 'bytes'],
  ['mails', 'mails'],
  ['cpu_ms', 'cpuMs'],
]
  .map(([column, name]) => `CAST(COALESCE(u.${column}, 0) AS SIGNED) AS ${name}`)
  .join(', ');
const OWN_LIMITS = QUOTA_NAMES.map((name) => `q.${name}`).join(', ');

/** Adds the use to the current day, in one statement for all tenants; a tenant has one row a day. */
export async function addUsage(usage: ReadonlyMap<number, DayUsage>, session: Session): Promise<void> {
  const rows = [...usage].toSorted(([a], [b]) => a - b);
  if (rows.length === 0) return;
  await session.run(
    `INSERT INTO tenant_usage (tenant_id, day, events, bytes, mails, cpu_ms)
     VALUES ${rows.map(() => '(?, UTC_DATE(), ?, ?, ?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE events = events + VALUES(events), bytes = bytes + VALUES(bytes),
       mails = mails + VALUES(mails), cpu_ms = cpu_ms + VALUES(cpu_ms)`,
    rows.flatMap(([id, { events, bytes, mails, cpuMs }]) => [id, events, bytes, mails, Math.round(cpuMs)]),
  );
}

/** Returns the quota states of these tenants; skips tenants that do not exist. */
export async function findQuotaStates(tenantIds: number[], session: Session): Promise<StoredQuotaState[]> {
  if (tenantIds.length === 0) return [];
  const rows = await session.rows<QuotaStateRow>(
    `SELECT t.id AS tenantId, ${USED}, ${OWN_LIMITS},
            DATE_FORMAT(UTC_DATE() + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS resetsAt,
            TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), UTC_DATE() + INTERVAL 1 DAY) DIV 1000 AS resetsInMs
     FROM tenants t LEFT JOIN tenant_quotas q ON q.tenant_id = t.id
       LEFT JOIN tenant_usage u ON u.tenant_id = t.id AND u.day = UTC_DATE()
     WHERE t.id IN (?)`,
    [tenantIds],
  );
  return rows.map(({ tenantId, events, bytes, mails, cpuMs, resetsAt, resetsInMs, ...limits }) => ({
    tenantId,
    events,
    bytes,
    mails,
    cpuMs,
    resetsAt,
    resetsInMs,
    limits,
  }));
}

/** Counts the records of the tenants, by id; leaves out tenants without records. */
export async function countTenantRecords(
  tenantIds: number[],
  session: Session,
): Promise<Map<number, number>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await session.rows<{ id: number; n: number }>(
    `SELECT t.tenant_id AS id, CAST(SUM(c.records) AS SIGNED) AS n
     FROM teams t JOIN record_types y ON y.team_id = t.id JOIN record_counts c ON c.record_type_id = y.id
     WHERE t.tenant_id IN (?) GROUP BY t.tenant_id`,
    [tenantIds],
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Number of a tenant's stories and schedules, and its own quotas for them. */
export interface StoredCounts {
  stories: number;
  schedules: number;
  /** Null: the default applies. */
  limits: { stories: number | null; schedules: number | null };
}

/** Counts stories and schedules in the caller's transaction. */
export async function countObjects(tenantId: number, session: Session): Promise<StoredCounts> {
  const [row] = await session.rows<{
    stories: number;
    schedules: number;
    storiesLimit: number | null;
    schedulesLimit: number | null;
  }>(
    `SELECT (SELECT COUNT(*) FROM stories s JOIN teams t ON t.id = s.team_id WHERE t.tenant_id = x.id AND s.draft_of IS NULL) AS stories,
            (SELECT COUNT(*) FROM schedules c JOIN stories s ON s.id = c.story_id JOIN teams t ON t.id = s.team_id
             WHERE t.tenant_id = x.id) AS schedules,
            q.stories AS storiesLimit, q.schedules AS schedulesLimit
     FROM tenants x LEFT JOIN tenant_quotas q ON q.tenant_id = x.id WHERE x.id = ?`,
    [tenantId],
  );
  const { storiesLimit = null, schedulesLimit = null, ...counts } = row ?? { stories: 0, schedules: 0 };
  return { ...counts, limits: { stories: storiesLimit, schedules: schedulesLimit } };
}

/** Sets a tenant's own quotas; null resets one to the default. Absent ones stay unchanged. */
export async function saveQuotas(
  tenantId: number,
  limits: Partial<StoredQuotaState['limits']>,
  session: Session,
): Promise<void> {
  const named = QUOTA_NAMES.filter((name) => limits[name] !== undefined);
  if (named.length === 0) return;
  await session.run(
    `INSERT INTO tenant_quotas (tenant_id, ${named.join(', ')}) VALUES (?)
     ON DUPLICATE KEY UPDATE ${named.map((name) => `${name} = VALUES(${name})`).join(', ')}, updated_at = NOW(3)`,
    [[tenantId, ...named.map((name) => limits[name] ?? null)]],
  );
}

/** Deletes at most 10,000 rows that are older than 40 days. */
export async function deleteOldUsage(session: Session): Promise<void> {
  await session.run('DELETE FROM tenant_usage WHERE day < UTC_DATE() - INTERVAL ? DAY ORDER BY day LIMIT ?', [
    KEPT_DAYS,
    DELETED_AT_ONCE,
  ]);
}
