import type { Session } from '../../../../platform/mysql/session.js';

/** Figures that change when work of a tenant begins or ends; removed rows change nothing. */
export interface TenantMarks {
  newestEvent: number;
  newestRun: number;
  newestDelivery: number;
  openDeliveries: number;
}

/** Returns the marks of a tenant. Reads all deliveries once. */
export async function readTenantMarks(tenantId: number, session: Session): Promise<TenantMarks> {
  const [row] = await session.rows<Record<keyof TenantMarks, string | number | null>>(
    `SELECT MAX((SELECT MAX(e.id) FROM events e WHERE e.story_id = s.id)) AS newestEvent,
            MAX((SELECT MAX(r.id) FROM story_runs r WHERE r.story_id = s.id)) AS newestRun,
            (SELECT MAX(d.id) FROM deliveries d JOIN stories x ON x.id = d.story_id WHERE x.tenant_id = ?) AS newestDelivery,
            (SELECT COUNT(*) FROM deliveries d JOIN stories x ON x.id = d.story_id
             WHERE x.tenant_id = ? AND d.state <> 'failed') AS openDeliveries
     FROM stories s WHERE s.tenant_id = ?`,
    [tenantId, tenantId, tenantId],
  );
  return {
    newestEvent: Number(row?.newestEvent ?? 0),
    newestRun: Number(row?.newestRun ?? 0),
    newestDelivery: Number(row?.newestDelivery ?? 0),
    openDeliveries: Number(row?.openDeliveries ?? 0),
  };
}

/** Returns true if a delivery of the tenant has a job, or is worked on. */
export async function hasJobs(tenantId: number, session: Session): Promise<boolean> {
  const rows = await session.rows(
    `SELECT d.id FROM deliveries d JOIN stories s ON s.id = d.story_id
     WHERE d.state = 'pending' AND s.tenant_id = ? LIMIT 1`,
    [tenantId],
  );
  return rows.length > 0;
}

/** Returns the ids of the tenant's stories. */
export async function findStoryIds(tenantId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM stories WHERE tenant_id = ? ORDER BY id', [
    tenantId,
  ]);
  return rows.map(({ id }) => id);
}
