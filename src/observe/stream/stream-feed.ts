import type { LiveEventBatch } from '../../api/face.js';
import {
  compareIds,
  GAP,
  type ListenedStream,
  START,
  type StreamEntry,
} from '../../platform/redis/listened-stream.js';
import type { ScopeBatch } from './live-event-scopes.js';
import type { ScopedLiveEvent } from './scoped-live-event.js';
import type { ResyncReason } from './stream-event.js';
import type { StreamPosition, StreamReader } from './stream-reader.js';

const READ_EVERY_MS = 250;
const MARK_EVERY_MS = 1_000;
const ENTRIES_AT_ONCE = 50;
/** A step of a reader that is sent older entries: then another tenant has its turn. */
const ENTRIES_OF_STEP = 20;
/** After this time every process knows that somebody listens: from then on nothing is missed. */
const HEARD_AFTER_MS = 2_500;

/** A reader that is sent older entries first, from this place on; undefined: none. */
export interface Resuming {
  from: StreamPosition | undefined;
  /** The entry of the place was found, and the reader is behind it. */
  isUnderWay?: boolean;
}

/** The readers: those that get each new entry, and those that are sent older ones first. */
export type StreamReaders = Map<StreamReader, 'live' | Resuming>;

interface FeedDeps {
  stream: ListenedStream;
  place: ScopeBatch;
}

/** Creates the reading of live events from now on. */
export function createStreamFeed(readers: StreamReaders, { stream, place }: FeedDeps) {
  let position: string | undefined;
  let heardAt = 0;
  let markAgainAt = 0;
  /** When the readers of each tenant had their last step. */
  const turns = new Map<number, number>();
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

  const liveEventsOf = async ({ text }: StreamEntry): Promise<EntryEvents> => {
    const batch = text === GAP ? undefined : (JSON.parse(text) as LiveEventBatch);
    return { lost: batch?.lost, liveEvents: batch === undefined ? [] : await place(batch) };
  };
  const give = (reader: StreamReader, id: string, { lost, liveEvents }: EntryEvents): void => {
    reader.deliver(id, liveEvents);
    if (lost === undefined) reader.askResync('begun', heardAt);
    else if (lost > 0) reader.askResync('too_many');
  };

  /** Lets a reader begin at this entry, and asks it to read its lists. */
  const beginHere = (reader: StreamReader, entryId: string, reason: ResyncReason): void => {
    reader.startAt({ entryId });
    reader.askResync(reason, heardAt);
    readers.set(reader, 'live');
  };

  /** Sends the reader of the next tenant some of what it has missed. Returns false if no reader resumes. */
  const step = async (): Promise<boolean> => {
    const next = nextOf(readers, turns);
    if (next === undefined || position === undefined) return false;
    const [reader, state, from] = next;
    const isUnderWay = state.isUnderWay === true;
    // With the entry that the reader has: if it is gone, so may be some behind it.
    const place = isUnderWay ? reader.position : from.entryId;
    const found = await replied(stream.readFrom(place, ENTRIES_OF_STEP + 1));
    // It may have left, or all begin again.
    if (readers.get(reader) !== state) return true;
    if (found[0]?.id !== place || compareIds(place, position) > 0) {
      beginHere(reader, position, 'too_old');
      return true;
    }
    if (!isUnderWay) reader.startAt(from);
    state.isUnderWay = true;
    // Some live events of the first one may not have been sent.
    const entries = isUnderWay ? found.slice(1) : found;
    for (const entry of entries) {
      const liveEvents = await liveEventsOf(entry);
      if (readers.get(reader) !== state) return true;
      give(reader, entry.id, liveEvents);
    }
    if (found.length === 1 || compareIds(reader.position, position) >= 0) readers.set(reader, 'live');
    return true;
  };

  return {
    /** Reads what is new, and sends it. Returns the pause until the next pass, in ms. */
    async pass(): Promise<number> {
      const end = await begin();
      position = end;
      for (const [reader, state] of readers) {
        if (state !== 'live' && state.from === undefined) beginHere(reader, end, 'begun');
      }
      const entries = await replied(stream.readFrom(end, ENTRIES_AT_ONCE));
      if (end !== START && entries[0]?.id !== end) {
        beginAgain();
        return READ_EVERY_MS;
      }
      for (const entry of entries) {
        if (entry.id === end) continue;
        if (entry.text === GAP) heardAt = performance.now() + HEARD_AFTER_MS;
        const liveEvents = await liveEventsOf(entry);
        // Nothing waits between these two: a reader that has caught up meanwhile gets the entry here.
        for (const reader of live()) give(reader, entry.id, liveEvents);
        position = entry.id;
      }
      for (const reader of live()) reader.tick(performance.now());
      return entries.length === ENTRIES_AT_ONCE ? 0 : READ_EVERY_MS;
    },

    /** Sends one reader a part of what it has missed, beside the passes. Returns the pause until the next one, in ms. */
    async catchUp(): Promise<number> {
      return (await step()) ? 0 : READ_EVERY_MS;
    },
  };
}

/** The live events of an entry, and how many were lost; undefined: unknown. */
interface EntryEvents {
  lost: number | undefined;
  liveEvents: ScopedLiveEvent[];
}

/** Returns the first reader that resumes, of the tenant whose turn was longest ago; notes the turn in `turns`. */
function nextOf(readers: StreamReaders, turns: Map<number, number>) {
  const waiting = new Map<number, [StreamReader, Resuming, StreamPosition]>();
  for (const [reader, state] of readers) {
    if (state === 'live' || state.from === undefined || waiting.has(reader.tenantId)) continue;
    waiting.set(reader.tenantId, [reader, state, state.from]);
  }
  for (const tenantId of turns.keys()) if (!waiting.has(tenantId)) turns.delete(tenantId);
  const turnOf = (tenantId: number) => turns.get(tenantId) ?? 0;
  const [next] = [...waiting.keys()].toSorted((a, b) => turnOf(a) - turnOf(b));
  if (next === undefined) return undefined;
  turns.set(next, performance.now());
  return waiting.get(next);
}
