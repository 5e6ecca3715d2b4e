import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../platform/runtime/timeout.js';

/** The teams that are asked for. */
export interface TeamScope {
  tenantId: number;
  teamIds: readonly number[];
}

/** Requests within this time share what was read. */
export const SHARED_MS = 5_000;
const LIMIT_MS = 5_000;
const MOST_SCOPES = 500;

/**
 * Returns a function that reads for a scope, at most once in `SHARED_MS` for the same one. Null: it could not be read in
 * time. A failure is cached too, so that every caller gets it.
 */
export function sharedByScope<T>(
  read: (scope: TeamScope) => Promise<T>,
): (scope: TeamScope) => Promise<T | null> {
  const scopes = new LRUCache<string, Promise<T | null>>({ max: MOST_SCOPES, ttl: SHARED_MS });
  return (scope) => {
    const key = `${scope.tenantId}:${scope.teamIds.join(',')}`;
    const known = scopes.get(key);
    if (known !== undefined) return known;
    const found = withTimeout(read(scope), LIMIT_MS).catch(() => null);
    scopes.set(key, found);
    return found;
  };
}
