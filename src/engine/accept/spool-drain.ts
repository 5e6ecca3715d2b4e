import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { PermanentJobError, Unavailable } from '../../platform/errors.js';
import type { RunStarter } from './run-starter.js';
import { JsonText } from '../../platform/json.js';
import type { Logger } from '../../platform/logger.js';
import type { SpooledRun } from '../dispatch/jobs.js';
import { type Action, actionIn } from '../../stories/graph/find-action.js';
import type { StoryGraphs } from '../../stories/graph/story-graphs.js';

const PAUSE_MS = 1_000;

export interface SpoolDrainDeps {
  writer: RunStarter;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  logger: Logger;
}

/** Starts a spooled run; waits for the database without a limit. */
export type DrainSpooledRun = (run: SpooledRun) => Promise<{ storyRunGuid: string }>;

/**
 * Checks the story again: it may have been disabled or deleted since the event was accepted.
 * @throws PermanentJobError if the webhook was deleted or disabled since (rule 18).
 */
export function createSpoolDrain(deps: SpoolDrainDeps): DrainSpooledRun {
  return async (run) => {
    const began = performance.now();
    for (;;) {
      try {
        await begin(run, deps);
        deps.logger.debug('spooled run started', {
          story_run_guid: run.guid,
          story_id: run.storyId,
          agent_id: run.agentId,
          duration_ms: Math.round(performance.now() - began),
        });
        return { storyRunGuid: run.guid };
      } catch (error) {
        if (!isTransient(error) && !(error instanceof Unavailable)) throw error;
        deps.logger.debug('the spool waits for the database', { story_run_guid: run.guid });
      }
      await sleep(PAUSE_MS);
    }
  };
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
): Promise<Action> {
  const known = actionIn(await graphs.find(storyId), agentId);
  if (known !== undefined && !isDisabled(known)) return known;
  const current = actionIn(await graphs.findCurrent(storyId), agentId);
  if (current === undefined) {
    throw new PermanentJobError('The webhook that accepted this event has been deleted');
  }
  if (isDisabled(current)) {
    throw new PermanentJobError('The webhook that accepted this event has been disabled since');
  }
  return current;
}

function isDisabled({ story, agent }: Action): boolean {
  return story.disabled || agent.disabled;
}
