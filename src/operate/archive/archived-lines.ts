import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import type { DeliveryView, RunView } from '../../observe/face.js';
import type { RunFacts, ArchivedEvent, StoredLog } from './archive-run-store.js';

/*
 * The lines of a run in a data file (docs/operate/archive.md). Each begins with the guid of the run, then with what it is,
 * so that a reader passes over the others without parsing them.
 */

/** The kinds of lines. */
export type LineKind = 'summary' | 'event' | 'log' | 'dead_letter';

/** Returns a line; the first of `keys` is its kind with its id. */
function line(guid: string, keys: Record<string, JsonValue>): string {
  return stringifyJson({ run: guid, ...keys });
}

/** Returns the line about the run itself. */
export function summaryLine(run: RunView, facts: RunFacts): string {
  const { id, guid, storyId, source, status, createdAt, endedAt, cancelledAt, eventCount, actionCount } = run;
  return line(guid, {
    summary: id,
    format: 1,
    tenant_id: facts.tenantId,
    team_id: facts.teamId,
    story_id: storyId,
    story_name: facts.storyName,
    source,
    status,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    cancelled_at: cancelledAt?.toISOString() ?? null,
    event_count: eventCount,
    action_count: actionCount,
    draft_id: run.draft?.id ?? null,
    draft_name: run.draft?.name ?? null,
  });
}

/** Returns the line of an event; payload and lineage are the stored texts, with encrypted secrets as they are. */
export function eventLine(
  guid: string,
  { id, agentId, agentName, createdAt, workMs, ...texts }: ArchivedEvent,
): string {
  const times = { created_at: isoTime(createdAt), work_ms: workMs };
  const known = { event: id, action_id: agentId, action_name: agentName, ...times };
  const start = line(guid, known).slice(0, -1);
  const stored = `"lineage":${oneLine(texts.lineage)},"payload":${oneLine(texts.payload)}`;
  return `${start},${stored}${jsonPart('request', texts.request)}}`;
}

/** Returns the line of a line of a log. */
export function logLine(guid: string, log: StoredLog): string {
  const known = line(guid, {
    log: log.id,
    action_id: log.agentId,
    level: log.level,
    message: log.message,
    inbound_event_id: log.inboundEventId,
    created_at: isoTime(log.createdAt),
    ...attemptPart(log),
  });
  return `${known.slice(0, -1)}${jsonPart('request', log.request)}${jsonPart('response', log.response)}}`;
}

/** Only lines about errors have an attempt: others stay short. */
function attemptPart(log: StoredLog): Record<string, JsonValue> {
  const { deliveryId, agentName, attempt, workMs, status, cause } = log;
  if (deliveryId === null) return {};
  return { delivery_id: deliveryId, action_name: agentName, attempt, work_ms: workMs, status, cause };
}

/** Only HTTP actions have a request: lines of others stay short. */
function jsonPart(name: 'request' | 'response', json: string | null): string {
  return json === null ? '' : `,"${name}":${oneLine(json)}`;
}

/** Returns the line of a dead letter. */
export function deadLetterLine(guid: string, letter: DeliveryView): string {
  return line(guid, {
    dead_letter: letter.id,
    action_id: letter.agentId,
    action_name: letter.agentName,
    event_id: letter.eventId,
    attempts: letter.attempts,
    error: letter.error,
    cause: letter.cause,
    created_at: letter.createdAt.toISOString(),
    failed_at: letter.failedAt?.toISOString() ?? null,
  });
}

/** In JSON a line end stands between tokens only: strings have it escaped. */
function oneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ');
}

/** `2026-11-26 05:15:00.123` → `2026-11-26T05:15:00.123Z`. */
function isoTime(stored: string): string {
  return `${stored.replace(' ', 'T')}Z`;
}

/** The beginning of a line. */
export interface LineHead {
  kind: LineKind;
  id: number;
  /** 0: the input of the run, or no line of an action. */
  actionId: number;
}

const HEAD = /^(\w+)":(\d+)(?:,"action_id":(\d+))?/;

/** Returns what a line of the run begins with; undefined for a line of another run. */
export function headOf(text: string, guid: string): LineHead | undefined {
  const start = `{"run":"${guid}","`;
  if (!text.startsWith(start)) return undefined;
  const [, kind, id, actionId = 0] = HEAD.exec(text.slice(start.length, start.length + 60)) ?? [];
  return kind === undefined
    ? undefined
    : { kind: kind as LineKind, id: Number(id), actionId: Number(actionId) };
}

/** Returns a line as an object; references to secrets are markers. @throws SyntaxError if it is damaged. */
export function readLine(text: string): JsonObject {
  const value = parseJson(jsonWithMarkers(text));
  return isJsonObject(value) ? value : {};
}
