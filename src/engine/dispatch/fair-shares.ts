import type { DeliveryQueue } from '../../agents/delivery-queues.js';

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
export type QueuedShares = readonly (Share & { jobs: number })[];

/** What a tenant has in a queue. */
interface TenantJobs {
  jobs: number;
  /** How many of its stories they belong to. */
  stories: number;
}

/**
 * Who may go ahead (rule 19): a story with few jobs in a queue passes at once; a longer backlog passes after those, its
 * later jobs after its earlier ones, and what is beyond the bound waits in MySQL. Tenants share by the same rule, each
 * with its stories in turns: a story that has little to do does not wait behind the flood of another one of its tenant.
 * The counts are those of the last look plus what this process has added since.
 */
export interface FairShares {
  /** Where the next job of this share goes; it counts from now on unless it is held. */
  place(share: Share): Place;
  /** Whether enough was asked for since the last look that another one is worth its query. */
  isWorthACount(): boolean;
  /** What is really there, from now on. */
  recount(backlog: QueuedShares): void;
}

export function createFairShares({ free, most } = BOUNDS): FairShares {
  let stories = new Map<string, { jobs: number }>();
  let tenants = new Map<string, TenantJobs>();
  let asked = 0;
  const sharesOf = ({ queue, storyId, tenantId }: Share) => ({
    story: kept(stories, `${queue}:${storyId}`, () => ({ jobs: 0 })),
    tenant: kept(tenants, `${queue}:${tenantId}`, () => ({ jobs: 0, stories: 0 })),
  });

  return {
    place(share) {
      asked += 1;
      const { story, tenant } = sharesOf(share);
      const ahead = story.jobs;
      const aheadInTenant = turnInTenant(ahead, tenant);
      if (ahead >= most.story || aheadInTenant >= most.tenant) return undefined;
      add({ story, tenant }, 1);
      const over = Math.max(ahead - free.story, aheadInTenant - free.tenant);
      return over < 0 ? 0 : 1 + Math.floor(over / JOBS_PER_CLASS);
    },
    isWorthACount: () => asked >= free.story / 2,
    recount(backlog) {
      stories = new Map();
      tenants = new Map();
      asked = 0;
      for (const { jobs, ...share } of backlog) add(sharesOf(share), jobs);
    },
  };
}

function add({ story, tenant }: { story: { jobs: number }; tenant: TenantJobs }, jobs: number): void {
  if (story.jobs === 0 && jobs > 0) tenant.stories += 1;
  story.jobs += jobs;
  tenant.jobs += jobs;
}

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** How many jobs of its tenant are before one that has `ahead` jobs of its story before it, were the stories to take turns. */
function turnInTenant(ahead: number, { jobs, stories }: TenantJobs): number {
  const takingTurns = stories + (ahead === 0 ? 1 : 0);
  return Math.min(jobs, takingTurns * (ahead + 1) - 1);
}
