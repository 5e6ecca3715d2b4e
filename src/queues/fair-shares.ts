import type { DeliveryQueue } from './jobs.js';

/** Jobs in one queue, of a story and of all stories of a tenant. */
export interface ShareBounds {
  /** Up to these, jobs go ahead as they come. */
  free: { story: number; tenant: number };
  /** Beyond these, deliveries wait in MySQL: Redis holds a bounded number of jobs, however long the backlog. */
  most: { story: number; tenant: number };
}

const BOUNDS: ShareBounds = { free: { story: 100, tenant: 400 }, most: { story: 10_000, tenant: 40_000 } };
/** The later a job comes in its story's own backlog, the later it is taken; BullMQ's highest priority number is 2^21. */
const JOBS_PER_CLASS = 100;

/** How a job goes into its queue: 0 at once, higher numbers after lower ones; undefined: not yet. */
export type Place = number | undefined;

/** Whose jobs are counted. */
export interface Share {
  queue: DeliveryQueue;
  storyId: number;
  tenantId: number;
}

/** What waits in the queues, by story: as counted in the database some time ago. */
export type Backlog = readonly (Share & { jobs: number })[];

/**
 * Who may go ahead (rule 19): a story, or all stories of a tenant, with few jobs in a queue pass at once; a longer
 * backlog passes after those, its later jobs after its earlier ones, and what is beyond the bound waits in MySQL. The
 * counts are those of the last look plus what this process has added since.
 */
export interface FairShares {
  /** Where the next job of this share goes; it counts from now on unless it is held. */
  place(share: Share): Place;
  /** Whether enough was asked for since the last look that another one is worth its query. */
  isWorthACount(): boolean;
  /** What is really there, from now on. */
  recount(backlog: Backlog): void;
}

export function createFairShares({ free, most } = BOUNDS): FairShares {
  let counts = new Map<string, number>();
  let asked = 0;
  const countOf = (key: string) => counts.get(key) ?? 0;
  const add = (share: Share, jobs: number) => {
    for (const key of keysOf(share)) counts.set(key, countOf(key) + jobs);
  };

  return {
    place(share) {
      asked += 1;
      const [story, tenant] = keysOf(share).map(countOf) as [number, number];
      if (story >= most.story || tenant >= most.tenant) return undefined;
      add(share, 1);
      const over = Math.max(story - free.story, tenant - free.tenant);
      return over < 0 ? 0 : 1 + Math.floor(over / JOBS_PER_CLASS);
    },
    isWorthACount: () => asked >= free.story / 2,
    recount(backlog) {
      counts = new Map();
      asked = 0;
      for (const { jobs, ...share } of backlog) add(share, jobs);
    },
  };
}

function keysOf({ queue, storyId, tenantId }: Share): [story: string, tenant: string] {
  return [`${queue}:s${storyId}`, `${queue}:t${tenantId}`];
}
