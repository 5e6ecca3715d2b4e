import type { Knex } from 'knex';
import type { Config } from '../../config/config.js';
import { Conflict } from '../../platform/errors.js';
import type { ApiKeyStore } from './api-key-store.js';

/** Keys that may work at once; 0 = no limit. */
export type KeyLimits = Pick<Config, 'apiKeysPerUser' | 'apiKeysPerTenant'>;

interface Room {
  keys: Pick<ApiKeyStore, 'countWorking'>;
  limits: KeyLimits;
  trx: Knex;
}

/**
 * Lets a key be made: a personal one counts for its user, the others for the tenant (decision 0032).
 * @throws Conflict when as many as may be work already; revoked and expired ones do not count.
 */
export async function requireRoom(
  key: { kind: string; tenantId: number; userId?: number },
  { keys, limits, trx }: Room,
): Promise<void> {
  const isPersonal = key.kind === 'personal';
  const limit = isPersonal ? limits.apiKeysPerUser : limits.apiKeysPerTenant;
  if (limit === 0) return;
  const userId = isPersonal ? key.userId : undefined;
  if ((await keys.countWorking({ tenantId: key.tenantId, userId }, trx)) < limit) return;
  const whose = isPersonal ? 'The user has' : 'The tenant and its teams have';
  throw new Conflict(`${whose} ${limit} API keys that work, and may have no more: revoke one first`);
}
