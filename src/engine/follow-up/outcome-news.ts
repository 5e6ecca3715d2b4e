import type { News } from '../../api/face.js';
import type { SettledOutcome } from '../state/outcome.js';
import { endsBranch } from './after-commit.js';

/** Longer messages are cut; the log and the dead letter have the rest. */
const LONGEST_MESSAGE = 300;

/** Tells of committed outcomes: their events, errors and dead letters, started runs, and runs that may have ended. */
export function tellOutcomes(outcomes: readonly SettledOutcome[], news: News): void {
  if (!news.isWanted) return;
  const at = Date.now();
  for (const outcome of outcomes) {
    tellLines(outcome, at, news);
    if (outcome.kind === 'failed') tellDeadLetter(outcome, at, news);
    if (outcome.kind === 'done') tellEvents(outcome, news);
    if (outcome.kind === 'parked' && outcome.call !== undefined) news.runsStarted([outcome.call.start]);
  }
  // A run can only end where a branch ends.
  news.mayHaveEnded(outcomes.filter(endsBranch).map(({ delivery }) => delivery.storyRunGuid));
}

function tellLines({ delivery, logs }: SettledOutcome, at: number, news: News): void {
  const { storyId, agentId, storyRunGuid: guid } = delivery;
  for (const { level, message } of logs) {
    if (level !== 'warn' && level !== 'error') continue;
    news.add({ kind: 'log', storyId, at, guid, agentId, level, message: message.slice(0, LONGEST_MESSAGE) });
  }
}

function tellDeadLetter(
  { delivery, error }: Extract<SettledOutcome, { error: unknown }>,
  at: number,
  news: News,
): void {
  const { id, storyId, agentId, storyRunGuid: guid } = delivery;
  const text = (error ?? '').slice(0, LONGEST_MESSAGE);
  news.add({ kind: 'dead_letter', storyId, at, id, guid, agentId, error: text });
  news.count(storyId, { deadLetters: 1 });
}

function tellEvents({ outputs }: Extract<SettledOutcome, { kind: 'done' }>, news: News): void {
  for (const { origin } of outputs) news.count(origin.storyId, { events: 1 });
}
