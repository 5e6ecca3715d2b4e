import { type Actor, canRead, canWrite, type EventSink } from '../../api/face.js';
import { compareIds, START } from '../../platform/redis/listened-stream.js';
import type { LiveEventScope } from './live-event-scope.js';
import type { ScopedLiveEvent } from './scoped-live-event.js';
import { placeText, type ResyncReason, resyncText, type StreamKind } from './stream-event.js';

/** The wishes of a reader. */
export interface StreamFilter {
  storyId?: number | undefined;
  teamId?: number | undefined;
  /** A draft that is shown beside what the others name. */
  draftId?: number | undefined;
  kinds: ReadonlySet<StreamKind>;
}

/** A place in the stream: an entry, and how many of its live events were sent; undefined: all. */
export interface StreamPosition {
  entryId: string;
  sent?: number | undefined;
}

/** Resyncs are sent no more often. */
const RESYNC_EVERY_MS = 1_000;
/** Interval of the keep-alive that carries the current stream id, for `Last-Event-ID`. */
const PLACE_EVERY_MS = 10_000;

export type StreamReader = ReturnType<typeof createStreamReader>;

/** Creates the part of the stream that belongs to one client. */
export function createStreamReader(actor: Actor, filter: StreamFilter, sink: EventSink) {
  let position: StreamPosition = { entryId: START };
  let resync: { reason: ResyncReason; dueAt: number } | undefined;
  let resyncAgainAt = 0;
  let placed = { id: START, at: performance.now() };
  /** It has missed live events, so it gets none before the resync that says so. */
  let missed = false;

  const isShown = (storyId: number, { tenantId, teamId, isDraft }: LiveEventScope): boolean => {
    if (tenantId !== actor.tenantId) return false;
    if (teamId === undefined) {
      return actor.isOwner && filter.teamId === undefined && filter.storyId === undefined;
    }
    if (!canRead(actor, teamId)) return false;
    if (filter.teamId !== undefined && filter.teamId !== teamId) return false;
    // Drafts are shown, like in lists, only if they are asked for.
    if (filter.draftId === storyId) return true;
    return filter.storyId === undefined ? !isDraft : filter.storyId === storyId;
  };
  const askResync = (reason: ResyncReason, dueAt = performance.now()): void => {
    const soonest = Math.max(dueAt, resync?.dueAt ?? resyncAgainAt);
    resync = { reason: resync?.reason ?? reason, dueAt: soonest };
  };
  const sendEvent = (event: ScopedLiveEvent, id: string): void => {
    if (missed || !isShown(event.item.storyId, event.place)) return;
    if (event.omits) askResync('too_many');
    if (!filter.kinds.has(event.item.kind)) return;
    const { teamId } = event.place;
    missed = !sink.send(event.textOf(id, teamId !== undefined && canWrite(actor, teamId)));
    if (missed) askResync('too_slow');
  };

  return {
    tenantId: actor.tenantId,
    /** The last entry that it has been sent. */
    get position(): string {
      return position.entryId;
    },
    startAt(place: StreamPosition): void {
      position = place;
    },
    askResync,
    /** Sends the live events of an entry that it has not been sent. */
    deliver(entryId: string, liveEvents: readonly ScopedLiveEvent[]): void {
      const order = compareIds(entryId, position.entryId);
      if (order < 0 || (order === 0 && position.sent === undefined)) return;
      const from = order === 0 ? (position.sent ?? 0) : 0;
      liveEvents.slice(from).forEach((one, index) => sendEvent(one, `${entryId}.${from + index + 1}`));
      position = { entryId };
    },
    /** Sends what is due: a resync, or its place. */
    tick(now: number): void {
      const id = position.entryId;
      if (resync !== undefined && resync.dueAt <= now) {
        if (!sink.send(resyncText(resync.reason, id))) return;
        resync = undefined;
        missed = false;
        resyncAgainAt = now + RESYNC_EVERY_MS;
        placed = { id, at: now };
      } else if (!missed && id !== placed.id && now - placed.at >= PLACE_EVERY_MS) {
        sink.send(placeText(id));
        placed = { id, at: now };
      }
    },
    end: () => sink.end(),
  };
}
