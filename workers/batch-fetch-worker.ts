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

/** Of jobs that may be taken at once; another one says when the next delayed job is due. */
const BASE_MARKER = '0';

/**
 * A BullMQ worker that fetches jobs that wait together, in one trip to Redis (decision 0023). BullMQ fetches one after the other, and
 * begins none before it has them all.
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

  /** Only BullMQ's main loop calls this, never twice at a time. */
  protected override async moveToActive(token: string, name?: string) {
    const job = await super.moveToActive(token, name);
    // It takes no more now: what came with this one is for others.
    if (this.closing) await Promise.all(this.#ahead.takeAll().map((each) => this.#putBack(each)));
    return job;
  }

  protected override async nextJobFromJobData(data?: JobJson, id?: string, token?: string) {
    if (!data) {
      // Another job has ended and found none; a worker that took that for the end would wait with jobs in its hands.
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

  /** After a job that was put back the main loop looks for the next one, so that nobody else does meanwhile. */
  protected override async handleFailed(...given: Parameters<Worker<Data, Result>['handleFailed']>) {
    const [error, job, token, fetchNext, span] = given;
    const wasPutBack = error instanceof DelayedError || error instanceof WaitingError;
    return super.handleFailed(error, job, token, wasPutBack ? () => false : fetchNext, span);
  }

  /**
   * Each job that is fetched leaves a marker, which says that there may be more. BullMQ's next blocking call would take it, to look and
   * find none. The last question says as much, where this goes out before it: each waits for `client` alone, so they keep their order.
   */
  async #takeMarker(): Promise<void> {
    try {
      await this.backend.client;
      await this.#redis.zrem(this.toKey('marker'), BASE_MARKER);
    } catch (error) {
      // Then it wakes somebody for nothing, as it does without this.
      this.emit('error', error as Error);
    }
  }

  async #putBack({ data, id, token }: AheadJob): Promise<void> {
    try {
      await this.createJob(data, id).moveToWait(token);
    } catch (error) {
      // Its lock runs out, and a scan puts it back.
      this.emit('error', error as Error);
    }
  }
}
