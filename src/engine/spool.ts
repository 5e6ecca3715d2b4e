import type { Queue } from 'bullmq';
import { isConnectionError } from '../db/db-errors.js';
import { Unavailable } from '../errors.js';
import type { RunStart, RunStarter } from '../events/run-starter.js';
import type { Logger } from '../logger.js';
import type { SpooledRun } from '../queues/jobs.js';

/** More than this is refused: Redis is the only copy, and must keep room for jobs (rule 17). */
const MAX_SPOOLED_RUNS = 10_000;
const MAX_SPOOLED_BYTES = 1024 * 1024;

export interface SpoolDeps {
  writer: RunStarter;
  queue: Queue<SpooledRun>;
  logger: Logger;
}

/**
 * A RunStarter that still accepts while MySQL is out of reach: the run waits in the spool, in Redis, and
 * begins when MySQL is back (promise 5). Runs that somebody waits for are not spooled: nobody could answer.
 */
export function createSpoolingStarter({ writer, queue, logger }: SpoolDeps): RunStarter {
  return {
    async start(run) {
      try {
        return await writer.start(run);
      } catch (error) {
        if (run.awaited === true || !isDatabaseDown(error)) throw error;
        await spool(run, queue, error);
        logger.warn('webhook event spooled: the database is out of reach', { storyRunGuid: run.guid });
        return { eventId: undefined };
      }
    },
  };
}

/** @throws Unavailable when Redis cannot take it either: then nothing was accepted. */
async function spool(run: RunStart, queue: Queue<SpooledRun>, reason: unknown): Promise<void> {
  const payload = JSON.stringify(run.payload);
  const job = { guid: run.guid, storyId: run.story.id, agentId: run.agent.id, source: run.source, payload };
  try {
    const full = payload.length > MAX_SPOOLED_BYTES || (await queue.getWaitingCount()) >= MAX_SPOOLED_RUNS;
    if (!full) {
      await queue.add('run', job, { jobId: `run-${run.guid}` });
      return;
    }
  } catch (error) {
    throw new Unavailable('Neither store can take the event', { cause: error });
  }
  throw new Unavailable('The database is out of reach and the spool is full', { cause: reason });
}

function isDatabaseDown(error: unknown): boolean {
  return isConnectionError(error) || (error instanceof Unavailable && isConnectionError(error.cause));
}
