import type { Actor } from '../../api/face.js';
import { AppError, Unavailable } from '../../platform/errors.js';

/** How many readers one web process has. */
export interface StreamLimits {
  max: number;
  maxPerUser: number;
}

/** A tenant may use this share of a process's connections. */
const SHARE_OF_TENANT = 0.5;
const RETRY_AFTER_SECONDS = '10';

/** 429: the user or its tenant has too many streams open. */
class TooManyStreams extends AppError {
  constructor(most: number, whose: string) {
    super(429, `${whose} can have at most ${most} open streams per process`, {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
}

/** Counts the open streams of this process. */
export function createStreamLimit({ max, maxPerUser }: StreamLimits) {
  const counts = new Map<string, number>();
  const maxPerTenant = Math.ceil(max * SHARE_OF_TENANT);
  const add = (key: string, step: number) => {
    const count = (counts.get(key) ?? 0) + step;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    /** Counts one more stream; returns what takes it back. @throws TooManyStreams; Unavailable if the process is full. */
    enter({ userId, tenantId }: Actor): () => void {
      const [user, tenant, all] = [`user ${userId}`, `tenant ${tenantId}`, 'all'];
      if ((counts.get(user) ?? 0) >= maxPerUser) throw new TooManyStreams(maxPerUser, 'A user');
      if ((counts.get(tenant) ?? 0) >= maxPerTenant) throw new TooManyStreams(maxPerTenant, 'A tenant');
      if ((counts.get(all) ?? 0) >= max) throw new Unavailable('This process cannot open more streams');
      for (const key of [user, tenant, all]) add(key, 1);
      return () => {
        for (const key of [user, tenant, all]) add(key, -1);
      };
    },
  };
}
