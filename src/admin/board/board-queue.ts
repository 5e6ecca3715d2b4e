import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import { KEPT_JOBS_NOTE } from '../../engine/dispatch/kept-jobs.js';
import { asleepIdOf } from './asleep-job.js';
import { type AsleepState, MOST_COUNTED } from './asleep-store.js';
import type { BoardDeliveries } from './board-deliveries.js';
import { HISTORY_NOTE } from './board-history.js';
import { runPathOf } from './run-path.js';

type JobStatus = Parameters<BullMQAdapter['getJobs']>[0][number];

/** Under which status the board shows deliveries that have no job. */
const SHOWN_AS: Partial<Record<JobStatus, readonly AsleepState[]>> = {
  delayed: ['waiting', 'held'],
  'waiting-children': ['parked'],
};

export interface BoardQueueOptions {
  readOnlyMode: boolean;
  deliveries: BoardDeliveries;
}

/**
 * A queue as the board shows it: jobs have the names of their story and action, and deliveries that sleep, are held or are
 * parked in MySQL stand among the jobs.
 */
export class BoardQueue extends BullMQAdapter {
  readonly #queue: Queue;
  readonly #deliveries: BoardDeliveries;

  constructor(queue: Queue, { readOnlyMode, deliveries }: BoardQueueOptions) {
    super(queue, {
      readOnlyMode,
      description: `${KEPT_JOBS_NOTE} Delayed work is counted up to ${MOST_COUNTED}. ${HISTORY_NOTE}`,
      externalJobUrl: (job) => ({ displayText: 'Run', href: runPathOf(job) }),
    });
    this.#queue = queue;
    this.#deliveries = deliveries;
  }

  override async getJobCounts() {
    const counts = await super.getJobCounts();
    for (const [status, states] of Object.entries(SHOWN_AS)) {
      counts[status as JobStatus] =
        (counts[status as JobStatus] ?? 0) + (await this.#deliveries.count(this.#queue.name, states));
    }
    return counts;
  }

  override async getJobs(statuses: JobStatus[], start = 0, end = -1): Promise<Job[]> {
    const jobs = await super.getJobs(statuses, start, end);
    await this.#deliveries.name(jobs);
    const states = statuses.flatMap((status) => SHOWN_AS[status] ?? []);
    if (states.length === 0 || end < start) return jobs;
    return [...jobs, ...(await this.#asleep(statuses, states, { start, end, found: jobs.length }))];
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const asleep = asleepIdOf(id);
    if (asleep !== undefined) return this.#deliveries.find(this.#queue, asleep);
    const job = await super.getJob(id);
    if (job !== undefined) await this.#deliveries.name([job]);
    return job;
  }

  /** Pages of one status go on after its last job; a page of several shows the first of each. */
  async #asleep(
    [status, ...others]: JobStatus[],
    states: AsleepState[],
    { start, end, found }: { start: number; end: number; found: number },
  ): Promise<Job[]> {
    const size = end - start + 1;
    if (others.length > 0 || status === undefined) {
      return this.#deliveries.list(this.#queue, { states, offset: 0, limit: size });
    }
    const { [status]: jobs = 0 } = await super.getJobCounts();
    const page = { states, offset: Math.max(0, start - jobs), limit: size - found };
    return page.limit <= 0 ? [] : this.#deliveries.list(this.#queue, page);
  }
}
