import type { RunNotifications } from '../state/runs/run-notifications.js';
import type { Logger } from '../../platform/logger.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import { endCalls } from '../calls/ended-calls.js';
import { createGroupDebounce } from '../implode/group-debounce.js';
import { completeGroups, type ImplodeDeps } from '../implode/complete-groups.js';
import type { DoneOutcome, SettledOutcome } from '../state/outcome.js';
import type { Stored } from '../commit/store-outputs.js';

const MAX_ROUND = 200;

/** The work that follows a COMMIT of outcomes. */
export interface AfterCommit {
  /** Checks what these outcomes may have completed: awaited runs, implode groups, called runs. */
  follow(outcomes: SettledOutcome[], stored: Stored[]): void;
  drain(): Promise<void>;
}

export interface AfterCommitDeps extends ImplodeDeps {
  logger: Logger;
  progress: Pick<RunNotifications, 'advance' | 'answered'>;
}

/** Creates the follow-up work for the outcomes of one process. */
export function createAfterCommit(deps: AfterCommitDeps): AfterCommit {
  const { logger } = deps;
  const groups = createGroupDebounce({ complete: (keys) => completeGroups(keys, deps), logger });
  const calls = createBackgroundQueue<string>({
    name: 'send to story',
    maxRound: MAX_ROUND,
    work: (guids) => endCalls(guids, deps),
    logger,
  });

  return {
    follow(outcomes, stored) {
      const answers = stored.flatMap((left) => left.answers);
      deps.progress.answered(answers);
      const answered = new Set(answers.map(({ guid }) => guid));
      deps.progress.advance(awaitedRuns(outcomes).filter((guid) => !answered.has(guid)));
      groups.add(outcomes.flatMap((outcome) => (outcome.kind === 'parked' ? groupOf(outcome.item) : [])));
      calls.add(outcomes.filter(mayEndRun).map(({ delivery }) => delivery.storyRunGuid));
    },
    async drain() {
      await groups.drain();
      await calls.drain();
    },
  };
}

/** Returns awaited runs that may be complete, each once: a delivery ended, and the run got no new one. */
export function awaitedRuns(outcomes: SettledOutcome[]): string[] {
  const guids = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.kind !== 'done' && outcome.kind !== 'failed') continue;
    const runs = awaitedIn(outcome);
    if (runs.size === 0) continue;
    for (const { origin, receivers } of outputsOf(outcome)) {
      if (receivers.length > 0) runs.delete(origin.storyRunGuid);
    }
    for (const guid of runs) guids.add(guid);
  }
  return [...guids];
}

/** Returns the awaited runs of an outcome: its delivery's run, and the runs that it emitted events in. */
function awaitedIn(outcome: SettledOutcome): Set<string> {
  const guids = new Set<string>();
  if (outcome.delivery.awaited) guids.add(outcome.delivery.storyRunGuid);
  for (const { origin } of outputsOf(outcome)) if (origin.awaited) guids.add(origin.storyRunGuid);
  return guids;
}

function outputsOf(outcome: SettledOutcome): DoneOutcome['outputs'] {
  return outcome.kind === 'done' ? outcome.outputs : [];
}

function groupOf(item: { groupKey: string } | undefined): string[] {
  return item === undefined ? [] : [item.groupKey];
}

/** Returns true if the called run may be complete: a run can only end where a branch ends. */
export function mayEndRun(outcome: SettledOutcome): boolean {
  return outcome.delivery.called && endsBranch(outcome);
}

/** Returns true if the delivery ended, and its run got no new one from it. */
export function endsBranch(outcome: SettledOutcome): boolean {
  if (outcome.kind === 'failed') return true;
  if (outcome.kind !== 'done') return false;
  const { storyRunGuid } = outcome.delivery;
  return !outcome.outputs.some(
    ({ origin, receivers }) => origin.storyRunGuid === storyRunGuid && receivers.length > 0,
  );
}
