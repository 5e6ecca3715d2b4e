import type { JobsOptions, Queue } from 'bullmq';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import type { HeldJob, Admission, PlacedJob } from './admission.js';
import { deliveryJobId } from './jobs.js';
import type { DeliveryJob, JobRef } from '../state/delivery-job.js';
import type { DeliveryQueue } from '../../agents/delivery-queues.js';
import { queueNamed, type Queues } from './queues.js';

/** Adds jobs for committed deliveries. */
export interface Dispatcher {
  /**
   * Adds the jobs in the background. Never fails: if Redis is unreachable or too many jobs wait, the relay adds them later
   * (rules 7 and 11).
   */
  dispatch(jobs: JobRef[]): void;
  /** Adds the jobs now, except held ones, which are stored as held (rule 19). @throws if a store fails. */
  add(jobs: JobRef[]): Promise<void>;
  /** Adds admitted jobs. @throws if Redis fails. */
  addPlaced(jobs: PlacedJob[]): Promise<void>;
  /** Resolves when no jobs wait to be added. */
  drain(): Promise<void>;
}

/** Jobs added at once; Redis serves nothing else meanwhile, which takes some milliseconds. */
const CHUNK = 100;
const MAX_WAITING = 50_000;
const LOG_EVERY_MS = 5_000;

export interface DispatcherDeps {
  queues: Queues;
  /** See `deliveryJobId`. */
  epoch(): Promise<string>;
  placing: Admission;
  /** Stores these deliveries as held. */
  hold(jobs: HeldJob[]): Promise<void>;
  logger: Logger;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  let waiting: JobRef[] = [];
  let running: Promise<void> | undefined;
  const warn = everyNowAndThen((error: unknown, jobs: number) =>
    deps.logger.warn('jobs left to the relay', { jobs, error: messageOf(error) }),
  );

  const addPlaced = async (jobs: PlacedJob[]) => {
    const epoch = await deps.epoch();
    for (const [queue, group] of byQueue(jobs)) {
      for (let start = 0; start < group.length; start += CHUNK) {
        const chunk = group.slice(start, start + CHUNK);
        await Promise.all(chunk.map((job) => addJob(queueNamed(deps.queues, queue), epoch, job)));
      }
    }
  };

  const add = async (jobs: JobRef[]) => {
    const { go, held } = await deps.placing.place(jobs);
    await addPlaced(go);
    if (held.length > 0) await deps.hold(held);
  };

  const run = async () => {
    while (waiting.length > 0) {
      const jobs = waiting;
      waiting = [];
      await add(jobs).catch((error: unknown) => warn(error, jobs.length));
    }
    running = undefined;
  };

  return {
    dispatch(jobs) {
      if (jobs.length === 0) return;
      if (waiting.length + jobs.length > MAX_WAITING) {
        warn(new Error('too many jobs are waiting to be added'), jobs.length);
        return;
      }
      waiting.push(...jobs);
      running ??= run();
    },
    add,
    addPlaced,
    drain: () => running ?? Promise.resolve(),
  };
}

/**
 * Adds jobs one by one: `joinWrites` sends them in one write anyway, and a pipeline, as in `addBulk`, takes twice the
 * processor time for a single job (decision 0025).
 */
function addJob(queue: Queue, epoch: string, job: PlacedJob) {
  const data: DeliveryJob = { deliveryId: job.deliveryId, generation: job.generation };
  const opts: JobsOptions = { jobId: deliveryJobId(epoch, data) };
  if (job.priority > 0) opts.priority = job.priority;
  if (job.first) opts.lifo = true;
  return queue.add('delivery', data, opts);
}

function byQueue(jobs: PlacedJob[]): Map<DeliveryQueue, PlacedJob[]> {
  const groups = new Map<DeliveryQueue, PlacedJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.queue);
    if (group === undefined) groups.set(job.queue, [job]);
    else group.push(job);
  }
  return groups;
}

/** Returns a function that passes on at most one call per `LOG_EVERY_MS`. */
function everyNowAndThen<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  let quietUntil = 0;
  return (...args) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_EVERY_MS;
    call(...args);
  };
}
