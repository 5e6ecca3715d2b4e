import type { Knex } from 'knex';
import type { Config } from '../../config/face.js';
import { Conflict } from '../../platform/errors.js';
import type { ApiKeyStore } from './api-key-store.js';

/** Maximum number of valid keys; 0 = no limit. */
export type KeyLimits = Pick<Config, 'apiKeysPerUser' | 'apiKeysPerTenant'>;

interface KeyLimitDeps {
  keys: Pick<ApiKeyStore, 'countWorking'>;
  limits: KeyLimits;
  trx: Knex;
}

/**
 * Checks the limit of keys: personal keys count for their user, others for the tenant (decision 0032).
 * @throws Conflict if the maximum of valid keys is reached; revoked and expired keys do not count.
 */
export async function requireKeyCapacity(
  key: { kind: string; tenantId: number; userId?: number },
  { keys, limits, trx }: KeyLimitDeps,
): Promise<void> {
  const isPersonal = key.kind === 'personal';
  const limit = isPersonal ? limits.apiKeysPerUser : limits.apiKeysPerTenant;
  if (limit === 0) return;
  const userId = isPersonal ? key.userId : undefined;
  if ((await keys.countWorking({ tenantId: key.tenantId, userId }, trx)) < limit) return;
  const whose = isPersonal ? 'The user has' : 'The tenant and its teams have';
  throw new Conflict(`${whose} the maximum of ${limit} valid API keys: revoke one first`);
}
