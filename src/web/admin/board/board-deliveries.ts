import type { Job, Queue } from 'bullmq';
import type { Database } from '../../../platform/mysql/database.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { isDeliveryJob } from '../../../engine/face.js';
import { AsleepJob } from './asleep-job.js';
import { type AsleepState, countAsleep, listAsleep } from './asleep-store.js';
import { findOpenDeliveries } from './delivery-titles-store.js';
import { titleOf, titleOfDone } from './job-title.js';

/** The board shows the jobs without MySQL too, so it does not wait for it long. */
const PATIENCE_MS = 1_500;
/** All open pages of the board share one count. */
const COUNT_SHARED_MS = 2_000;

export interface BoardDeliveriesDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
}

export type BoardDeliveries = ReturnType<typeof createBoardDeliveries>;

/** Creates the board's view of deliveries in MySQL. While MySQL is away, jobs have no titles and nothing is asleep. */
export function createBoardDeliveries({ database, logger }: BoardDeliveriesDeps) {
  const read = async <T>(otherwise: T, work: Parameters<typeof database.read<T>>[0]): Promise<T> => {
    try {
      return await withTimeout(database.read(work), PATIENCE_MS);
    } catch (error) {
      logger.debug('the queue board shows jobs without their stories', { error: messageOf(error) });
      return otherwise;
    }
  };
  const counts = memoizeFor(COUNT_SHARED_MS, () => read([], countAsleep));

  return {
    /** Gives jobs the names of their stories and actions. */
    async name(jobs: Job[]): Promise<void> {
      const ids = jobs.flatMap(({ data }) => (isDeliveryJob(data) ? [data.deliveryId] : []));
      const open = await read([], (session) => findOpenDeliveries(session, ids));
      const titles = new Map(open.map((delivery) => [delivery.id, titleOf(delivery)]));
      for (const job of jobs) {
        const title = isDeliveryJob(job.data) ? titles.get(job.data.deliveryId) : undefined;
        job.name = titleOfDone(job.returnvalue) ?? title ?? job.name;
      }
    },

    /** Returns the number of a queue's deliveries without a job in these states; at most 10,000 of a state are counted. */
    async count(queue: string, states: readonly AsleepState[]): Promise<number> {
      const found = await counts();
      return found.reduce(
        (sum, row) => (row.queue === queue && states.includes(row.state) ? sum + row.count : sum),
        0,
      );
    },

    /** Returns a page of a queue's deliveries without a job, in these states one after the other. */
    async list(
      queue: Queue,
      { states, offset, limit }: { states: readonly AsleepState[]; offset: number; limit: number },
    ): Promise<AsleepJob[]> {
      const open = await read([], async (session) => {
        const ids: number[] = [];
        let before = 0;
        for (const state of states) {
          const skipped = Math.max(0, offset - before);
          const page = { queue: queue.name, state, offset: skipped, limit: limit - ids.length };
          ids.push(...(await listAsleep(session, page)));
          if (ids.length >= limit) break;
          before += await this.count(queue.name, [state]);
        }
        return findOpenDeliveries(session, ids);
      });
      return open.map((delivery) => new AsleepJob(queue, delivery));
    },

    /** Returns a delivery without a job; undefined if it went on. */
    async find(queue: Queue, id: number): Promise<AsleepJob | undefined> {
      const [delivery] = await read([], (session) => findOpenDeliveries(session, [id]));
      const isAsleep = delivery !== undefined && ['waiting', 'held', 'parked'].includes(delivery.state);
      return isAsleep && delivery.queue === queue.name ? new AsleepJob(queue, delivery) : undefined;
    },
  };
}
