import { LRUCache } from 'lru-cache';
import type { QueuedShares, FairShares } from './fair-shares.js';
import type { JobRef } from '../state/delivery-job.js';

/** Between two looks at what waits, at least; looking takes a twentieth of the time, at most. */
const COUNT_EVERY_MS = 500;
const REST_PER_COUNT = 20;
const MAX_STORIES = 10_000;
/** Two held deliveries of one story are so far apart in the order of their turns. */
const TURN_MS = 1;

/** What decides where a story's jobs go. */
export interface StoryStanding {
  tenantId: number;
  /** Goes before all others (spec §3.7). */
  priority: boolean;
}

/** Of a story that is gone. */
const NO_STANDING: StoryStanding = { tenantId: 0, priority: false };

export interface AdmissionDeps {
  shares: FairShares;
  standingOf(storyId: number): Promise<StoryStanding | undefined>;
  /** The deliveries that have a job, by queue and story. */
  countJobs(): Promise<{ queue: JobRef['queue']; storyId: number; jobs: number }[]>;
}

/** A job on its way into its queue. */
export interface PlacedJob extends JobRef {
  /** 0 for none. */
  priority: number;
  /** Before all that wait. */
  first: boolean;
}

/** A delivery that waits in MySQL until the feeder takes it. */
export interface HeldJob extends JobRef {
  /** Its turn, in ms from now: an order among stories, no time. */
  turnMs: number;
}

/** Divides jobs into those that go and those that wait (rule 19). */
export interface Admission {
  place(jobs: JobRef[]): Promise<{ go: PlacedJob[]; held: HeldJob[] }>;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const turns = new LRUCache<number, number>({ max: MAX_STORIES });
  // On the clock of `performance.now()`, which nobody sets: a count that lies ahead would not be made again for minutes.
  let nextCountAt = Number.NEGATIVE_INFINITY;

  const recount = async () => {
    const beganAt = performance.now();
    if (!deps.shares.isWorthACount() || beganAt < nextCountAt) return;
    nextCountAt = beganAt + COUNT_EVERY_MS;
    const jobs = await deps.countJobs();
    const tookMs = performance.now() - beganAt;
    nextCountAt = beganAt + Math.max(COUNT_EVERY_MS, REST_PER_COUNT * tookMs);
    const standings = await standingsOf(jobs, deps);
    const backlog: QueuedShares = jobs.map((count) => ({
      ...count,
      tenantId: standings.get(count.storyId)?.tenantId ?? 0,
    }));
    deps.shares.recount(backlog);
  };

  /** A story that held nothing lately has its turn now, one with a long backlog after what it holds already. */
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
