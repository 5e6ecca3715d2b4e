import type { Queue } from 'bullmq';
import { CommitUnknown, isConnectionError } from '../db/db-errors.js';
import { OutcomeUnknown, Unavailable } from '../errors.js';
import type { RunStart, RunStarter } from '../events/run-starter.js';
import type { Logger } from '../logger.js';
import type { SpooledRun } from '../queues/jobs.js';

/** More than this is refused: Redis is the only copy, and must keep room for jobs (rule 17). */
const MAX_SPOOLED_RUNS = 10_000;
const MAX_SPOOLED_BYTES = 1024 * 1024;

const MAYBE = 'The stores are out of reach; whether the event was taken is not known';

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
        if (!isDatabaseDown(error)) throw error;
        if (run.awaited === true) throw refusal(error, error);
        await spool(run, queue, error);
        logger.warn('webhook event spooled: the database is out of reach', { storyRunGuid: run.guid });
        return { eventId: undefined };
      }
    },
  };
}

/**
 * @throws Unavailable when Redis cannot take it either: then nothing was accepted.
 * @throws OutcomeUnknown when one of the stores may have taken it all the same.
 */
async function spool(run: RunStart, queue: Queue<SpooledRun>, reason: unknown): Promise<void> {
  const payload = JSON.stringify(run.payload);
  const job = { guid: run.guid, storyId: run.story.id, agentId: run.agent.id, source: run.source, payload };
  // Asked first: a Redis that does not answer to this was not given the event.
  const waiting = await queue.getWaitingCount().catch((error: unknown) => {
    throw refusal(reason, new Unavailable('Neither store can take the event', { cause: error }));
  });
  if (payload.length > MAX_SPOOLED_BYTES || waiting >= MAX_SPOOLED_RUNS) {
    const full = new Unavailable('The database is out of reach and the spool is full', { cause: reason });
    throw refusal(reason, full);
  }
  await queue.add('run', job, { jobId: `run-${run.guid}` }).catch((error: unknown) => {
    throw new OutcomeUnknown(MAYBE, { cause: error });
  });
}

/** A refusal says that nothing was taken (decisions §4); after a COMMIT whose answer got lost nobody can say that. */
function refusal(reason: unknown, refused: unknown): unknown {
  const cause = reason instanceof Unavailable ? reason.cause : reason;
  return cause instanceof CommitUnknown ? new OutcomeUnknown(MAYBE, { cause }) : refused;
}

function isDatabaseDown(error: unknown): boolean {
  return isConnectionError(error) || (error instanceof Unavailable && isConnectionError(error.cause));
}
