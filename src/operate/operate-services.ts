import type { Config } from '../config/face.js';
import { type CredentialService, foreignKeyOf } from '../data/face.js';
import type { Queues, ReadQueueHealth, SpoolQuota } from '../engine/face.js';
import type { DeadLetterService } from '../observe/face.js';
import type { QuotaService } from '../people/face.js';
import type { Logger } from '../platform/logger.js';
import type { Database } from '../platform/mysql/database.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { type CallLog, createRefusedWebhooks } from '../web/face.js';
import { createDoctorService } from './doctor/doctor-service.js';
import { createDigestService } from './monitoring/digest/digest-service.js';
import { createInboxService } from './monitoring/inbox/inbox-service.js';
import { createCountedWork } from './monitoring/queues/counted-work.js';
import { createQueueListService } from './monitoring/queues/queue-list-service.js';
import { createQuotaWaits } from './monitoring/queues/quota-waits.js';
import { createStatusService } from './monitoring/status/status-service.js';

export interface OperateServicesDeps {
  config: Config;
  database: Database;
  redis: RedisClient;
  queues: Queues;
  credentials: CredentialService;
  spoolLevel: SpoolQuota['level'];
  queueHealth: ReadQueueHealth;
  deadLetters: Pick<DeadLetterService, 'groups'>;
  quotas: Pick<QuotaService, 'usage'>;
  /** The last calls of webhooks. */
  log: CallLog;
  /** Returns the database's time. */
  nowMs(): Promise<number>;
  logger: Logger;
}

export type OperateServices = ReturnType<typeof createOperateServices>;

/** Creates the services that the routes of this room need. */
export function createOperateServices(deps: OperateServicesDeps) {
  const { config, database, redis, queues, logger } = deps;
  const prefix = config.queuePrefix;
  const work = createCountedWork({ database, redis, prefix, logger });
  return {
    status: createStatusService({
      database,
      redis,
      queues,
      prefix,
      spoolLevel: () => deps.spoolLevel(),
      foreignKey: () => foreignKeyOf(deps),
    }),
    queueList: createQueueListService({ database, redis, queues, work, states: deps.queueHealth }),
    quotaWaits: createQuotaWaits(work),
    inbox: createInboxService({
      database,
      work,
      states: deps.queueHealth,
      deadLetters: deps.deadLetters,
      quotas: deps.quotas,
      refusals: createRefusedWebhooks({ database, log: deps.log }),
      nowMs: () => deps.nowMs(),
      logger,
    }),
    digests: createDigestService({ database, nowMs: () => deps.nowMs() }),
    doctor: createDoctorService({ config, database, redis, queues }),
  };
}
