import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../db/db-errors.js';
import { PermanentJobError, Unavailable } from '../errors.js';
import type { RunStarter } from '../events/run-starter.js';
import type { JsonValue } from '../json.js';
import type { Logger } from '../logger.js';
import type { SpooledRun } from '../queues/jobs.js';
import type { StoryGraphs } from '../stories/story-graphs.js';

const PAUSE_MS = 1_000;

export interface SpoolDrainDeps {
  writer: RunStarter;
  graphs: Pick<StoryGraphs, 'find'>;
  logger: Logger;
}

/** Begins a spooled run; waits for the database as long as it takes. */
export type DrainSpooledRun = (run: SpooledRun) => Promise<{ storyRunGuid: string }>;

/**
 * The story is looked at again: it may have been disabled or deleted since the event was accepted.
 * @throws PermanentJobError when nothing can receive the event any more (rule 18).
 */
export function createSpoolDrain(deps: SpoolDrainDeps): DrainSpooledRun {
  return async (run) => {
    for (;;) {
      try {
        await begin(run, deps);
        return { storyRunGuid: run.guid };
      } catch (error) {
        if (!isTransient(error) && !(error instanceof Unavailable)) throw error;
        deps.logger.debug('the spool waits for the database', { storyRunGuid: run.guid });
      }
      await sleep(PAUSE_MS);
    }
  };
}

async function begin(run: SpooledRun, { writer, graphs }: SpoolDrainDeps): Promise<void> {
  const story = await graphs.find(run.storyId);
  const agent = story?.agents.get(run.agentId);
  if (story === undefined || agent === undefined) {
    throw new PermanentJobError('The webhook that accepted this event has been deleted');
  }
  if (story.disabled || agent.disabled) {
    throw new PermanentJobError('The webhook that accepted this event has been disabled since');
  }
  const payload = JSON.parse(run.payload) as JsonValue;
  await writer.start({ story, agent, payload, source: run.source, guid: run.guid });
}
