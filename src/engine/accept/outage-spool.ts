import type { JobsOptions, Queue } from 'bullmq';
import { CommitUnknown, isConnectionError } from '../../platform/mysql/db-errors.js';
import { messageOf, OutcomeUnknown, Unavailable } from '../../platform/errors.js';
import type { RunStart, RunStarter } from './run-starter.js';
import { jsonTextOf } from '../../platform/json.js';
import type { Logger } from '../../platform/logger.js';
import type { SpooledRun } from '../dispatch/jobs.js';
import type { ReplicaCopies } from './replica-copies.js';
import { spooledBytes, type SpoolLevel, type SpoolQuota } from './spool-quota.js';

/** Larger jobs are removed from Redis once stored in MySQL; smaller ones stay a while, for the board. */
const KEPT_WHEN_DONE_BYTES = 4 * 1024;

const MAYBE = 'The stores are unreachable; it is unknown whether the event was accepted';

export interface SpoolDeps {
  writer: RunStarter;
  queue: Pick<Queue<SpooledRun>, 'add'>;
  room: Pick<SpoolQuota, 'take'>;
  copies: ReplicaCopies;
  logger: Logger;
}

/**
 * Returns a RunStarter that still accepts while MySQL is unreachable: the run waits in the spool, in Redis, and starts
 * when MySQL is back (promise 5). Awaited runs are not spooled: their response would come too late.
 */
export function createOutageSpool(deps: SpoolDeps): RunStarter {
  return {
    async start(run) {
      try {
        return await deps.writer.start(run);
      } catch (error) {
        if (!isDatabaseDown(error)) throw error;
        if (run.awaited === true) throw refusal(error, error);
        const level = await spool(run, deps, error);
        deps.logger.warn('webhook event spooled: the database is unreachable', {
          story_run_guid: run.guid,
          error: messageOf(error instanceof Unavailable ? error.cause : error),
          ...levelFields(level),
        });
        return { eventId: undefined };
      }
    },
  };
}

/**
 * @throws Unavailable if Redis cannot take it either, or the spool is full (rule 17): nothing was accepted.
 * @throws OutcomeUnknown if one of the stores may have taken it nevertheless.
 */
async function spool(run: RunStart, deps: SpoolDeps, reason: unknown): Promise<SpoolLevel> {
  const payload = jsonTextOf(run.payload);
  const job = { guid: run.guid, storyId: run.story.id, agentId: run.agent.id, source: run.source, payload };
  const bytes = spooledBytes(job);
  // Reserved before the job is added: if Redis does not reply here, it certainly has no event.
  const { taken, trouble, ...level } = await deps.room.take(bytes).catch((error: unknown) => {
    throw refusal(reason, new Unavailable('Neither store can accept the event', { cause: error }));
  });
  if (!taken) {
    const why = trouble ?? 'the spool is full';
    deps.logger.warn(`webhook event rejected: the database is unreachable and ${why}`, {
      bytes,
      ...levelFields(level),
    });
    const said = trouble === undefined ? 'the spool is full' : 'Redis could evict the only copy of an event';
    throw refusal(reason, new Unavailable(`The database is unreachable and ${said}`, { cause: reason }));
  }
  const isCopied = await deps.queue
    .add('run', job, jobOptions(run.guid, bytes))
    .then(() => deps.copies.confirm())
    .catch((error: unknown) => {
      throw new OutcomeUnknown(MAYBE, { cause: error });
    });
  if (!isCopied) {
    deps.logger.warn('webhook event spooled, but not confirmed by a Redis replica: the caller gets 504', {
      story_run_guid: run.guid,
    });
    throw new OutcomeUnknown(MAYBE, { cause: reason });
  }
  return level;
}

/** The fill of the spool, as lines of the log name it. */
function levelFields({ heldBytes, limitBytes }: SpoolLevel): { held_bytes: number; limit_bytes: number } {
  return { held_bytes: heldBytes, limit_bytes: limitBytes };
}

function jobOptions(guid: string, bytes: number): JobsOptions {
  return { jobId: `run-${guid}`, ...(bytes > KEPT_WHEN_DONE_BYTES ? { removeOnComplete: true } : {}) };
}

/** A refusal says that nothing was accepted (spec §4.6). After a COMMIT without a response that is not known. */
function refusal(reason: unknown, refused: unknown): unknown {
  const cause = reason instanceof Unavailable ? reason.cause : reason;
  return cause instanceof CommitUnknown ? new OutcomeUnknown(MAYBE, { cause }) : refused;
}

function isDatabaseDown(error: unknown): boolean {
  return isConnectionError(error) || (error instanceof Unavailable && isConnectionError(error.cause));
}
