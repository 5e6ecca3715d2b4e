import type { DeliveryUpdate, NewDelivery } from '../events/delivery-store.js';
import type { NewEvent } from '../events/event-store.js';
import type { NewLogLine } from '../events/log-store.js';
import type { DoneOutcome, Outcome, UndoneOutcome } from './outcome.js';

/*
 * The rows that an outcome comes to.
 */

export function toUpdate(outcome: UndoneOutcome): DeliveryUpdate {
  return {
    id: outcome.delivery.id,
    generation: outcome.delivery.generation,
    state: outcome.kind === 'failed' ? 'failed' : 'waiting',
    attempt: outcome.kind === 'rest' ? 0 : 1,
    delayMs: outcome.delayMs,
    error: outcome.error,
  };
}

export function toEvents(outcome: DoneOutcome): NewEvent[] {
  const { storyRunGuid, storyId, agentId } = outcome.delivery;
  return outcome.outputs.map(({ payload }) => ({
    storyRunGuid,
    storyId,
    agentId,
    payload,
    lineage: outcome.lineage,
  }));
}

export function toDeliveries(outcome: DoneOutcome, eventIds: number[]): NewDelivery[] {
  const { storyRunGuid, storyId, awaited, depth } = outcome.delivery;
  return outcome.outputs.flatMap((output, index) =>
    output.receivers.map((receiver) => ({
      storyRunGuid,
      storyId,
      agentId: receiver.agentId,
      eventId: eventIds[index] ?? 0,
      queue: receiver.queue,
      awaited,
      depth: depth + 1,
    })),
  );
}

export function toLogLines(outcome: Outcome): NewLogLine[] {
  const { agentId, storyRunGuid, eventId } = outcome.delivery;
  return outcome.logs.map((entry) => ({ ...entry, agentId, storyRunGuid, inboundEventId: eventId }));
}

export function toResponse(outcome: DoneOutcome, eventId: number | undefined) {
  const answers = outcome.isResponse && outcome.delivery.awaited && eventId !== undefined;
  return answers ? [{ guid: outcome.delivery.storyRunGuid, eventId }] : [];
}
