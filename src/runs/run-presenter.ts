import { timestamp } from '../platform/text/timestamp.js';
import { presentEvent } from './events/event-presenter.js';
import type { RunDetails } from './run-details.js';
import type { DeliveryView, RunView } from './run.js';

/** A run in a list. */
export function presentRun(run: RunView) {
  return {
    guid: run.guid,
    story_id: run.storyId,
    source: run.source,
    status: run.status,
    created_at: timestamp(run.createdAt),
    ended_at: timeOrNull(run.endedAt),
    cancelled_at: timeOrNull(run.cancelledAt),
    event_count: run.eventCount,
  };
}

/** A run with its events and deliveries; the page's `meta` is added by the route. */
export function presentRunDetails(run: RunDetails) {
  return {
    ...presentRun(run),
    input: run.input,
    log_count: run.logCount,
    open_delivery_count: run.open.count,
    open_deliveries: run.open.deliveries.map(presentOpenDelivery),
    dead_letter_count: run.deadLetters.count,
    dead_letters: run.deadLetters.deliveries.map(presentDeadLetter),
    events: run.events.items.map(presentEvent),
  };
}

function presentOpenDelivery(delivery: DeliveryView) {
  return {
    ...presentDelivery(delivery),
    state: delivery.state,
    // The due time of a parked delivery is its next check, not the time when it continues.
    waits_until: delivery.state === 'waiting' ? timestamp(delivery.dueAt) : null,
  };
}

function presentDeadLetter(delivery: DeliveryView) {
  return { ...presentDelivery(delivery), failed_at: timeOrNull(delivery.failedAt) };
}

function presentDelivery(delivery: DeliveryView) {
  return {
    id: delivery.id,
    agent_id: delivery.agentId,
    agent_name: delivery.agentName,
    event_id: delivery.eventId,
    attempts: delivery.attempts,
    error: delivery.error,
    created_at: timestamp(delivery.createdAt),
  };
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : timestamp(time);
}
