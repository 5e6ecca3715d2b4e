import type { DeliveryUpdate, NewDelivery } from '../state/deliveries/delivery-store.js';
import type { EventMark } from '../state/events/event-mark-store.js';
import type { NewEvent } from '../state/events/event-store.js';
import type { ImplodeItem } from '../state/deliveries/implode-store.js';
import type { NewLogLine } from '../state/events/log-store.js';
import type { NewPrompt } from '../state/deliveries/prompt-store.js';
import type {
  DoneOutcome,
  Emission,
  Outcome,
  ParkedOutcome,
  SettledOutcome,
  UndoneOutcome,
} from '../state/outcome.js';

/*
 * Rows to store for an outcome.
 */

/** Time before the sweeper checks a newly parked delivery; until then the follow-up of its COMMIT should end it. */
const PARKED_LOOK_MS = 15_000;

export function toUpdate(outcome: UndoneOutcome | ParkedOutcome): DeliveryUpdate {
  const { id, generation } = outcome.delivery;
  if (outcome.kind === 'parked') {
    const delayMs = Math.min(PARKED_LOOK_MS, (outcome.item?.timeoutSeconds ?? Infinity) * 1000);
    return { id, generation, state: 'parked', attempt: 0, delayMs, error: null };
  }
  return {
    id,
    generation,
    state: outcome.kind === 'failed' ? 'failed' : 'waiting',
    attempt: outcome.kind === 'retry' || outcome.kind === 'failed' ? 1 : 0,
    delayMs: outcome.delayMs,
    dueAt: outcome.dueAt,
    resumes: outcome.kind === 'sleep',
    reason: outcome.reason,
    error: outcome.error,
    cause: outcome.cause,
    mailProgress: outcome.mailProgress,
  };
}

/** Returns true for an agent that did its work. Its outcome applies to a delivery of any generation (rule 9). */
export function isSuccess(outcome: Outcome): outcome is DoneOutcome {
  return outcome.kind === 'done' && outcome.failure === undefined;
}

/** Returns the tokens that the outcome consumes. */
export function toTokens({ delivery, alsoConsumes = [] }: DoneOutcome): number[] {
  return [delivery.id, ...alsoConsumes];
}

export function toEvents({ outputs, workMs }: Emission): NewEvent[] {
  return outputs.map(({ payload, origin, request }) => ({
    storyRunGuid: origin.storyRunGuid,
    storyId: origin.storyId,
    agentId: origin.agentId,
    payload,
    lineage: origin.lineage,
    workMs,
    request,
  }));
}

export function toDeliveries({ outputs }: Emission, eventIds: number[]): NewDelivery[] {
  return outputs.flatMap(({ origin, receivers }, index) =>
    receivers.map((receiver) => ({
      storyRunGuid: origin.storyRunGuid,
      storyId: origin.storyId,
      agentId: receiver.agentId,
      eventId: eventIds[index] ?? 0,
      queue: receiver.queue,
      awaited: origin.awaited,
      called: origin.called,
      depth: origin.depth,
    })),
  );
}

export function toLogLines(outcome: SettledOutcome): NewLogLine[] {
  const { id, agentId, storyRunGuid, eventId } = outcome.delivery;
  return outcome.logs.map((entry) => ({
    ...entry,
    agentId,
    storyRunGuid,
    inboundEventId: eventId,
    deliveryId: entry.attempt !== undefined || entry.continued === true ? id : undefined,
  }));
}

/** An event that is the response of an awaited run. */
export interface RunResponse {
  guid: string;
  eventId: number;
  /** JSON text. */
  payload: string;
}

/** Returns the first response of each awaited run. */
export function toResponses({ outputs }: Emission, eventIds: number[]): RunResponse[] {
  const first = new Map<string, RunResponse>();
  outputs.forEach(({ answers, origin, payload }, index) => {
    const [guid, eventId] = [origin.storyRunGuid, eventIds[index]];
    if (answers && eventId !== undefined && !first.has(guid)) first.set(guid, { guid, eventId, payload });
  });
  return [...first.values()];
}

/** Returns the marks of the error of an agent that failed for good. */
export function toMarks({ outputs }: Emission, eventIds: number[]): EventMark[] {
  return outputs.flatMap(({ origin: { storyId, agentId } }, index) => {
    const eventId = eventIds[index];
    return eventId === undefined ? [] : [{ eventId, storyId, agentId, failure: true, reemitted: false }];
  });
}

/** Returns the prompts to store. They belong to the first event that the agent itself emits. */
export function toPrompts({ prompts = [], outputs: [first] }: DoneOutcome, eventIds: number[]): NewPrompt[] {
  const [eventId] = eventIds;
  if (first === undefined || eventId === undefined) return [];
  const { storyRunGuid, storyId, agentId, awaited, called, depth } = first.origin;
  return prompts.map((prompt) => ({
    ...prompt,
    storyRunGuid,
    storyId,
    agentId,
    eventId,
    awaited,
    called,
    depth,
  }));
}

/** Copies key by key: this runs for each parked delivery, and a spread would cost more than the rest. */
export function toItems({ item: gathered, delivery }: ParkedOutcome): ImplodeItem[] {
  if (gathered === undefined) return [];
  const { groupKey, size, position, item, timeoutSeconds } = gathered;
  return [{ deliveryId: delivery.id, groupKey, size, position, item, timeoutSeconds }];
}
