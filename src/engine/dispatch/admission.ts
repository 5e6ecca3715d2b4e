import { LRUCache } from 'lru-cache';
import type { QueuedShares, FairShares } from './fair-shares.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import type { JobCounts } from './figures/shared-counts.js';

/** Shortest time between two counts of jobs; counting takes at most a twentieth of the time. */
const COUNT_EVERY_MS = 500;
const REST_PER_COUNT = 20;
const MAX_STORIES = 10_000;
/** Distance between the turns of two held deliveries of one story. */
const TURN_MS = 1;

/** Tenant and priority of a story, which decide where its jobs go. */
export interface StoryStanding {
  tenantId: number;
  /** Its jobs go before all others (spec §3.7). */
  priority: boolean;
}

/** The standing of a deleted story. */
const NO_STANDING: StoryStanding = { tenantId: 0, priority: false };

export interface AdmissionDeps {
  shares: FairShares;
  standingOf(storyId: number): Promise<StoryStanding | undefined>;
  /** Counts the deliveries that have a job, by queue and story; undefined: another process is counting now. */
  countJobs(): Promise<JobCounts | undefined>;
}

/** A job admitted to its queue. */
export interface PlacedJob extends JobRef {
  /** BullMQ's priority; 0: none. */
  priority: number;
  /** Goes before all waiting jobs. */
  first: boolean;
}

/** A delivery that waits in MySQL until the releaser of held jobs takes it. */
export interface HeldJob extends JobRef {
  /** Its turn in ms from now, used only to order deliveries of different stories. */
  turnMs: number;
}

/** Divides jobs into admitted and held ones (rule 19). */
export interface Admission {
  place(jobs: JobRef[]): Promise<{ go: PlacedJob[]; held: HeldJob[] }>;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const turns = new LRUCache<number, number>({ max: MAX_STORIES });
  // In ms of `performance.now()`: with the system clock set back, no count would be made for minutes.
  let nextCountAt = Number.NEGATIVE_INFINITY;

  const recount = async () => {
    const beganAt = performance.now();
    if (!deps.shares.isWorthACount() || beganAt < nextCountAt) return;
    nextCountAt = beganAt + COUNT_EVERY_MS;
    const counted = await deps.countJobs();
    if (counted === undefined) return;
    const tookMs = performance.now() - beganAt;
    nextCountAt = beganAt + Math.max(COUNT_EVERY_MS, REST_PER_COUNT * tookMs);
    const standings = await standingsOf(counted.counts, deps);
    const backlog: QueuedShares = counted.counts.map((count) => ({
      ...count,
      tenantId: standings.get(count.storyId)?.tenantId ?? 0,
    }));
    deps.shares.recount(backlog, counted.ageMs + performance.now() - beganAt - tookMs);
  };

  /** Returns a story's next turn: now without recent held deliveries, otherwise after the last one. */
  const nextTurn = (storyId: number): number => {
    const now = performance.now();
    const turn = Math.max(now, turns.get(storyId) ?? 0) + TURN_MS;
    turns.set(storyId, turn);
    return Math.round(turn - now);
  };

  return {
    async place(jobs) {
      await recount();
      const standings = await standingsOf(jobs, deps);
      const go: PlacedJob[] = [];
      const held: HeldJob[] = [];
      for (const { queue, storyId, deliveryId, generation } of jobs) {
        const { tenantId, priority: first } = standings.get(storyId) ?? NO_STANDING;
        const priority = deps.shares.place({ queue, storyId, tenantId });
        if (priority === undefined) {
          held.push({ queue, storyId, deliveryId, generation, turnMs: nextTurn(storyId) });
        } else {
          go.push({ queue, storyId, deliveryId, generation, priority: first ? 0 : priority, first });
        }
      }
      return { go, held };
    },
  };
}

async function standingsOf(
  jobs: { storyId: number }[],
  deps: AdmissionDeps,
): Promise<Map<number, StoryStanding>> {
  const standings = new Map<number, StoryStanding>();
  for (const storyId of new Set(jobs.map((job) => job.storyId))) {
    const standing = await deps.standingOf(storyId);
    if (standing !== undefined) standings.set(storyId, standing);
  }
  return standings;
}
