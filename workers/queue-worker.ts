import { UnrecoverableError, Worker } from 'bullmq';
import { PermanentJobError } from '../src/errors.js';
import { type DeliverySummary, JobTaken } from '../src/engine/run-delivery.js';
import { type DeliveryJob, type QueueName, SPOOL_QUEUE, type SpooledRun } from '../src/queues/jobs.js';
import { bullPrefix } from '../src/queues/queues.js';
import { createRedis } from '../src/queues/redis.js';
import type { WorkerServices } from '../src/services.js';

/** After a kill -9 the lock must run out, then a scan finds the job: well within a minute (promise 4). */
const LOCK_MS = 15_000;
const STALLED_SCAN_MS = 5_000;
/** A job that took its worker down this often is left to the relay, which counts (rule 9). */
const MAX_STALLS = 5;
/** The spool is the only copy: a run in it is never given up. */
const MAX_SPOOL_STALLS = 1_000_000;
/** Longer than any action may take; what hangs beyond it is cancelled. */
const DEADLINE_MS = 120_000;

/** One queue's worker. */
export interface QueueWorker {
  name: string;
  /** Takes no more jobs, and waits for those under way. */
  close(): Promise<void>;
}

/** Works on the jobs of a queue until it is closed. */
export function createQueueWorker(queue: QueueName, services: WorkerServices): QueueWorker {
  return queue === SPOOL_QUEUE ? spoolWorker(services) : deliveryWorker(queue, services);
}

function deliveryWorker(queue: QueueName, services: WorkerServices): QueueWorker {
  return runWorker<DeliveryJob, DeliverySummary>(services, {
    queue,
    concurrency: services.config.workerConcurrency,
    deadlineMs: DEADLINE_MS,
    maxStalls: MAX_STALLS,
    process: async (job, signal) => {
      const summary = await services.runDelivery(job, signal);
      // A dead letter shows as failed on the board; every other end is a completed job that says what it came to.
      if (summary.outcome === 'failed') throw new UnrecoverableError(summary.error ?? 'The delivery failed');
      return summary;
    },
  });
}

/** One at a time, in order, for as long as the database is away (rule 17). */
function spoolWorker(services: WorkerServices): QueueWorker {
  return runWorker<SpooledRun, { storyRunGuid: string }>(services, {
    queue: SPOOL_QUEUE,
    concurrency: 1,
    deadlineMs: undefined,
    maxStalls: MAX_SPOOL_STALLS,
    process: async (run) => {
      try {
        return await services.drainSpooledRun(run);
      } catch (error) {
        if (error instanceof PermanentJobError) throw new UnrecoverableError(error.message);
        throw error;
      }
    },
  });
}

interface Processing<Data, Result> {
  queue: QueueName;
  concurrency: number;
  /** Undefined: a job may wait for ever, and is handed back, not waited for, when the worker closes. */
  deadlineMs: number | undefined;
  maxStalls: number;
  process(data: Data, signal: AbortSignal): Promise<Result>;
}

function runWorker<Data, Result>(services: WorkerServices, work: Processing<Data, Result>): QueueWorker {
  const { config, logger } = services;
  const running = new Map<string, AbortController>();
  const redis = createRedis(config, 'worker', logger);
  const worker = new Worker<Data, Result>(
    work.queue,
    async (job) => {
      const controller = new AbortController();
      const late = new Error('The action took too long');
      const timer =
        work.deadlineMs === undefined ? undefined : setTimeout(() => controller.abort(late), work.deadlineMs);
      const id = String(job.id);
      running.set(id, controller);
      try {
        return await work.process(job.data, controller.signal);
      } finally {
        clearTimeout(timer);
        running.delete(id);
      }
    },
    {
      connection: redis,
      prefix: bullPrefix(config.queuePrefix, work.queue),
      concurrency: work.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_SCAN_MS,
      maxStalledCount: work.maxStalls,
      skipVersionCheck: true,
    },
  );
  worker.on('error', (error) => logger.debug('worker error', { queue: work.queue, error: error.message }));
  // Another worker has the job, or will have it: what this one still does is for nothing.
  worker.on('lockRenewalFailed', (ids: string[]) => {
    for (const id of ids) running.get(id)?.abort(new JobTaken());
  });
  return {
    name: work.queue,
    async close() {
      await worker.close(work.deadlineMs === undefined);
      redis.disconnect();
    },
  };
}
