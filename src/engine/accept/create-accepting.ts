import type { LiveEvents } from '../../api/face.js';
import type { Config } from '../../config/face.js';
import type { CredentialService } from '../../data/face.js';
import type { TenantQuotas } from '../../people/face.js';
import type { Logger } from '../../platform/logger.js';
import type { BatchMeter } from '../../platform/mysql/commit/group-commit.js';
import type { Database } from '../../platform/mysql/database.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import { SPOOL } from '../dispatch/parts/queue-part.js';
import type { Queues } from '../dispatch/queues.js';
import type { RunNotifications } from '../state/runs/run-notifications.js';
import type { RunMeter } from '../state/runs/run-store.js';
import { createOutageSpool } from './outage-spool.js';
import { createReplicaCopies } from './replica-copies.js';
import { createRunWriter } from './run-writer.js';
import { createSpoolQuota } from './spool-quota.js';

export interface AcceptingDeps {
  config: Pick<Config, 'acceptWaitMs' | 'spoolMaxBytes' | 'redisPolicy'>;
  database: Database;
  redis: RedisClient;
  queues: Queues;
  dispatcher: Dispatcher;
  credentials: Pick<CredentialService, 'admit'>;
  quotas: TenantQuotas;
  progress: Pick<RunNotifications, 'advance'>;
  liveEvents: LiveEvents;
  /** Counts runs and batches; undefined: they are not counted. */
  meter: (RunMeter & BatchMeter) | undefined;
  /** The logger of the spool. */
  logger: Logger;
}

/** Creates what accepts runs: the writer, and the spool that takes them while MySQL is unreachable. */
export function createAccepting({ config, database, redis, queues, dispatcher, ...deps }: AcceptingDeps) {
  const { credentials, quotas, progress, liveEvents, meter, logger } = deps;
  const writer = createRunWriter({
    database,
    dispatcher,
    maxWaitMs: config.acceptWaitMs,
    admit: (json) => credentials.admit(json),
    onAwaitedProgress: (guids) => progress.advance(guids),
    usage: quotas,
    meter,
    liveEvents,
  });
  const queue = queues.at(SPOOL);
  const room = createSpoolQuota({
    redis,
    queue,
    maxBytes: config.spoolMaxBytes,
    policy: config.redisPolicy,
    logger,
  });
  return {
    writer,
    /** Accepts runs; into the spool while MySQL is unreachable. */
    runs: createOutageSpool({ writer, queue, room, copies: createReplicaCopies(redis), logger }),
    room,
  };
}
