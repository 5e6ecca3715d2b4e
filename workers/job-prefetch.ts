import type { JobJson } from 'bullmq';

/** The result of BullMQ's `moveToActive`: a job's data and id, or 0; ms of a rate limit; due time of the next delayed job. */
export type Fetched = [data: JobJson | 0, id?: string | 0, limitMs?: number, dueAt?: number];

/** Fetches one job, locked with this token. */
export type FetchOne = (token: string) => Promise<Fetched>;

/** A job that is fetched and locked, but not started. */
export interface AheadJob {
  data: JobJson;
  id: string;
  token: string;
}

/** Fetches several jobs at once, and returns them one by one. */
export interface JobsAhead {
  /** Returns the next job, and fetches a burst if there is none. Call it again only when it is settled. */
  next(token: string, fetchOne: FetchOne): Promise<Fetched>;
  /** Whether `next` can return a job without asking Redis. */
  hasNext(): boolean;
  /** The lock token of the job with this data, if it was fetched here. */
  tokenOf(data: JobJson): string | undefined;
  /** Removes and returns all jobs that `next` has not returned yet. */
  takeAll(): AheadJob[];
  /** Counts a job as running, whether `next` returned it or not. */
  begin(): void;
  /** Counts it as ended, or as never started. */
  end(): void;
}

/** Maximum jobs of one burst: each script blocks Redis for 0.05 ms. */
const MOST_AT_ONCE = 32;

/**
 * Prefetch size = jobs received in the last burst + 1 (the extra fetch detects the end), capped by the worker's free slots:
 * a full worker starts no job, and would not renew the locks of prefetched ones. For a burst of several fetches,
 * `beforeLast` runs just before the last one is sent.
 */
export function createJobsAhead(concurrency: number, beforeLast?: () => void): JobsAhead {
  const tokens = new WeakMap<JobJson, string>();
  let ahead: PromiseSettledResult<Fetched>[] = [];
  let underWay = 0;
  let expected = 1;
  let found = 0;

  const fetch = async (token: string, fetchOne: FetchOne): Promise<void> => {
    const ask = Math.max(1, Math.min(expected, MOST_AT_ONCE, concurrency - underWay));
    const answers = await Promise.allSettled(
      Array.from({ length: ask }, async (_, index) => {
        if (index > 0 && index === ask - 1) beforeLast?.();
        const own = index === 0 ? token : `${token}:${index}`;
        const answer = await fetchOne(own);
        if (answer[0]) tokens.set(answer[0], own);
        return answer;
      }),
    );
    const jobs = answers.filter(isJob);
    // An error is returned once, not once for each fetch, because BullMQ pauses after every error.
    const end =
      answers.find(({ status }) => status === 'rejected') ?? answers.findLast((answer) => !isJob(answer));
    found += jobs.length;
    if (end) {
      // A burst without a job changes nothing: it is only the end of the jobs before it.
      if (found > 0) expected = found + 1;
      found = 0;
    } else {
      expected = Math.max(expected, found + 1);
    }
    ahead = end ? [...jobs, end] : jobs;
  };

  return {
    async next(token, fetchOne) {
      if (ahead.length === 0) await fetch(token, fetchOne);
      const next = ahead.shift();
      if (next?.status === 'rejected') throw next.reason;
      return next?.value ?? [0];
    },
    hasNext: () => ahead.length > 0,
    tokenOf: (data) => tokens.get(data),
    takeAll() {
      const jobs = ahead
        .filter(isJob)
        .map(({ value: [data, id] }) => ({ data, id, token: tokens.get(data) ?? '' }));
      ahead = [];
      return jobs;
    },
    begin() {
      underWay += 1;
    },
    end() {
      underWay -= 1;
    },
  };
}

function isJob(
  answer: PromiseSettledResult<Fetched>,
): answer is PromiseFulfilledResult<[data: JobJson, id: string]> {
  return answer.status === 'fulfilled' && Boolean(answer.value[0]);
}
