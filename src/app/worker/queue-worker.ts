import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { AgentError, messageOf, PermanentJobError, stackOf } from '../../platform/errors.js';
import {
  bullPrefix,
  Cancellation,
  createJobSampler,
  type DeliveryJob,
  type DeliverySummary,
  isDeliveryJob,
  JobTaken,
  keptJobs,
  NoSlot,
  partName,
  type QueuePart,
  SPOOL_QUEUE,
  SPOOLED_TOGETHER,
  type SpooledRun,
  type StoryConcurrency,
  type WorkerBeats,
  workerName,
} from '../../engine/face.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { WorkerServices } from '../services/worker-services.js';
import type { IsolatedRunner } from './isolated-runner.js';
import type { Progressing } from './progress-watch.js';

/** If nobody takes over from a worker that died, the lock expires and a scan finds the job: well within a minute (promise 4). */
const LOCK_MS = 15_000;
/** How often the leader looks for jobs whose lock has expired. */
export const STALLED_SCAN_MS = 5_000;
/** A job whose worker died or was suspended this many times may be the cause: it is run isolated (rule 9). */
const SUSPECT_DEATHS = 2;
/** BullMQ never fails a job because of stalls: workers die for many reasons, and the isolated run finds the cause. */
const MAX_STALLS = 1_000_000;

/** The board shows the rate of jobs for each minute of the last hour: some 2 µs of Redis for each job, in the same script. */
const BOARD_MINUTES = 60;

/** Outcomes of deliveries that go on later, which the board shows as such. */
const PUT_OFF: ReadonlySet<string> = new Set(['retry', 'rest', 'sleep', 'parked']);

/** Cancels a job that takes longer than this process still runs: another worker starts it again. */
class HandedBack extends JobTaken {}

/** The worker of one part of a queue. */
export interface QueueWorker extends Progressing {
  /** Returns how many jobs it runs now, and how many it can run at once. */
  slots(): { used: number; limit: number };
  /** Puts jobs whose lock has expired back into the queue. @throws if Redis fails. */
  scanStalled(): Promise<void>;
  /** Sets how long one blocking command waits for a job, which comes at once in any case but the loss of its announcement. */
  waitFor(seconds: number): void;
  /** Takes no more jobs, and waits for the running ones; after `patienceMs` they are handed back for other workers. */
  close(patienceMs: number): Promise<void>;
}

/** Needs of a part's worker. */
export interface QueueWorkerDeps {
  services: WorkerServices;
  /** For the commands of all workers of the process; each waits for jobs on a duplicate. */
  redis: RedisClient;
  /** Tells others that this process has jobs, so that they take over if it dies. */
  beats: Pick<WorkerBeats, 'processId' | 'took'>;
  /** Absent: jobs that may kill the process run in it too. */
  isolated?: IsolatedRunner | undefined;
}

/** The work of a process: one part of a queue. */
export interface PartWork {
  part: QueuePart;
  /** How many deliveries run at once; the spool has its own number. */
  jobsAtOnce: number;
  /** Shared by all parts of the queue. */
  slots: StoryConcurrency;
}

/** Processes the jobs of a part of a queue until it is closed. */
export function createQueueWorker(work: PartWork, deps: QueueWorkerDeps): QueueWorker {
  return work.part.queue === SPOOL_QUEUE ? spoolWorker(work, deps) : deliveryWorker(work, deps);
}

function deliveryWorker({ part, jobsAtOnce, slots }: PartWork, deps: QueueWorkerDeps): QueueWorker {
  const { services, isolated } = deps;
  return runWorker<DeliveryJob, DeliverySummary | { outcome: 'sent again' }>(deps, {
    part,
    concurrency: jobsAtOnce,
    deadlineMs: services.config.actionDeadlineSeconds * 1000,
    process: async (job, stop, { failedBefore, stalls, ageMs }) => {
      if (failedBefore && (await services.retryByHand(job))) return { outcome: 'sent again' };
      const isIsolated =
        isolated !== undefined && isDeliveryJob(job) && stalls + (job.deaths ?? 0) >= SUSPECT_DEATHS;
      const summary = isIsolated
        ? await isolated.run(job, stop.signal)
        : await services.runDelivery(job, stop, slots, ageMs);
      if (isIsolated) services.metrics?.ranIsolated(summary);
      // A dead letter shows as failed on the board.
      if (summary.outcome === 'failed') throw new UnrecoverableError(summary.error ?? 'The delivery failed');
      return summary;
    },
    isPutOff: ({ outcome }) => PUT_OFF.has(outcome),
  });
}

/** Processes a few jobs at a time, which are stored together and in order; each waits until MySQL is reachable (rule 17). */
function spoolWorker({ part }: PartWork, deps: QueueWorkerDeps): QueueWorker {
  const { services } = deps;
  return runWorker<SpooledRun, { storyRunGuid: string }>(deps, {
    part,
    concurrency: SPOOLED_TOGETHER,
    deadlineMs: undefined,
    process: async (run, stop) => {
      try {
        // The drain may wait for MySQL indefinitely. If the run is stored after all, another drain does not repeat it (rule 3).
        return await stop.heededBy(services.drainSpooledRun(run), 0);
      } catch (error) {
        if (error instanceof PermanentJobError) throw new UnrecoverableError(error.message);
        throw error;
      }
    },
    isPutOff: () => false,
  });
}

interface Processing<Data, Result> {
  part: QueuePart;
  concurrency: number;
  /** Undefined: a job may wait indefinitely, and is handed back at once when the worker closes. */
  deadlineMs: number | undefined;
  process(data: Data, stop: Cancellation, past: JobPast): Promise<Result>;
  /** Whether the work was only put off, such as until a retry: such a job is not shown as completed. */
  isPutOff(result: Result): boolean;
}

/** The history of a job. */
interface JobPast {
  /** Whether it failed and was retried by hand. A job whose worker died, or that was handed back, has not failed. */
  failedBefore: boolean;
  /** How often its worker died, or did not renew its lock. */
  stalls: number;
  /** How long ago it was added, in ms, by the clocks of two processes. */
  ageMs: number;
}

function runWorker<Data, Result>(
  { services, redis, beats }: QueueWorkerDeps,
  work: Processing<Data, Result>,
): QueueWorker {
  const { config, logger, metrics } = services;
  const { queue } = work.part;
  const name = partName(work.part);
  const running = new Map<string, Cancellation>();
  let started = 0;
  let handingBack = false;
  const isKept = createJobSampler();
  const worker = new Worker<Data, Result | undefined>(
    name,
    async (job, token) => {
      const stop = new Cancellation();
      const id = String(job.id);
      const waitedMs = Date.now() - job.timestamp;
      started += 1;
      beats.took();
      // The lock expired, and a scan put the job back before this worker noticed: the first run continues.
      if (running.has(id)) throw await endOf(job, new NoSlot(), { token, stop });
      // The error is created only when needed: its stack costs more than the rest of this function.
      const end = () => stop.abort(new AgentError('The action took too long'));
      const timer = work.deadlineMs === undefined ? undefined : setTimeout(end, work.deadlineMs);
      running.set(id, stop);
      if (handingBack) stop.abort(new HandedBack());
      try {
        const failedBefore = (job.stacktrace?.length ?? 0) > 0;
        const past = { failedBefore, stalls: job.stalledCounter, ageMs: waitedMs };
        const result = await work.process(job.data, stop, past);
        metrics?.waited(queue, waitedMs);
        // Commands that follow from the result must reach Redis before the job's end, which others may wait for.
        await new Promise(setImmediate);
        if (!work.isPutOff(result) && isKept()) return result;
        job.opts.removeOnComplete = true;
        return undefined;
      } catch (error) {
        // A job that was handed back still waits: it is counted when it ends.
        if (error instanceof UnrecoverableError) metrics?.waited(queue, waitedMs);
        throw await endOf(job, error, { token, stop });
      } finally {
        clearTimeout(timer);
        running.delete(id);
      }
    },
    {
      connection: redis,
      prefix: bullPrefix(config.queuePrefix, work.part),
      concurrency: work.concurrency,
      name: workerName(work.concurrency, beats.processId),
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_SCAN_MS,
      // The leader scans, by `scanStalled`.
      skipStalledCheck: true,
      maxStalledCount: MAX_STALLS,
      skipVersionCheck: true,
      metrics: { maxDataPoints: BOARD_MINUTES },
      ...keptJobs(queue),
    },
  );
  worker.on('error', (error) => logger.debug('worker error', { queue: name, error: messageOf(error) }));
  // Another worker has the job or will get it: this run's result would be dropped.
  worker.on('lockRenewalFailed', (ids: string[]) => {
    for (const id of ids) running.get(id)?.abort(new JobTaken());
  });
  const handBack = () => {
    handingBack = true;
    // The last one first: each goes before all that wait, so they are in their order again.
    for (const stop of [...running.values()].toReversed()) stop.abort(new HandedBack());
  };
  return {
    part: work.part,
    started: () => started,
    slots: () => ({ used: running.size, limit: work.concurrency }),
    hasFreeSlot: () => running.size < work.concurrency,
    async scanStalled() {
      await worker.backend.moveStalledJobsToWait();
    },
    waitFor(seconds) {
      worker.opts.drainDelay = seconds;
    },
    async close(patienceMs) {
      const timer = setTimeout(handBack, work.deadlineMs === undefined ? 0 : patienceMs);
      await worker.close();
      clearTimeout(timer);
    },
  };
}

/** Returns the error that tells BullMQ what to do with a job that did not complete: put it back, or fail it. */
async function endOf(
  job: Job,
  error: unknown,
  { token, stop }: { token: string | undefined; stop: Cancellation },
): Promise<unknown> {
  if (error instanceof NoSlot) {
    await job.moveToDelayed(Date.now() + error.afterMs, token);
    return new DelayedError();
  }
  // A dead letter is already stored.
  if (error instanceof UnrecoverableError || !(stop.reason instanceof HandedBack)) return tellable(error);
  await job.moveToWait(token);
  return new WaitingError();
}

/** Removes details such as SQL values from an error, because the queue stores it and the board shows it. */
function tellable(error: unknown): unknown {
  if (error instanceof UnrecoverableError) return error;
  const told = new Error(messageOf(error));
  told.stack = stackOf(error);
  return told;
}
