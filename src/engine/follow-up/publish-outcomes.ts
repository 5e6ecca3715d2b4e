import type { LiveEvents } from '../../api/face.js';
import type { SettledOutcome } from '../state/outcome.js';
import { endsBranch } from './after-commit.js';

/** Longer messages are cut; the log and the dead letter have the rest. */
const LONGEST_MESSAGE = 300;

/** Publishes committed outcomes: their events, errors and dead letters, started runs, and runs that may have ended. */
export function publishOutcomes(outcomes: readonly SettledOutcome[], liveEvents: LiveEvents): void {
  if (!liveEvents.isWanted) return;
  const at = Date.now();
  for (const outcome of outcomes) {
    publishLines(outcome, at, liveEvents);
    if (outcome.kind === 'failed') publishDeadLetter(outcome, at, liveEvents);
    if (outcome.kind === 'done') publishEvents(outcome, liveEvents);
    if (outcome.kind === 'parked' && outcome.call !== undefined) liveEvents.runsStarted([outcome.call.start]);
  }
  // A run can only end where a branch ends.
  liveEvents.mayHaveEnded(outcomes.filter(endsBranch).map(({ delivery }) => delivery.storyRunGuid));
}

function publishLines({ delivery, logs }: SettledOutcome, at: number, liveEvents: LiveEvents): void {
  const { storyId, agentId, storyRunGuid: guid } = delivery;
  for (const { level, message } of logs) {
    if (level !== 'warn' && level !== 'error') continue;
    liveEvents.add({
      kind: 'log',
      storyId,
      at,
      guid,
      agentId,
      level,
      message: message.slice(0, LONGEST_MESSAGE),
    });
  }
}

function publishDeadLetter(
  { delivery, error }: Extract<SettledOutcome, { error: unknown }>,
  at: number,
  liveEvents: LiveEvents,
): void {
  const { id, storyId, agentId, storyRunGuid: guid } = delivery;
  const text = (error ?? '').slice(0, LONGEST_MESSAGE);
  liveEvents.add({ kind: 'dead_letter', storyId, at, id, guid, agentId, error: text });
  liveEvents.count(storyId, { deadLetters: 1 });
}

function publishEvents({ outputs }: Extract<SettledOutcome, { kind: 'done' }>, liveEvents: LiveEvents): void {
  for (const { origin } of outputs) liveEvents.count(origin.storyId, { events: 1 });
}
