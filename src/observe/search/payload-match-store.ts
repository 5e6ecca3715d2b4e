import { setImmediate as breathe } from 'node:timers/promises';
import type { Session } from '../../platform/mysql/session.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { PayloadMatch, PayloadPlace } from './payload-match.js';
import { readPayloads } from './values/first-events-store.js';
import { comparedText, holdsText, placeOfText } from './values/payload-leaves.js';

/** Runs that have an event with the value, with its place; undefined: they have any. And whether all their events were read. */
export interface MatchingRuns {
  places: Map<string, PayloadPlace | undefined>;
  complete: boolean;
}

/** Events that one statement reads. */
const MAX_EVENTS = 5_000;

/** Returns those of the runs that have an event with the value. A number or a boolean matches its JSON text. */
export async function runsWithPayload(
  session: Session,
  guids: string[],
  { path, value }: PayloadMatch,
): Promise<MatchingRuns> {
  if (guids.length === 0) return { places: new Map(), complete: true };
  if (path !== undefined) return withValueAt(session, guids, { path, value });
  return value === undefined
    ? { places: new Map(guids.map((guid) => [guid, undefined])), complete: true }
    : withValue(session, guids, value);
}

/** A payload that the database cannot read, as one with the number 1e400, has no match. */
async function withValueAt(
  session: Session,
  guids: string[],
  { path, value }: { path: string; value: string | undefined },
): Promise<MatchingRuns> {
  const isMatch = value === undefined ? 'found IS NOT NULL' : 'JSON_UNQUOTE(found) = ?';
  const rows = await session.rows<{ guid: string; eventId: number | null; events: number }>(
    `SELECT guid, MIN(IF(${isMatch}, id, NULL)) AS eventId, COUNT(*) AS events
     FROM (SELECT e.id, e.story_run_guid AS guid,
                  IF(JSON_VALID(e.payload), JSON_EXTRACT(e.payload, ?), NULL) AS found
           FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid IN (?) LIMIT ?) looked
     GROUP BY guid`,
    [...(value === undefined ? [] : [value]), path, guids, MAX_EVENTS],
  );
  const places = rows.flatMap(({ guid, eventId }): [string, PayloadPlace][] =>
    eventId === null ? [] : [[guid, { eventId, path: undefined }]],
  );
  const read = rows.reduce((sum, { events }) => sum + events, 0);
  return { places: new Map(places), complete: read < MAX_EVENTS };
}

/** Larger payloads are not read here. */
const MOST_BYTES = 256 * 1024;
/** Payloads that are read here together. */
const ALL_BYTES = 2 * 1024 * 1024;

interface MayMatch {
  id: number;
  guid: string;
  bytes: number;
}

/**
 * The database names the events that may have the value anywhere; their payloads are read here, as it finds numbers
 * within texts too.
 */
async function withValue(session: Session, guids: string[], value: string): Promise<MatchingRuns> {
  const text = comparedText(value);
  const { events, complete } = await eventsThatMay(session, guids, { value, text });
  const read = withinBytes(events);
  const payloads = await readPayloads(session, [...read]);
  const found = new Map<string, PayloadPlace>();
  for (const { id, guid } of events) {
    const payload = found.has(guid) ? undefined : payloads.get(id);
    if (payload === undefined) continue;
    const parsed = parseJson(payload);
    // A place is looked for in a payload that is known to have it.
    if (holdsText(parsed, text)) found.set(guid, { eventId: id, path: placeOfText(parsed, text) });
    await breathe();
  }
  return {
    places: found,
    complete: complete && events.every(({ id, guid }) => read.has(id) || found.has(guid)),
  };
}

/** Returns the events whose payloads may be read at once. */
function withinBytes(events: MayMatch[]): Set<number> {
  const read = new Set<number>();
  let sum = 0;
  for (const { id, bytes } of events) {
    if (bytes > MOST_BYTES || sum + bytes > ALL_BYTES) continue;
    sum += bytes;
    read.add(id);
  }
  return read;
}

async function eventsThatMay(
  session: Session,
  guids: string[],
  { value, text }: { value: string; text: string },
): Promise<{ events: MayMatch[]; complete: boolean }> {
  const rows = await session.rows<MayMatch & { may: number | null }>(
    `SELECT e.id, e.story_run_guid AS guid, OCTET_LENGTH(e.payload) AS bytes,
            LOCATE(?, e.payload) > 0 OR IF(JSON_VALID(e.payload), JSON_SEARCH(e.payload, 'one', ?), NULL) IS NOT NULL AS may
     FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid IN (?) LIMIT ?`,
    [inJson(text), value.replace(/[\\%_]/g, String.raw`\$&`), guids, MAX_EVENTS],
  );
  return { events: rows.filter(({ may }) => may === 1), complete: rows.length < MAX_EVENTS };
}

/** Returns the text as most payloads write it; one that escapes more is found by `JSON_SEARCH`. */
function inJson(text: string): string {
  return stringifyJson(text).slice(1, -1);
}
