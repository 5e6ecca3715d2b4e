import { timestamp } from '../../platform/time/timestamp.js';
import type { EventView } from '../events/event.js';
import { presentEvent } from '../events/event-presenter.js';
import { causeOf } from '../../engine/face.js';
import type { StoryChangeRecord } from '../../stories/face.js';
import { presentAttempt } from '../attempts/attempt-presenter.js';
import type { RunFailure } from '../attempts/run-failure.js';
import { errorKindOf } from '../dead-letters/groups/error-kind.js';
import type { RunWithSubject, Subject } from '../subjects/run-subjects.js';
import type { RunDetails } from './run-details.js';
import type { DeliveryView, OpenDeliveryView } from './run.js';

/** A run in a list. Public clients read times and counts under names of their own. */
export function presentRun(run: RunWithSubject) {
  const { draft } = run;
  return {
    guid: run.guid,
    story_id: run.storyId,
    source: run.source,
    status: run.status,
    created_at: timestamp(run.createdAt),
    ended_at: timeOrNull(run.endedAt),
    cancelled_at: timeOrNull(run.cancelledAt),
    start_time: timestamp(run.createdAt),
    end_time: timeOrNull(run.endedAt),
    duration: run.endedAt === null ? null : (run.endedAt.getTime() - run.createdAt.getTime()) / 1000,
    event_count: run.eventCount,
    action_count: run.actionCount,
    story_mode: draft === null ? 'LIVE' : 'TEST',
    draft_id: draft?.id ?? null,
    draft_name: draft?.name ?? null,
    subject: run.subject,
    cause: run.cause,
    warnings: run.warnings,
  };
}

/** Whether the events with their payloads are left out. */
interface PayloadsOf {
  withoutPayloads?: boolean | undefined;
}

/** A run with its events and deliveries; the page's `meta` is added by the route. */
export function presentRunDetails(run: RunDetails & Subject, { withoutPayloads = false }: PayloadsOf = {}) {
  return {
    ...presentRun(run),
    archived: run.archived,
    input: run.input,
    log_count: run.logCount,
    open_delivery_count: run.open.count,
    open_deliveries: run.open.deliveries.map(presentOpenDelivery),
    dead_letter_count: run.deadLetters.count,
    dead_letters: run.deadLetters.deliveries.map(presentDeadLetter),
    attempt_count: run.attempts.total,
    attempts: run.attempts.items.map(presentAttempt),
    failure: run.failure === undefined ? null : presentFailure(run.failure),
    events: withoutPayloads ? [] : run.events.items.map(presentEvent),
    story_run_events: run.events.items.map(presentRunEvent),
  };
}

/** The event of a run without its payload, as public clients read it. */
function presentRunEvent(event: EventView) {
  const { id, agent_id, agent_name, previous_events_ids, created_at, updated_at } = presentEvent(event);
  const emitted_at = event.createdAt.toISOString();
  return {
    id,
    action_id: agent_id,
    action_name: agent_name,
    previous_events_ids,
    created_at,
    updated_at,
    emitted_at,
    work_ms: event.workMs,
  };
}

function presentOpenDelivery(delivery: OpenDeliveryView) {
  return {
    ...presentDelivery(delivery),
    queue: delivery.queue,
    state: delivery.state,
    reason: delivery.reason,
    // The due time of a parked delivery is its next check, not the time when it continues.
    waits_until: delivery.state === 'waiting' ? timestamp(delivery.dueAt) : null,
  };
}

function presentDeadLetter(delivery: DeliveryView) {
  return {
    ...presentDelivery(delivery),
    error_kind: errorKindOf(delivery.error ?? ''),
    failed_at: timeOrNull(delivery.failedAt),
  };
}

function presentDelivery(delivery: DeliveryView) {
  return {
    id: delivery.id,
    agent_id: delivery.agentId,
    agent_name: delivery.agentName,
    event_id: delivery.eventId,
    attempts: delivery.attempts,
    error: delivery.error,
    cause: causeOf(delivery),
    created_at: timestamp(delivery.createdAt),
  };
}

function presentFailure({ letter, kind, cause, same, change }: RunFailure) {
  return {
    dead_letter_id: letter.id,
    agent_id: letter.agentId,
    agent_name: letter.agentName,
    event_id: letter.eventId,
    error: letter.error,
    error_kind: kind,
    cause,
    attempts: letter.attempts,
    failed_at: timeOrNull(letter.failedAt),
    same: {
      dead_letters: same.letters,
      first_failed_at: timestamp(same.firstAt),
      last_failed_at: timestamp(same.lastAt),
      complete: same.complete,
    },
    story_change: change === undefined ? null : presentChange(change),
  };
}

function presentChange({ id, number, name, source, changedAt, by }: StoryChangeRecord) {
  return {
    version_id: id,
    number,
    name,
    source,
    changed_at: timestamp(changedAt),
    by: by === undefined ? null : { id: by.id, name: by.name },
  };
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : timestamp(time);
}
