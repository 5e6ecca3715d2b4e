import type { NewsBatch } from '../../engine/state/news-item.js';
import {
  compareIds,
  GAP,
  type ListenedStream,
  START,
  type StreamEntry,
} from '../../platform/redis/listened-stream.js';
import type { PlaceBatch } from './news-places.js';
import type { StreamPosition, StreamReader } from './stream-reader.js';

const READ_EVERY_MS = 250;
const MARK_EVERY_MS = 1_000;
const ENTRIES_AT_ONCE = 50;
/** After this time every process knows that somebody listens: from then on nothing is missed. */
const HEARD_AFTER_MS = 2_500;

/** The readers: those that get each new entry, and those that are sent older ones first. */
export type StreamReaders = Map<StreamReader, 'live' | { from: StreamPosition | undefined }>;

interface FeedDeps {
  stream: ListenedStream;
  place: PlaceBatch;
}

/** Creates the reading of the news from now on. */
export function createStreamFeed(readers: StreamReaders, { stream, place }: FeedDeps) {
  let position: string | undefined;
  let heardAt = 0;
  let markAgainAt = 0;
  const live = () => [...readers].flatMap(([reader, state]) => (state === 'live' ? [reader] : []));

  /** Lets every reader begin at the newest entry, with a resync: entries may be lost. */
  const beginAgain = (): void => {
    position = undefined;
    for (const reader of readers.keys()) readers.set(reader, { from: undefined });
  };
  /** Waits for a reply. A server that gave none may be gone, with entries that its replica did not have. */
  const replied = <T>(reply: Promise<T>): Promise<T> =>
    reply.catch((error: unknown) => {
      beginAgain();
      throw error;
    });

  const begin = async (): Promise<string> => {
    const now = performance.now();
    if (now >= markAgainAt) {
      await replied(stream.markListened());
      markAgainAt = now + MARK_EVERY_MS;
    }
    if (position !== undefined) return position;
    // Others may have begun to listen a moment ago.
    heardAt = performance.now() + HEARD_AFTER_MS;
    return replied(stream.lastId());
  };

  const deliver = async ({ id, text }: StreamEntry, to: readonly StreamReader[]): Promise<void> => {
    const batch = text === GAP ? undefined : (JSON.parse(text) as NewsBatch);
    const news = batch === undefined ? [] : await place(batch);
    for (const reader of to) {
      reader.deliver(id, news);
      if (batch === undefined) reader.askResync('begun', heardAt);
      else if (batch.lost > 0) reader.askResync('too_many');
    }
  };

  /** Sends a new reader what it has missed up to `end`, or asks it to read its lists. */
  const catchUp = async (reader: StreamReader, from: StreamPosition | undefined, end: string) => {
    let entries = from === undefined ? [] : await replied(stream.readFrom(from.entryId, ENTRIES_AT_ONCE));
    if (from === undefined || entries[0]?.id !== from.entryId || compareIds(from.entryId, end) > 0) {
      reader.startAt({ entryId: end });
      return reader.askResync(from === undefined ? 'begun' : 'too_old', heardAt);
    }
    reader.startAt(from);
    while (compareIds(reader.position, end) < 0 && readers.has(reader)) {
      for (const entry of entries) await deliver(entry, [reader]);
      entries = await replied(stream.readAfter(reader.position, ENTRIES_AT_ONCE));
      if (entries.length === 0) break;
    }
  };

  return {
    /** Reads what is new, and sends it. Returns the pause until the next pass, in ms. */
    async pass(): Promise<number> {
      const end = await begin();
      position = end;
      for (const [reader, state] of readers) {
        if (state === 'live') continue;
        await catchUp(reader, state.from, end);
        if (readers.has(reader)) readers.set(reader, 'live');
      }
      const entries = await replied(stream.readFrom(end, ENTRIES_AT_ONCE));
      if (end !== START && entries[0]?.id !== end) {
        beginAgain();
        return READ_EVERY_MS;
      }
      for (const entry of entries) {
        if (entry.id === end) continue;
        if (entry.text === GAP) heardAt = performance.now() + HEARD_AFTER_MS;
        await deliver(entry, live());
        position = entry.id;
      }
      for (const reader of live()) reader.tick(performance.now());
      return entries.length === ENTRIES_AT_ONCE ? 0 : READ_EVERY_MS;
    },
  };
}
