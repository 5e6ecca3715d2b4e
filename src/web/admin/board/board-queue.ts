import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import {
  isDeliveryJob,
  KEPT_JOBS_NOTE,
  notePause,
  noteResume,
  partName,
  type QueuePart,
} from '../../../engine/face.js';
import { asleepIdOf } from './asleep-job.js';
import { type AsleepState, MOST_COUNTED_ASLEEP } from './asleep-store.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { BoardDeliveries } from './board-deliveries.js';
import { HISTORY_NOTE } from './board-history.js';
import { boardOperator } from './board-operator.js';
import { fromBoard, RUNS_PATH } from '../admin-paths.js';

const RUNS_FROM_BOARD = fromBoard(RUNS_PATH);
const RUN_GUID = /^[0-9a-f-]{36}$/;

type JobStatus = Parameters<BullMQAdapter['getJobs']>[0][number];

/** Under which status the board shows deliveries that have no job. */
const SHOWN_AS: Partial<Record<JobStatus, readonly AsleepState[]>> = {
  delayed: ['waiting', 'held'],
  'waiting-children': ['parked'],
};

const WHOLE_QUEUE_NOTE = `Delayed work is counted up to ${MOST_COUNTED_ASLEEP}. ${HISTORY_NOTE}`;
const OTHER_PART_NOTE = 'Delayed work and the charts of days are those of';

export interface BoardQueueOptions {
  part: QueuePart;
  readOnlyMode: boolean;
  deliveries: BoardDeliveries;
  redis: Pick<RedisClient, 'set' | 'del'>;
}

/**
 * A part of a queue as the board shows it: jobs have the names of their story and action, and deliveries that sleep, are held or are
 * parked in MySQL stand among the jobs. They have no part yet, and stand in the first one.
 */
export class BoardQueue extends BullMQAdapter {
  readonly #queue: Queue;
  readonly #deliveries: BoardDeliveries;
  readonly #shownAs: typeof SHOWN_AS;
  readonly #redis: BoardQueueOptions['redis'];

  constructor(queue: Queue, { part, readOnlyMode, deliveries, redis }: BoardQueueOptions) {
    const isFirst = part.part === 1;
    super(queue, {
      readOnlyMode,
      displayName: isFirst ? partName(part) : `${part.queue} ${part.part}`,
      description: `${KEPT_JOBS_NOTE} ${isFirst ? WHOLE_QUEUE_NOTE : `${OTHER_PART_NOTE} "${part.queue}".`}`,
      externalJobUrl: (job) => ({ displayText: 'Run', href: runPathOf(job) }),
    });
    this.#queue = queue;
    this.#deliveries = deliveries;
    this.#redis = redis;
    this.#shownAs = isFirst ? SHOWN_AS : {};
  }

  /** Notes since when and by whom, for the status; a queue that is paused already keeps its note. */
  override async pause(): Promise<void> {
    const isNew = !(await this.#queue.isPaused());
    await super.pause();
    if (isNew) await notePause(this.#queue, this.#redis, boardOperator());
  }

  override async resume(): Promise<void> {
    await super.resume();
    await noteResume(this.#queue, this.#redis);
  }

  override async getJobCounts() {
    const counts = await super.getJobCounts();
    for (const [status, states] of Object.entries(this.#shownAs)) {
      counts[status as JobStatus] =
        (counts[status as JobStatus] ?? 0) + (await this.#deliveries.count(this.#queue.name, states));
    }
    return counts;
  }

  override async getJobs(statuses: JobStatus[], start = 0, end = -1): Promise<Job[]> {
    const jobs = await super.getJobs(statuses, start, end);
    await this.#deliveries.name(jobs);
    const states = statuses.flatMap((status) => this.#shownAs[status] ?? []);
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

/**
 * Returns the path of the page about a job's run; the board's own for a job that was added by hand. It is relative to the
 * base of the board's page, so that it keeps the prefix of a proxy.
 */
function runPathOf({ data, returnvalue }: Pick<Job, 'data' | 'returnvalue'>): string {
  // A spooled run names its guid, and so does the result of every delivery that is done.
  const guid: unknown = returnvalue?.storyRunGuid ?? data?.guid;
  if (typeof guid === 'string' && RUN_GUID.test(guid)) return `${RUNS_FROM_BOARD}/${guid}`;
  return isDeliveryJob(data) ? `${RUNS_FROM_BOARD}?delivery=${data.deliveryId}` : './';
}
