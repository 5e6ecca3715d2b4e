import { LRUCache } from 'lru-cache';
import type { TenantStore } from './tenant-store.js';

const FRESH_MS = 60_000;
const MAX_TENANTS = 10_000;

/** Returns a function that tells whether a tenant is dedicated (spec §2.4); up to a minute behind the database. */
export function createDedicatedTenants(store: Pick<TenantStore, 'findTenant'>) {
  const known = new LRUCache<number, boolean>({ max: MAX_TENANTS, ttl: FRESH_MS });
  return async (tenantId: number): Promise<boolean> => {
    const remembered = known.get(tenantId);
    if (remembered !== undefined) return remembered;
    const dedicated = (await store.findTenant(tenantId))?.dedicated ?? false;
    known.set(tenantId, dedicated);
    return dedicated;
  };
}
