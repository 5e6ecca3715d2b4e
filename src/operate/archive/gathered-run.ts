import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { Lineage } from '../../agents/face.js';
import type { RunSource } from '../../api/face.js';
import { causeOf } from '../../engine/face.js';
import {
  type FailedAttempt,
  attemptFrom,
  type DeliveryView,
  type EventView,
  MAX_SHOWN,
  type RunDetails,
  type RunStatus,
  type RunLookup,
} from '../../observe/face.js';
import type { ArchivedLine } from './archive-reader.js';
import { readLine } from './archived-lines.js';

/** Size of the lines of one page, and of the input; payloads beyond it are left out. */
const PAGE_CHARACTERS = 16 * 1024 * 1024;

/** Gathers the lines of an archived run; of its events only the wanted page is kept. */
export function createGatheredRun(wanted: RunLookup) {
  const { guid, story, tenantId, window } = wanted;
  let summary: JsonObject | undefined;
  let input: JsonValue = null;
  let first: RunDetails['first'];
  let left = PAGE_CHARACTERS;
  let letters: DeliveryView[] = [];
  const seen = { event: new Set<number>(), log: new Set<number>(), actions: new Set<number>(), inputs: 0 };
  const items: EventView[] = [];
  const attempts: FailedAttempt[] = [];
  let attemptCount = 0;
  const warned = new Set<number>();

  const addEvent = ({ id, actionId, text }: ArchivedLine) => {
    if (seen.event.has(id)) return;
    seen.event.add(id);
    if (actionId === 0) {
      seen.inputs += 1;
      first = firstOf(readLine(text), id);
      input = first.payload;
      return;
    }
    seen.actions.add(actionId);
    first ??= firstOf(readLine(text), id);
    const place = seen.event.size - seen.inputs - 1;
    if (place < window.offset || place >= window.offset + window.limit) return;
    left -= text.length;
    items.push(eventOf(readLine(text), { id, actionId, wanted, fits: left >= 0 }));
  };

  const addLog = ({ id, actionId, text }: ArchivedLine) => {
    if (seen.log.has(id)) return;
    seen.log.add(id);
    if (!HAS_DELIVERY.test(text)) return;
    const attempt = attemptOf(readLine(text), { id, actionId });
    attemptCount += 1;
    if (attempts.length < MAX_SHOWN) attempts.push(attempt);
    if (attempt.outcome === 'continued') warned.add(attempt.deliveryId);
  };

  return {
    add(line: ArchivedLine): void {
      if (line.kind === 'event') addEvent(line);
      else if (line.kind === 'log') addLog(line);
      else if (line.kind === 'dead_letter') letters.push(letterOf(line));
      // A run that was archived again has its dead letters of then.
      else [summary, letters] = [readLine(line.text), []];
    },
    /** Returns the run; undefined if there was no line of a run of this story. */
    details(): RunDetails | undefined {
      if (summary === undefined || summary['story_id'] !== story.id) return undefined;
      if (![null, tenantId].includes(summary['tenant_id'] as number | null)) return undefined;
      const total = seen.event.size - seen.inputs;
      return {
        ...runOf(summary, { guid, storyId: story.id }),
        archived: true,
        firstEventId: null,
        eventCount: total,
        actionCount: seen.actions.size,
        input,
        logCount: seen.log.size,
        open: { count: 0, deliveries: [] },
        deadLetters: { count: letters.length, deliveries: letters.slice(0, MAX_SHOWN) },
        attempts: { items: attempts, total: attemptCount },
        failure: undefined,
        cause: letters[0] === undefined ? null : causeOf(letters[0]),
        warnings: warned.size,
        events: { items, total },
        first,
      };
    },
  };
}

function runOf(summary: JsonObject, place: { guid: string; storyId: number }) {
  const draftId = numberOrNull(summary['draft_id']);
  return {
    id: numberOrNull(summary['summary']) ?? 0,
    ...place,
    source: textOrNull(summary['source']) as RunSource,
    status: textOrNull(summary['status']) as RunStatus,
    createdAt: timeOf(summary['created_at']),
    endedAt: timeOrNull(summary['ended_at']),
    cancelledAt: timeOrNull(summary['cancelled_at']),
    draft: draftId === null ? null : { id: draftId, name: textOrNull(summary['draft_name']) ?? '' },
  };
}

interface EventPlace {
  id: number;
  actionId: number;
  wanted: RunLookup;
  /** Whether the payload fits into the page. */
  fits: boolean;
}

function eventOf(event: JsonObject, { id, actionId, wanted, fits }: EventPlace): EventView {
  const { guid, story } = wanted;
  const { lineage, payload } = firstOf(event, id);
  return {
    id,
    storyId: story.id,
    userId: story.userId,
    teamId: story.teamId,
    storyRunGuid: guid,
    agentId: actionId,
    agentName: textOrNull(event['action_name']),
    lineage,
    createdAt: timeOf(event['created_at']),
    workMs: numberOrNull(event['work_ms']),
    draftId: story.draftOf === null ? null : story.id,
    payload: fits ? payload : null,
    incomplete: !fits,
  };
}

function firstOf(event: JsonObject, id: number): NonNullable<RunDetails['first']> {
  const { lineage, payload = null } = event;
  return { id, lineage: (isJsonObject(lineage) ? lineage : {}) as Lineage, payload };
}

/** A name in a line, not in a text: there its quotes are escaped. */
const HAS_DELIVERY = /[,{]"delivery_id":\d/;

function attemptOf(line: JsonObject, { id, actionId }: { id: number; actionId: number }): FailedAttempt {
  return attemptFrom({
    id,
    deliveryId: numberOrNull(line['delivery_id']) ?? 0,
    agentId: actionId,
    agentName: textOrNull(line['action_name']),
    eventId: numberOrNull(line['inbound_event_id']),
    attempt: numberOrNull(line['attempt']),
    level: numberOrNull(line['level']) ?? 0,
    message: textOrNull(line['message']) ?? '',
    failedAt: timeOf(line['created_at']),
    workMs: numberOrNull(line['work_ms']),
    status: numberOrNull(line['status']),
    cause: textOrNull(line['cause']),
  });
}

function letterOf({ id, actionId, text }: ArchivedLine): DeliveryView {
  const letter = readLine(text);
  const createdAt = timeOf(letter['created_at']);
  return {
    id,
    agentId: actionId,
    agentName: textOrNull(letter['action_name']),
    eventId: numberOrNull(letter['event_id']),
    state: 'failed',
    attempts: numberOrNull(letter['attempts']) ?? 0,
    error: textOrNull(letter['error']),
    cause: textOrNull(letter['cause']),
    dueAt: createdAt,
    failedAt: timeOrNull(letter['failed_at']),
    createdAt,
  };
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function timeOf(value: JsonValue | undefined): Date {
  return timeOrNull(value) ?? new Date(0);
}

function timeOrNull(value: JsonValue | undefined): Date | null {
  return typeof value === 'string' ? new Date(value) : null;
}
