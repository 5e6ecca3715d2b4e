import type { Config } from '../config/face.js';
import { type CredentialService, foreignKeyOf } from '../data/face.js';
import type { Queues, SpoolQuota } from '../engine/face.js';
import type { Logger } from '../platform/logger.js';
import type { Database } from '../platform/mysql/database.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { createDoctorService } from './doctor/doctor-service.js';
import { createDigestService } from './monitoring/digest/digest-service.js';
import { createQueueListService } from './monitoring/queues/queue-list-service.js';
import { createStatusService } from './monitoring/status/status-service.js';

export interface OperateServicesDeps {
  config: Config;
  database: Database;
  redis: RedisClient;
  queues: Queues;
  credentials: CredentialService;
  spoolLevel: SpoolQuota['level'];
  /** Returns the database's time. */
  nowMs(): Promise<number>;
  logger: Logger;
}

export type OperateServices = ReturnType<typeof createOperateServices>;

/** Creates the services that the routes of this room need. */
export function createOperateServices(deps: OperateServicesDeps) {
  const { config, database, redis, queues, logger } = deps;
  const prefix = config.queuePrefix;
  return {
    status: createStatusService({
      database,
      redis,
      queues,
      prefix,
      spoolLevel: () => deps.spoolLevel(),
      foreignKey: () => foreignKeyOf(deps),
    }),
    queueList: createQueueListService({ database, redis, queues, prefix, logger }),
    digests: createDigestService({ database, nowMs: () => deps.nowMs() }),
    doctor: createDoctorService({ config, database, redis, queues }),
  };
}
