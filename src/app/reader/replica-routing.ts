import type { ReadRouting } from '../../api/face.js';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import type { ReadReplica } from '../../platform/mysql/reader/read-replica.js';
import { READER_ROUTES } from './reader-routes.js';
import type { RecentWriters } from './recent-writers.js';

/** The database that a list was read from, and why: the label of a metric. */
export type ReadSource = 'reader' | 'main_recent_write' | 'main_unusable' | 'main_failed';

export interface ReplicaRoutingOptions<Services> {
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
export function createReplicaRouting<Services>(
  options: ReplicaRoutingOptions<Services>,
): ReadRouting<Services> {
  const { services, readerServices, reader, writers, logger, onRead } = options;
  return {
    async read({ method, path }, actor, handle) {
      const isListed = method === 'get' && READER_ROUTES.has(path);
      if (!isListed) return handle(services);
      const reason = await reasonForMain(actor);
      if (reason === undefined) {
        try {
          const answer: unknown = await handle(readerServices);
          onRead?.('reader');
          return answer;
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
