import type { Session } from '../../platform/mysql/session.js';
import { ancestry, assemblePayload } from '../../agents/face.js';
import type { JsonValue } from '../../platform/json.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import type { EventRecord, EventView } from './event.js';
import { findEventRecords, findPayloads } from './event-view-store.js';
import { parseJson } from '../../platform/json/parse-json.js';

const MIB = 1024 * 1024;
/** Total size of the payloads of one page. */
const PAGE_BYTES = 16 * MIB;
/** Total size of the upstream payloads in a cumulative payload. */
const UPSTREAM_BYTES = 32 * MIB;

/** Returns the events with these ids, each with its own output; payloads beyond the page's size are left out. */
export async function viewEvents(session: Session, ids: number[]): Promise<EventView[]> {
  const events = await findEventRecords(session, ids);
  const payloads = await findPayloads(
    session,
    events.map(({ id }) => id),
    PAGE_BYTES,
  );
  return events.map((event) => ownOutput(event, payloads.get(event.id)));
}

/** Returns the events with these ids without their payloads. */
export async function viewEventsAlone(session: Session, ids: number[]): Promise<EventView[]> {
  const events = await findEventRecords(session, ids);
  return events.map((event) => ownOutput(event, undefined));
}

/** Returns the events with these ids, each with everything that its receivers see; payloads beyond the page's size are left out. */
export async function viewEventsCumulative(session: Session, ids: number[]): Promise<EventView[]> {
  const events = await findEventRecords(session, ids);
  const wanted = new Set(events.flatMap((event) => [event.id, ...previousEventIds(event)]));
  const payloads = await findPayloads(session, [...wanted], PAGE_BYTES);
  let left = PAGE_BYTES;
  return events.map((event) => {
    const parts = ancestry(event.id, event.lineage).map(([slug, id]) => [slug, payloads.get(id)] as const);
    const known = parts.flatMap(([slug, text]) => (text === undefined ? [] : [[slug, text] as const]));
    left -= known.reduce((sum, [, text]) => sum + text.length, 0);
    if (left < 0) return ownOutput(event, undefined);
    const payload = assemblePayload(known.map(([slug, text]) => [slug, parsed(text)]));
    return { ...event, payload, incomplete: known.length < parts.length };
  });
}

/** Returns the event with its own output only. */
export async function viewOwnOutput(session: Session, event: EventRecord): Promise<EventView> {
  return ownOutput(event, await ownPayload(session, event.id));
}

function ownOutput(event: EventRecord, payload: string | undefined): EventView {
  return {
    ...event,
    payload: payload === undefined ? null : parsed(payload),
    incomplete: payload === undefined,
  };
}

/**
 * Returns the event with everything that its receivers see: one key for each upstream action, oldest first (spec §5.1).
 * The key is missing if retention has deleted the upstream event.
 */
export async function viewCumulative(session: Session, event: EventRecord): Promise<EventView> {
  const parts = ancestry(event.id, event.lineage);
  // The nearest first, so that the most distant events are the ones that do not fit.
  const upstream = previousEventIds(event).toReversed();
  const payloads = await findPayloads(session, upstream, UPSTREAM_BYTES);
  const own = await ownPayload(session, event.id);
  if (own !== undefined) payloads.set(event.id, own);
  const payload = assemblePayload(
    parts.flatMap(([slug, id]): [string, JsonValue][] => {
      const part = payloads.get(id);
      return part === undefined ? [] : [[slug, parsed(part)]];
    }),
  );
  return { ...event, payload, incomplete: payloads.size < upstream.length + 1 };
}

/** Returns the ids of the events under the other keys of its cumulative payload, oldest first. */
export function previousEventIds({ id, lineage }: Pick<EventRecord, 'id' | 'lineage'>): number[] {
  const ids = ancestry(id, lineage).map(([, eventId]) => eventId);
  return [...new Set(ids)].filter((eventId) => eventId !== id).toSorted((a, b) => a - b);
}

/** Returns the input of a run, stored in the event with this id; null without one. */
export async function viewInput(session: Session, id: number | undefined): Promise<JsonValue> {
  const payload = id === undefined ? undefined : await ownPayload(session, id);
  return payload === undefined ? null : parsed(payload);
}

async function ownPayload(session: Session, id: number): Promise<string | undefined> {
  return (await findPayloads(session, [id], Number.POSITIVE_INFINITY)).get(id);
}

/** Parses a payload; credentials become markers (decision 0026). */
function parsed(payload: string): JsonValue {
  return parseJson(jsonWithMarkers(payload));
}
