import { Unavailable } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { ListenedStream } from '../../platform/redis/listened-stream.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import type { ScopeBatch } from './live-event-scopes.js';
import { createStreamFeed, type StreamReaders } from './stream-feed.js';
import type { StreamPosition, StreamReader } from './stream-reader.js';

const REST_AFTER_ERROR_MS = 1_000;

export interface StreamHubDeps {
  stream: ListenedStream;
  place: ScopeBatch;
  logger: Logger;
}

/** Reads live events once for all readers of this process, while there are any. */
export interface StreamHub {
  /**
   * Adds a reader, which gets the live events after this place, or from now on. Returns what removes it.
   * @throws Unavailable after `close`.
   */
  enter(reader: StreamReader, from: StreamPosition | undefined): () => void;
  /** Ends all readers, and lets no more in. */
  close(): Promise<void>;
}

export function createStreamHub(deps: StreamHubDeps): StreamHub {
  const readers: StreamReaders = new Map();
  let stopping = new AbortController();
  let ended = Promise.resolve();
  let isClosed = false;

  const start = () => {
    stopping = new AbortController();
    const { signal } = stopping;
    const feed = createStreamFeed(readers, deps);
    // The one before may still be in its last pass.
    const loop = (pass: () => Promise<number>) =>
      loopUntil(signal, {
        pass,
        restAfterErrorMs: REST_AFTER_ERROR_MS,
        failure: 'could not read live events',
        logger: deps.logger,
      });
    const before = ended;
    const both = async (): Promise<void> => {
      await before;
      await Promise.all([loop(() => feed.pass()), loop(() => feed.catchUp())]);
    };
    ended = both();
  };

  return {
    enter(reader, from) {
      if (isClosed) throw new Unavailable('This process is shutting down');
      if (readers.size === 0) start();
      readers.set(reader, { from });
      return () => {
        readers.delete(reader);
        if (readers.size === 0) stopping.abort();
      };
    },
    async close() {
      isClosed = true;
      for (const reader of readers.keys()) reader.end();
      stopping.abort();
      await ended;
    },
  };
}
