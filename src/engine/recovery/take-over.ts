import type { Job, JobType } from 'bullmq';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import type { Database } from '../../platform/mysql/database.js';
import { isLockConflict } from '../../platform/mysql/db-errors.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import { processOf } from '../dispatch/figures/worker-names.js';
import { SPOOL_QUEUE } from '../dispatch/jobs.js';
import type { Queues } from '../dispatch/queues.js';
import { isDeliveryJob } from '../execute/run-delivery.js';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import { addMissingJobs, type MissingJobsDeps, nextJob } from './missing-jobs.js';
import { findPending, nextGeneration, placedLately } from './relay-store.js';

const BATCH = 500;
/** Jobs asked for at once; Redis serves nothing else meanwhile. */
const CHUNK = 100;
/** Active jobs of one part that are looked at, those first that have run for longest. */
const MOST_ACTIVE = 10_000;
/** Deliveries that were placed lately and are looked for; the relay looks for all. */
const MOST_PLACED = 20_000;

const ACTIVE: JobType[] = ['active'];

export interface TakeOverDeps extends MissingJobsDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  dispatcher: Pick<Dispatcher, 'add' | 'addPlaced'>;
  queues: Pick<Queues, 'at' | 'known'>;
}

/** How much work other processes got. */
export interface GivenOn {
  /** Jobs that the process had in hand. */
  jobs: number;
  /** Jobs that it had not yet added, or not for sure. */
  missing: number;
}

/** Gives on the work of a worker process that died or stands still. @throws if a store fails. */
export type TakeOver = (processId: string) => Promise<GivenOn>;

/**
 * Creates the function that gives the work of a process to the others: each delivery that it had in hand gets the next
 * generation and a new job, before all that wait. Whatever the process still does is dropped by the token, or is the success that
 * counts (rule 9). The old jobs stay active until their locks run out, and then end as `gone`. A job is also added for each young
 * delivery that has none: the process may have died between a COMMIT and the adding of its jobs.
 *
 * Jobs of the spool are left to their locks: they come in order, and only while MySQL is away. If this function fails halfway, the
 * next attempt, the locks and the relay repair the rest.
 */
export function createTakeOver(deps: TakeOverDeps): TakeOver {
  return async (processId) => {
    const inHand = await jobsInHand(processId, deps.queues);
    let jobs = 0;
    for (let start = 0; start < inHand.length; start += BATCH) {
      jobs += await giveOn(inHand.slice(start, start + BATCH), deps);
    }
    return { jobs, missing: await addMissing(deps) };
  };
}

/** Returns the jobs that this process runs, as their next jobs know them: with one more death. */
async function jobsInHand(processId: string, queues: TakeOverDeps['queues']): Promise<DeliveryJob[]> {
  const parts = (await queues.known()).filter(({ queue }) => queue !== SPOOL_QUEUE);
  const found: DeliveryJob[] = [];
  for (const part of parts) {
    const queue = queues.at(part);
    // The list moves while it is read by pages, so all ids come first.
    const ids = await queue.getRanges(ACTIVE, 0, MOST_ACTIVE - 1, true);
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK);
      const jobs: (Job | undefined)[] = await Promise.all(chunk.map((id) => queue.getJob(id)));
      found.push(...jobs.filter((job) => processOf(job?.processedBy) === processId).flatMap(withDeath));
    }
  }
  return found;
}

function withDeath(job: Job | undefined): DeliveryJob[] {
  const data: unknown = job?.data;
  if (job === undefined || !isDeliveryJob(data)) return [];
  return [{ ...data, deaths: job.stalledCounter + (data.deaths ?? 0) + 1 }];
}

/** Raises the generation of these deliveries, unless somebody was faster, and adds their jobs; returns their number. */
async function giveOn(jobs: DeliveryJob[], { database, dispatcher }: TakeOverDeps): Promise<number> {
  const known = new Map(jobs.map((job) => [job.deliveryId, job]));
  const raise = () =>
    database.transaction(async (session) => {
      const found = await findPending(session, [...known.keys()]);
      const current = found.filter(({ id, generation }) => known.get(id)?.generation === generation);
      if (current.length === 0) return [];
      const moved = await nextGeneration(session, current, new Set());
      return current.filter(({ id }) => moved.has(id));
    });
  // If MySQL is away, another process may reach it.
  const rows = await retryTransient(raise, isLockConflict);
  // They had their place (rule 19). BullMQ too gives a job whose worker died before all others.
  const place = { priority: 0, first: true };
  await dispatcher.addPlaced(
    rows.map((row) => ({ ...nextJob(row), ...place, deaths: known.get(row.id)?.deaths })),
  );
  return rows.length;
}

/** Adds a job for each delivery that should have had one for two seconds or more, and for half a minute at most, but has none. */
async function addMissing(deps: TakeOverDeps): Promise<number> {
  const rows = await deps.database.read((session) => placedLately(session, MOST_PLACED));
  let added = 0;
  for (let start = 0; start < rows.length; start += BATCH) {
    added += await addMissingJobs(rows.slice(start, start + BATCH), deps, { keepLive: true });
  }
  return added;
}
