import type { ReadRouting } from '../../api/face.js';
import { openReadReplica, type ReadReplica } from '../../platform/mysql/reader/read-replica.js';
import type { CoreServices } from '../services/core-services.js';
import { createReaderGauges } from '../metrics/reader-gauges.js';
import type { RouteServices } from '../routes.js';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import { READER_ROUTES } from './reader-routes.js';
import { createRecentWriters, type RecentWriters } from './recent-writers.js';

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

/** The database that a list was read from, and why: the label of a metric. */
type ReadSource = 'reader' | 'main_recent_write' | 'main_unusable' | 'main_failed';

interface ReplicaRoutingOptions<Services> {
  services: Services;
  /** The same services over the read replica. */
  readerServices: Services;
  reader: Pick<ReadReplica, 'isUsable'>;
  writers: RecentWriters;
  logger: Logger;
  /** Counts the lists. */
  onRead?: ((place: ReadSource) => void) | undefined;
}

/**
 * Sends the routes of THE list to the read replica, unless it lags or the actor has written lately. After an error of the
 * replica, which may not have the row yet, the main database is asked.
 */
function createReplicaRouting<Services>(options: ReplicaRoutingOptions<Services>): ReadRouting<Services> {
  const { services, readerServices, reader, writers, logger, onRead } = options;
  return {
    async read({ method, path }, actor, handle) {
      const isListed = method === 'get' && READER_ROUTES.has(path);
      if (!isListed) return handle(services);
      const reason = await reasonForMain(actor);
      if (reason === undefined) {
        try {
          const response: unknown = await handle(readerServices);
          onRead?.('reader');
          return response;
        } catch (error) {
          logger.debug('reading a list from the primary database', { path, error: messageOf(error) });
        }
      }
      onRead?.(reason ?? 'main_failed');
      return handle(services);
    },
    wrote: (actor) => writers.note(actor),
  };

  async function reasonForMain(actor: Parameters<typeof writers.hasWritten>[0]) {
    if (!reader.isUsable()) return 'main_unusable';
    return (await writers.hasWritten(actor)) ? 'main_recent_write' : undefined;
  }
}
