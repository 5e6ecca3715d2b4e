import { setTimeout as sleep } from 'node:timers/promises';
import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { PermanentJobError, Unavailable } from '../../platform/errors.js';
import type { RunStarter } from './run-starter.js';
import { JsonText } from '../../platform/json.js';
import type { Logger } from '../../platform/logger.js';
import type { SpooledRun } from '../dispatch/jobs.js';
import { type ActionInStory, actionIn, type StoryGraphs } from '../../stories/face.js';

const PAUSE_MS = 1_000;
/** Most spooled runs that are stored in one transaction. */
export const SPOOLED_TOGETHER = 16;
/** Most of their payloads, in characters; a longer one is stored alone. All of one transaction are in its lane for small items. */
const MOST_TOGETHER_CHARACTERS = 32 * 1024;

export interface SpoolDrainDeps {
  writer: RunStarter;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  logger: Logger;
}

/** Starts a spooled run; waits for the database without a limit. */
export type DrainSpooledRun = (run: SpooledRun) => Promise<{ storyRunGuid: string }>;

/** Undefined: the run started. */
type Failure = { error: unknown } | undefined;

/**
 * Starts runs in the order in which they are given, those that wait together in one transaction: one by one, a busy database would
 * take minutes for the calls of one. Checks the story again: it may have been disabled or deleted since the event was accepted.
 * @throws PermanentJobError if the webhook was deleted or disabled since (rule 18).
 */
export function createSpoolDrain(deps: SpoolDrainDeps): DrainSpooledRun {
  const drain = createBatchLoader<SpooledRun, Failure>(
    async (runs) => {
      const failures = new Map<SpooledRun, Failure>();
      for (const batch of inBatches(runs)) {
        for (const [run, failure] of await beginAll(batch, deps)) failures.set(run, failure);
      }
      return failures;
    },
    { maxRound: SPOOLED_TOGETHER },
  );
  return async (run) => {
    const failure = await drain(run);
    if (failure !== undefined) throw failure.error;
    return { storyRunGuid: run.guid };
  };
}

/** Cuts the runs, in their order, into batches of bounded length. */
function inBatches(runs: SpooledRun[]): SpooledRun[][] {
  const batches: SpooledRun[][] = [];
  let room = 0;
  for (const run of runs) {
    room -= run.payload.length;
    if (room >= 0) batches.at(-1)?.push(run);
    else {
      batches.push([run]);
      room = MOST_TOGETHER_CHARACTERS - run.payload.length;
    }
  }
  return batches;
}

/** Starts the runs together, and again those for which the database was not there, until each has started or failed for good. */
async function beginAll(runs: SpooledRun[], deps: SpoolDrainDeps): Promise<Map<SpooledRun, Failure>> {
  const began = performance.now();
  const failures = new Map<SpooledRun, Failure>();
  let left = runs;
  for (;;) {
    const ends = await Promise.allSettled(left.map((run) => begin(run, deps)));
    left = left.filter((run, index) => {
      const end = ends[index];
      if (end?.status === 'rejected' && isPassing(end.reason)) return true;
      failures.set(run, end?.status === 'rejected' ? { error: end.reason } : undefined);
      return false;
    });
    if (left.length === 0) break;
    deps.logger.debug('the spool is waiting for the database', {
      story_run_guid: left[0]?.guid,
      runs: left.length,
    });
    await sleep(PAUSE_MS);
  }
  tellStarted(failures, performance.now() - began, deps.logger);
  return failures;
}

function isPassing(error: unknown): boolean {
  return isTransient(error) || error instanceof Unavailable;
}

function tellStarted(failures: Map<SpooledRun, Failure>, tookMs: number, logger: Logger): void {
  for (const [run, failure] of failures) {
    if (failure !== undefined) continue;
    logger.debug('spooled run started', {
      story_run_guid: run.guid,
      story_id: run.storyId,
      agent_id: run.agentId,
      duration_ms: Math.round(tookMs),
    });
  }
}

async function begin(run: SpooledRun, { writer, graphs }: SpoolDrainDeps): Promise<void> {
  const { story, agent } = await findWebhook(run, graphs);
  const payload = new JsonText(run.payload);
  await writer.start({ story, agent, payload, source: run.source, guid: run.guid });
}

/** The cached story may be 15 minutes old: it is enough to accept an event, but before rejecting one it is loaded again. */
async function findWebhook(
  { storyId, agentId }: SpooledRun,
  graphs: SpoolDrainDeps['graphs'],
): Promise<ActionInStory> {
  const known = actionIn(await graphs.find(storyId), agentId);
  if (known !== undefined && !isDisabled(known)) return known;
  const current = actionIn(await graphs.findCurrent(storyId), agentId);
  if (current === undefined) {
    throw new PermanentJobError('The webhook that accepted this event was deleted');
  }
  if (isDisabled(current)) {
    throw new PermanentJobError('The webhook that accepted this event was disabled');
  }
  return current;
}

function isDisabled({ story, agent }: ActionInStory): boolean {
  return story.disabled || agent.disabled;
}
