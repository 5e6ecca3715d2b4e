import type { JobsOptions, Queue } from 'bullmq';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { type BackgroundAdding, createBackgroundAdding } from './background-adding.js';
import type { HeldJob, Admission, PlacedJob } from '../admission.js';
import { deliveryJobId } from '../jobs.js';
import type { DeliveryJob, JobRef } from '../../state/deliveries/delivery-job.js';
import type { DeliveryQueue } from '../../../agents/face.js';
import type { Queues } from '../queues.js';

/** Adds jobs for committed deliveries. */
export interface Dispatcher extends BackgroundAdding {
  /** Adds the jobs now, except held ones, which are stored as held (rule 19). @throws if a store fails. */
  add(jobs: JobRef[]): Promise<void>;
  /** Adds admitted jobs. @throws if Redis fails. */
  addPlaced(jobs: PlacedJob[]): Promise<void>;
  /**
   * Removes the failed jobs of dead letters that are none any more, in the background: the board counts failed jobs. Takes the
   * generations of the dead letters. Never fails: what Redis does not remove now goes with its age.
   */
  forgetFailed(letters: JobRef[]): void;
}

/** Jobs added at once; Redis serves nothing else meanwhile, which takes some milliseconds. */
const CHUNK = 100;
export interface DispatcherDeps {
  queues: Pick<Queues, 'of' | 'announce'>;
  /** See `deliveryJobId`. */
  epoch(): Promise<string>;
  admission: Admission;
  /** Stores these deliveries as held. */
  hold(jobs: HeldJob[]): Promise<void>;
  logger: Logger;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const addPlaced = async (jobs: PlacedJob[]) => {
    const epoch = await deps.epoch();
    await deps.queues.announce();
    for (const [queue, group] of byQueue(jobs)) {
      for (let start = 0; start < group.length; start += CHUNK) {
        const chunk = group.slice(start, start + CHUNK);
        await Promise.all(chunk.map((job) => addJob(deps.queues.of(queue, job.deliveryId), epoch, job)));
      }
    }
  };

  const add = async (jobs: JobRef[]) => {
    const { go, held } = await deps.admission.place(jobs);
    await addPlaced(go);
    if (held.length > 0) await deps.hold(held);
  };

  const removeFailed = async (letters: JobRef[]) => {
    const epoch = await deps.epoch();
    for (let start = 0; start < letters.length; start += CHUNK) {
      const chunk = letters.slice(start, start + CHUNK);
      // A job that is active cannot be removed; the others can.
      const results = await Promise.allSettled(
        chunk.map(({ queue, deliveryId, generation }) =>
          // Becoming a dead letter raised the generation by one.
          deps.queues
            .of(queue, deliveryId)
            .remove(deliveryJobId(epoch, { deliveryId, generation: generation - 1 })),
        ),
      );
      const refused = results.filter((result) => result.status === 'rejected');
      if (refused.length > 0) {
        const error = messageOf(refused[0]?.reason);
        deps.logger.debug('failed jobs were not removed', { jobs: refused.length, error });
      }
    }
  };

  return {
    ...createBackgroundAdding(add, deps.logger),
    add,
    addPlaced,
    forgetFailed(letters) {
      void removeFailed(letters).catch((error: unknown) =>
        deps.logger.debug('failed jobs were not removed', { jobs: letters.length, error: messageOf(error) }),
      );
    },
  };
}

/**
 * Adds jobs one by one: `joinWrites` sends them in one write anyway, and a pipeline, as in `addBulk`, takes twice the
 * processor time for a single job (decision 0036).
 */
function addJob(queue: Queue, epoch: string, job: PlacedJob) {
  const data: DeliveryJob = { deliveryId: job.deliveryId, generation: job.generation };
  if (job.deaths !== undefined) data.deaths = job.deaths;
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
