import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { createDispatcher } from './adding/dispatcher.js';
import { type AdmissionDeps, createAdmission } from './admission.js';
import { createFairShares } from './fair-shares.js';
import { createSharedCounts } from './figures/shared-counts.js';
import { countPending, holdDeliveries } from './held-store.js';
import type { Queues } from './queues.js';

export interface DispatchingDeps {
  database: Database;
  redis: RedisClient;
  prefix: string;
  queues: Queues;
  epoch(): Promise<string>;
  /** Returns the tenant of a story, and whether its jobs go first; undefined for one that is gone. */
  standingOf: AdmissionDeps['standingOf'];
  logger: Logger;
}

/** Creates what adds the jobs of committed deliveries, and what decides which of them may have one now. */
export function createDispatching({ database, redis, prefix, queues, ...deps }: DispatchingDeps) {
  const { logger } = deps;
  const admission = createAdmission({
    shares: createFairShares(),
    standingOf: (storyId) => deps.standingOf(storyId),
    countJobs: createSharedCounts({ redis, prefix, count: () => database.read(countPending), logger }),
  });
  const dispatcher = createDispatcher({
    queues,
    epoch: () => deps.epoch(),
    admission,
    hold: (jobs) => database.read((session) => holdDeliveries(session, jobs)),
    logger,
  });
  return { admission, dispatcher };
}
