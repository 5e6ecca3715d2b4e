import type { JobJson } from 'bullmq';

/** What BullMQ's `moveToActive` gives: a job's data and id, or 0; ms of a rate limit; when the next delayed job is due. */
export type Fetched = [data: JobJson | 0, id?: string | 0, limitMs?: number, dueAt?: number];

/** Fetches one job, locked with this token. */
export type FetchOne = (token: string) => Promise<Fetched>;

/** A job that is fetched and locked, and that nobody has begun. */
export interface AheadJob {
  data: JobJson;
  id: string;
  token: string;
}

/** Jobs that are fetched with others, and given out one after the other. */
export interface JobsAhead {
  /** The next job; what there is to fetch is fetched together. To be called again when it is settled. */
  next(token: string, fetchOne: FetchOne): Promise<Fetched>;
  /** True while `next` has something to give without asking Redis. */
  hasNext(): boolean;
  /** The token that the job with this data is locked with, if it came from here. */
  tokenOf(data: JobJson): string | undefined;
  /** All jobs that are not given out yet; they are forgotten here. */
  takeAll(): AheadJob[];
  /** A job is given out, by `next` or otherwise. */
  begin(): void;
  /** It is over, or was none. */
  end(): void;
}

/** Of one fetch: a script takes Redis 0.05 ms, and others wait for it. */
const MOST_AT_ONCE = 32;

/**
 * Asks for as many jobs as came the last time until there were none, and one more, which says that there are none; never for
 * more than a worker may still have under way: one that is full gives out nothing, and nobody would renew the locks.
 * Where it asks for several, `beforeLast` is told when only the last question has not gone out.
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
    // An error is given once, not as often as there were questions: BullMQ waits after each.
    const end =
      answers.find(({ status }) => status === 'rejected') ?? answers.findLast((answer) => !isJob(answer));
    found += jobs.length;
    if (end) {
      // Nothing at all says nothing: so each look ends after the jobs of before.
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
