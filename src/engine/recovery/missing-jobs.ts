import type { Database } from '../../platform/mysql/database.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { JobLookup } from '../dispatch/adding/job-lookup.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import { type DueDelivery, nextGeneration, postpone, setAside } from './relay-store.js';

/** Successive jobs without an outcome after which a delivery counts as poison (rule 9). */
const MAX_LOSSES = 10;

export interface MissingJobsDeps {
  database: Pick<Database, 'transaction'>;
  dispatcher: Pick<Dispatcher, 'add'>;
  lookup: JobLookup;
  /** Called with the number of jobs that were added; absent: they are not counted. */
  onRequeued?: ((count: number) => void) | undefined;
}

/**
 * Gives a job of the next generation to each of these deliveries that has none; returns their number. With `keepLive` the
 * others are left as they are; without it their next look comes later.
 */
export async function addMissingJobs(
  due: DueDelivery[],
  deps: MissingJobsDeps,
  options = { keepLive: false },
): Promise<number> {
  const presence = await deps.lookup.find(due.filter((row) => row.state === 'pending').map(toJob));
  const resting = due.filter((row) => presence.get(row.id) === 'resting');
  const live = due.filter((row) => presence.get(row.id) === 'live' || resting.includes(row));
  const lost = due.filter((row) => presence.get(row.id) === 'finished');
  const poison = lost.filter((row) => row.losses + 1 >= MAX_LOSSES);
  const homeless = due.filter((row) => !live.includes(row) && !poison.includes(row));
  const requeued = await deps.database.transaction(async (session) => {
    if (!options.keepLive) await postpone(session, live);
    if (poison.length > 0) await setAside(session, poison);
    if (homeless.length === 0) return [];
    const moved = await nextGeneration(session, homeless, new Set(lost.map((row) => row.id)));
    return homeless.filter((row) => moved.has(row.id));
  });
  if (!options.keepLive) await deps.lookup.wake(resting.map(toJob));
  await deps.dispatcher.add(requeued.map(nextJob));
  deps.onRequeued?.(requeued.length);
  return requeued.length;
}

/** Returns the job of a delivery whose generation was raised. */
export function nextJob(row: DueDelivery): JobRef {
  return { ...toJob(row), generation: row.generation + 1 };
}

function toJob(row: DueDelivery): JobRef {
  return { queue: row.queue, storyId: row.storyId, deliveryId: row.id, generation: row.generation };
}
