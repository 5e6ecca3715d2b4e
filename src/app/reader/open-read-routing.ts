import type { ReadRouting } from '../../api/face.js';
import { openReadReplica } from '../../platform/mysql/reader/read-replica.js';
import type { CoreServices } from '../services/core-services.js';
import { createReaderGauges } from '../metrics/reader-gauges.js';
import type { RouteServices } from '../routes.js';
import { createReplicaRouting } from './replica-routing.js';
import { createRecentWriters } from './recent-writers.js';

/** Added to the time for which a write counts as recent: timers of Redis and of this process differ. */
const SLACK_MS = 250;

export interface ReadReplicaOptions {
  services: RouteServices;
  /** Creates the same services over the database of other core services. */
  createServices: (core: CoreServices) => RouteServices;
}

/** Opens the read replica of `DATABASE_READ_URL`; undefined without it, and then nothing is written or asked for it. */
export function openReadRouting(core: CoreServices, { services, createServices }: ReadReplicaOptions) {
  const { config, database, loggers, metrics, redis } = core;
  const { databaseReadUrl: url, databaseTls: tls, databasePoolSize: poolSize } = config;
  if (url === undefined) return undefined;
  const maxLagMs = config.databaseReadMaxLagSeconds * 1000;
  const reader = openReadReplica({ main: database, url, tls, poolSize, maxLagMs, logger: loggers.stores });
  metrics?.onReading(createReaderGauges(metrics, reader));
  const elsewhere: ReadRouting<RouteServices> = createReplicaRouting({
    services,
    readerServices: createServices({ ...core, database: reader.database }),
    reader,
    writers: createRecentWriters({
      redis,
      prefix: config.queuePrefix,
      windowMs: maxLagMs + SLACK_MS,
      logger: loggers.stores,
    }),
    logger: loggers.stores,
    onRead: (place) => metrics?.instruments.listReads.inc({ place }),
  });
  return { elsewhere, close: () => reader.close() };
}
