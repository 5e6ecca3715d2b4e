import type { DeliveryQueue } from '../../agents/face.js';

/** Bounds on jobs in one queue, per story and per tenant. */
export interface ShareBounds {
  /** Up to these numbers jobs get no priority number, so they go first. */
  free: { story: number; tenant: number };
  /** Above these, deliveries are held in MySQL, so that Redis has a bounded number of jobs. */
  most: { story: number; tenant: number };
}

const BOUNDS: ShareBounds = { free: { story: 100, tenant: 400 }, most: { story: 10_000, tenant: 40_000 } };
/** Jobs of a backlog per priority number: later jobs get higher ones. BullMQ's highest is 2^21. */
const JOBS_PER_CLASS = 100;

/** Jobs that are remembered between two counts. */
const MOST_PLACED = 50_000;

/** A job that this process placed, and when, by `performance.now()`. */
interface Placed {
  share: Share;
  at: number;
}

/** A job's priority number: 0 goes first, lower numbers before higher ones; undefined: held. */
export type QueuePriority = number | undefined;

/** The queue, story and tenant that a job counts for. */
export interface Share {
  queue: DeliveryQueue;
  storyId: number;
  tenantId: number;
}

/** The jobs in the queues by story, as last counted in the database. */
export type QueuedShares = readonly (Share & { jobs: number })[];

/** A tenant's jobs in a queue. */
interface TenantJobs {
  jobs: number;
  /** Number of its stories with jobs. */
  stories: number;
}

/**
 * Orders jobs by fair shares (rule 19). Jobs of a story with few jobs in a queue go first; a longer backlog follows, its
 * earlier jobs before its later ones; jobs above the bound are held in MySQL. The same rule applies to tenants, whose
 * stories take turns, so that a small story does not wait behind a flood of its tenant. Counts are those of the last
 * recount plus the jobs that this process has added since.
 */
export interface FairShares {
  /** Returns the place of the next job of this share, and counts the job unless it is held. */
  place(share: Share): QueuePriority;
  /** Returns true if enough jobs were placed since the last recount to be worth the query. */
  isWorthACount(): boolean;
  /** Replaces all counts by those of the database, made `ageMs` ago; what was placed since then is added to them. */
  recount(backlog: QueuedShares, ageMs: number): void;
}

export function createFairShares({ free, most } = BOUNDS): FairShares {
  let stories = new Map<string, { jobs: number }>();
  let tenants = new Map<string, TenantJobs>();
  let asked = 0;
  let placed: Placed[] = [];
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
      if (placed.length < MOST_PLACED) placed.push({ share, at: performance.now() });
      const over = Math.max(ahead - free.story, aheadInTenant - free.tenant);
      return over < 0 ? 0 : 1 + Math.floor(over / JOBS_PER_CLASS);
    },
    isWorthACount: () => asked >= free.story / 2,
    recount(backlog, ageMs) {
      const countedAt = performance.now() - ageMs;
      placed = placed.filter(({ at }) => at > countedAt);
      stories = new Map();
      tenants = new Map();
      asked = 0;
      for (const { jobs, ...share } of backlog) add(sharesOf(share), jobs);
      for (const { share } of placed) add(sharesOf(share), 1);
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

/** Returns how many jobs of its tenant go before a job with `ahead` jobs of its story before it, if stories take turns. */
function turnInTenant(ahead: number, { jobs, stories }: TenantJobs): number {
  const takingTurns = stories + (ahead === 0 ? 1 : 0);
  return Math.min(jobs, takingTurns * (ahead + 1) - 1);
}
