import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { ListenedStream } from '../../platform/redis/listened-stream.js';
import { gatherNews } from './news-batch.js';
import type { News, NewsItem } from '../../api/face.js';
import { findEndedRuns } from '../state/runs/run-end-store.js';

const ASK_EVERY_MS = 1_000;
const WRITE_EVERY_MS = 250;
/** Runs that wait for the question whether they have ended, and those of one question. */
const MOST_ENDING = 2_000;
const ENDING_AT_ONCE = 200;
/** Ended runs that are remembered: a run that ends in two branches is told of once. */
const REMEMBERED_ENDS = 10_000;

export interface NewsDeps {
  stream: Pick<ListenedStream, 'isListened' | 'append'>;
  database: Pick<Database, 'read'>;
  logger: Logger;
}

/**
 * Writes what has happened four times a second while somebody listens. Asks whether somebody does when there is news, once a
 * second at most: an idle process asks nothing. News is gathered until the answer, and dropped if nobody listens.
 */
export function createNews({ stream, database, logger }: NewsDeps): News & { close(): Promise<void> } {
  const stopping = new AbortController();
  const gathering = gatherNews();
  const ending = new Set<string>();
  const told = new LRUCache<string, true>({ max: REMEMBERED_ENDS });
  let isListened = false;
  let askAgainAt = 0;
  let hasMore = false;
  let telling: Promise<void> | undefined;

  const isWanted = () => isListened || performance.now() >= askAgainAt;
  const wake = (): void => {
    hasMore = true;
    telling ??= tell().finally(() => {
      telling = undefined;
      if (hasMore) wake();
    });
  };
  const add = (item: NewsItem) => {
    if (!isWanted()) return;
    gathering.add(item);
    wake();
  };
  const tellEnds = async (): Promise<void> => {
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
      if (!told.has(`${guid} ${status}`)) add({ kind: 'run_ended', storyId, at: Date.now(), guid, status });
      told.set(`${guid} ${status}`, true);
    }
    if (ending.size > 0) hasMore = true;
  };
  const write = async (): Promise<void> => {
    const batch = gathering.take(Date.now());
    if (batch === undefined) return;
    await stream.append(JSON.stringify(batch)).catch((error: unknown) => {
      gathering.lose(batch);
      // Readers are told of the loss once Redis replies, though there may be no more news.
      hasMore = true;
      noteFailure(error);
    });
  };
  /** The connection tells of an outage itself. */
  const noteFailure = (error: unknown) => {
    logger.debug('could not publish live events', { error: messageOf(error) });
  };
  const ask = async (): Promise<void> => {
    if (performance.now() < askAgainAt) return;
    await stream.isListened().then((listened) => (isListened = listened), noteFailure);
    askAgainAt = performance.now() + ASK_EVERY_MS;
  };
  const tell = async (): Promise<void> => {
    while (hasMore && !stopping.signal.aborted) {
      await ask();
      hasMore = false;
      if (!isListened) {
        ending.clear();
        gathering.take(0);
        return;
      }
      if (ending.size > 0) await tellEnds();
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
      await telling;
    },
  };
}
