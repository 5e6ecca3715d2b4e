import type { Session } from '../../platform/mysql/session.js';

/** Freezes a tenant: within ten seconds nothing of it begins, and nothing is worked on. Returns false if it is frozen already. */
export async function freezeTenant(tenantId: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE tenants SET frozen_at = NOW(3) WHERE id = ? AND frozen_at IS NULL',
    [tenantId],
  );
  return affectedRows > 0;
}

/** Ends the freeze of a tenant. Returns false if it is not frozen. */
export async function releaseTenant(tenantId: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE tenants SET frozen_at = NULL WHERE id = ? AND frozen_at IS NOT NULL',
    [tenantId],
  );
  return affectedRows > 0;
}
