import { clientOptions, type Config, inheritedEnvironment } from '../../config/face.js';
import type { CredentialService } from '../../data/face.js';
import { createCountQuota } from '../../people/face.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { createConcurrencyLimit } from '../../platform/runtime/concurrency-limit.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { createStoryChanges } from '../edit/story-changes.js';
import { createStoryMerger } from '../merge/story-merger.js';
import { createCommonStates } from './sides/common-states.js';
import { createRepositoryService } from './api/repository-service.js';
import { createRepositorySync } from './sync/repository-sync.js';
import { createSideComparer } from './sides/side-comparer.js';
import type { LiveEvents } from '../../api/face.js';

import type { JudgeStory } from '../tests/test-gate.js';

export interface RepositoryDeps {
  /** Runs the tests of a story that is published. */
  judge: JudgeStory;
  config: Config;
  database: Database;
  redis: RedisClient;
  threads: ThreadPool;
  credentials: CredentialService;
  liveEvents: LiveEvents;
  logger: Logger;
  /** Milliseconds after which a sync begins no further story; 90 s unless given. */
  workMs?: number | undefined;
}

/** Syncs that run at once in a process that serves requests. */
const AT_ONCE = { ofGroup: 2, ofAll: 4 };

/** Creates what syncs a repository. */
export function createSyncer(deps: RepositoryDeps) {
  const { config, database, redis, threads, credentials, liveEvents, logger, judge, workMs } = deps;
  return createRepositorySync({
    database,
    credentials,
    changes: createStoryChanges({ redis, prefix: config.queuePrefix, logger, liveEvents }),
    countQuota: createCountQuota(config.quotas),
    merger: createStoryMerger(threads),
    judge,
    comparer: createSideComparer(threads),
    commonStateOf: createCommonStates(threads),
    rules: clientOptions(config),
    mostBytes: config.gitMaxBytes,
    everyMinutes: config.gitSyncMinutes,
    searchPath: inheritedEnvironment().PATH ?? '',
    workMs,
  });
}

/** Creates the service of the repositories of teams. */
export function createRepositories(deps: RepositoryDeps) {
  const { database, credentials } = deps;
  const limit = createConcurrencyLimit(AT_ONCE, 'Too many syncs run at once; try again later');
  return createRepositoryService({ database, credentials, limit, syncer: createSyncer(deps) });
}
