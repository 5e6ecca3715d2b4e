import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { ListenedStream } from '../../platform/redis/listened-stream.js';
import { gatherLiveEvents } from './live-event-buffer.js';
import type { LiveEvents, LiveEvent } from '../../api/face.js';
import { findEndedRuns } from '../state/runs/run-end-store.js';

const ASK_EVERY_MS = 1_000;
const WRITE_EVERY_MS = 250;
/** Runs that wait for the question whether they have ended, and those of one question. */
const MOST_ENDING = 2_000;
const ENDING_AT_ONCE = 200;
/** Ended runs that are remembered: the end of a run in two branches is published once. */
const REMEMBERED_ENDS = 10_000;

export interface LiveEventsDeps {
  stream: Pick<ListenedStream, 'isListened' | 'append'>;
  database: Pick<Database, 'read'>;
  logger: Logger;
}

/**
 * Creates the publisher of live events. It writes four times a second while a client listens. When there is an event, it asks
 * whether a client listens, once a second at most: an idle process asks nothing. Events are gathered until Redis replies, and
 * dropped if no client listens.
 */
export function createLiveEvents({
  stream,
  database,
  logger,
}: LiveEventsDeps): LiveEvents & { close(): Promise<void> } {
  const stopping = new AbortController();
  const gathering = gatherLiveEvents();
  const ending = new Set<string>();
  const published = new LRUCache<string, true>({ max: REMEMBERED_ENDS });
  let isListened = false;
  let askAgainAt = 0;
  let hasMore = false;
  let publishing: Promise<void> | undefined;

  const isWanted = () => isListened || performance.now() >= askAgainAt;
  const wake = (): void => {
    hasMore = true;
    publishing ??= publish().finally(() => {
      publishing = undefined;
      if (hasMore) wake();
    });
  };
  const add = (item: LiveEvent) => {
    if (!isWanted()) return;
    gathering.add(item);
    wake();
  };
  const publishEnds = async (): Promise<void> => {
    const guids = [...ending].slice(0, ENDING_AT_ONCE);
    for (const guid of guids) ending.delete(guid);
    const ended = await database
      .read((session) => findEndedRuns(session, guids))
      .catch((error: unknown) => {
        gathering.lose({ items: [], lost: guids.length });
        logger.warn('could not look up ended runs', { error: messageOf(error) });
        return [];
      });
    for (const { guid, storyId, status } of ended) {
      if (!published.has(`${guid} ${status}`))
        add({ kind: 'run_ended', storyId, at: Date.now(), guid, status });
      published.set(`${guid} ${status}`, true);
    }
    if (ending.size > 0) hasMore = true;
  };
  const write = async (): Promise<void> => {
    const batch = gathering.take(Date.now());
    if (batch === undefined) return;
    await stream.append(JSON.stringify(batch)).catch((error: unknown) => {
      gathering.lose(batch);
      // Readers are told of the loss once Redis replies, though there may be no more events.
      hasMore = true;
      noteFailure(error);
    });
  };
  /** The connection logs an outage itself. */
  const noteFailure = (error: unknown) => {
    logger.debug('could not publish live events', { error: messageOf(error) });
  };
  const ask = async (): Promise<void> => {
    if (performance.now() < askAgainAt) return;
    await stream.isListened().then((listened) => (isListened = listened), noteFailure);
    askAgainAt = performance.now() + ASK_EVERY_MS;
  };
  const publish = async (): Promise<void> => {
    while (hasMore && !stopping.signal.aborted) {
      await ask();
      hasMore = false;
      if (!isListened) {
        ending.clear();
        gathering.take(0);
        return;
      }
      if (ending.size > 0) await publishEnds();
      await write();
      await sleep(WRITE_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    hasMore = false;
  };

  return {
    get isWanted() {
      return isWanted();
    },
    add,
    count(storyId, numbers) {
      if (!isWanted()) return;
      gathering.count(storyId, numbers);
      wake();
    },
    runsStarted(runs) {
      if (!isWanted()) return;
      for (const { guid, storyId, source } of runs) {
        gathering.count(storyId, { runsStarted: 1 });
        add({ kind: 'run_started', storyId, at: Date.now(), guid, source });
      }
    },
    mayHaveEnded(guids) {
      if (!isWanted()) return;
      for (const guid of guids) if (ending.size < MOST_ENDING) ending.add(guid);
      if (ending.size > 0) wake();
    },
    async close() {
      stopping.abort();
      await publishing;
    },
  };
}
