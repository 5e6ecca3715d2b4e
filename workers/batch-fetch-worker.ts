import {
  createRedisBackend,
  DelayedError,
  type Job,
  type JobJson,
  type Processor,
  WaitingError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { type AheadJob, createJobsAhead, type Fetched, type JobsAhead } from './job-prefetch.js';

/** Marker for waiting jobs; another marker holds the due time of the next delayed job. */
const BASE_MARKER = '0';

/**
 * A BullMQ worker that fetches several waiting jobs in one round trip to Redis (decision 0023). BullMQ itself fetches one
 * after the other, and starts none before it has fetched them all.
 */
export class BatchFetchWorker<Data, Result> extends Worker<Data, Result> {
  readonly #ahead: JobsAhead;
  readonly #redis: Redis;

  constructor(
    name: string,
    processor: Processor<Data, Result>,
    options: WorkerOptions & { concurrency: number; connection: Redis },
  ) {
    const ahead = createJobsAhead(options.concurrency, () => void this.#takeMarker());
    super(name, processor, options, (...given) => {
      const backend = createRedisBackend(...given);
      const fetchOne = backend.moveToActive.bind(backend);
      backend.moveToActive = (token, worker) =>
        ahead.next(token, async (own) => (await fetchOne(own, worker)) as Fetched);
      return backend;
    });
    this.#ahead = ahead;
    this.#redis = options.connection;
  }

  /** Only BullMQ's main loop calls this, never concurrently. */
  protected override async moveToActive(token: string, name?: string) {
    const job = await super.moveToActive(token, name);
    // A closing worker starts no more jobs: it returns the other prefetched jobs to the queue.
    if (this.closing) await Promise.all(this.#ahead.takeAll().map((each) => this.#putBack(each)));
    return job;
  }

  protected override async nextJobFromJobData(data?: JobJson, id?: string, token?: string) {
    if (!data) {
      // Another job's end found no next job. Treating that as an empty queue would make the worker wait with prefetched jobs.
      if (this.#ahead.hasNext()) return undefined as never;
      return super.nextJobFromJobData(data, id, token);
    }
    this.#ahead.begin();
    const job = await super.nextJobFromJobData(data, id, this.#ahead.tokenOf(data) ?? token);
    if (!job) this.#ahead.end();
    return job;
  }

  override async processJob(job: Job<Data, Result>, token: string, fetchNext?: () => boolean) {
    try {
      return await super.processJob(job, token, fetchNext);
    } finally {
      this.#ahead.end();
    }
  }

  /** After a job that was put back only the main loop fetches the next one; a second fetch must not run at the same time. */
  protected override async handleFailed(...given: Parameters<Worker<Data, Result>['handleFailed']>) {
    const [error, job, token, fetchNext, span] = given;
    const wasPutBack = error instanceof DelayedError || error instanceof WaitingError;
    return super.handleFailed(error, job, token, wasPutBack ? () => false : fetchNext, span);
  }

  /**
   * Each fetched job leaves a marker that there may be more. BullMQ's next blocking call would take it and find no job. The last
   * fetch of a burst checks for more jobs anyway, if the marker is removed before it. Both wait for `client` alone, so they keep
   * their order.
   */
  async #takeMarker(): Promise<void> {
    try {
      await this.backend.client;
      await this.#redis.zrem(this.toKey('marker'), BASE_MARKER);
    } catch (error) {
      // The marker then only causes one useless fetch, as it does without this method.
      this.emit('error', error as Error);
    }
  }

  async #putBack({ data, id, token }: AheadJob): Promise<void> {
    try {
      await this.createJob(data, id).moveToWait(token);
    } catch (error) {
      // Its lock expires, and BullMQ's scan for stalled jobs puts it back.
      this.emit('error', error as Error);
    }
  }
}
