import { createSlotLedger, type SlotShare, type SlotStory, type SlotTenant } from './slot-ledger.js';

/** Slots that a tenant may have per slot that it leaves free. */
const TENANT_PER_FREE = 3;
/** Slots that a story may have per slot that its tenant can still take, not counting one of those. */
const STORY_PER_FREE = 4;
/** One in so many slots is reserved for tenants without a slot; a worker with fewer reserves none. */
const KEPT_OF = 8;

/** Delay before a job that was handed back is tried again. */
const HAND_BACK_MS = 500;
/** Interval, per tenant in the worker, between returning jobs of a tenant whose slots are rarely released. */
const RETURN_EVERY_MS = 10;
const MOST_HAND_BACK_MS = 300_000;

/** The reason for handing back a job: its story or tenant has all the slots it may have in this worker (rule 19). */
export class NoSlot extends Error {
  /** Delay before the job should be tried again, in ms. */
  readonly afterMs: number;

  constructor(afterMs = HAND_BACK_MS) {
    super('The story or its tenant already uses all its slots in this worker');
    this.name = 'NoSlot';
    this.afterMs = afterMs;
  }
}

/** Limits the jobs of each story and tenant that run at once in one worker (decision 0030). */
export interface StoryConcurrency {
  /** @throws NoSlot if `take` would refuse at once, so that nothing is loaded in vain. */
  check(share: SlotShare): void;
  /**
   * Waits for a slot and returns the function that releases it.
   * @throws NoSlot if the wait would be long: the waiting job would block the jobs of others.
   */
  take(share: SlotShare): Promise<() => void>;
}

/** Time in which quick agents release a slot; waiting so long is cheaper than a way back through Redis. */
const WAIT_MS = 100;
/** Most periods of `WAIT_MS` that a job waits; after each it checks whether its slot is near. */
const MOST_WAITS = 5;
/** A slot is near if it comes within so many periods, at the rate of the last one. */
const NEAR_WAITS = 2;
/** Slots of a worker per slot that one story may have. */
const SLOTS_PER_STORY_SLOT = 2;

/** A story gets at most `most` of `2 * most` slots, a tenant two thirds, so that slow work leaves slots for others. */
export function createStoryConcurrency(most: number, waitMs = WAIT_MS): StoryConcurrency {
  const bounds = createSlotBounds(SLOTS_PER_STORY_SLOT * most, most);
  const ledger = createSlotLedger(waitMs);
  const { all } = ledger;

  const mayTake = (used: number, tenant: SlotTenant): boolean =>
    bounds.storyMayTake(used, bounds.tenantRoom(tenant.used, all.used));

  /** Returns true if the job may wait here. Quick agents free slots soon; waiting jobs of slow ones would fill the worker. */
  const mayWait = (story: SlotStory | undefined, tenant: SlotTenant, now: number): boolean => {
    // A story without a slot waits for slots of its tenant's other stories.
    const holder = story === undefined || story.used === 0 ? tenant : story;
    if (holder.pace.isNew(now)) return true;
    if (holder.pace.standsStill(now)) return false;
    const recent = holder.pace.recent(now);
    const waiting = holder === tenant ? tenant.waiting : (story?.waiting.size ?? 0);
    if (waiting >= NEAR_WAITS * recent) return false;
    if (recent >= holder.used) return true;
    return bounds.tenantRoom(tenant.used + tenant.waiting, all.used + all.waiting) > 0;
  };

  /** Jobs of a slow story return one after the other, at least at twice the rate at which its slots are released. */
  const refusal = (story: SlotStory | undefined, tenant: SlotTenant, now: number): NoSlot => {
    const { used, pace } = story === undefined || story.used === 0 ? tenant : story;
    const recent = pace.recent(now);
    if (recent > 0 && recent >= used) return new NoSlot();
    const apartMs = Math.min(RETURN_EVERY_MS * ledger.tenants(), waitMs / (NEAR_WAITS * recent));
    tenant.returnsAt = Math.max(now + HAND_BACK_MS, tenant.returnsAt + apartMs);
    return new NoSlot(Math.min(Math.round(tenant.returnsAt - now), MOST_HAND_BACK_MS));
  };

  const seatNext = (story: SlotStory, now: number): void => {
    if (all.waiting === 0) return;
    const own = story.waiting.size > 0 && mayTake(story.used, story.tenant);
    const next = own ? story : ledger.nextWaiting((other) => mayTake(other.used, other.tenant));
    const [seat] = next?.waiting ?? [];
    if (next === undefined || seat === undefined) return;
    ledger.enter(next, now);
    seat();
  };

  const release = (tenantId: number, story: SlotStory) => {
    const now = performance.now();
    ledger.leave(story, now);
    seatNext(story, now);
    ledger.forget(tenantId, story);
  };

  const wait = async (story: SlotStory): Promise<void> => {
    const end = ledger.wait(story);
    try {
      await waitFor(story, waitMs, () => refusal(story, story.tenant, performance.now()));
    } finally {
      end();
    }
  };

  return {
    check({ storyId, tenantId }) {
      const tenant = ledger.tenant(tenantId);
      if (tenant === undefined) return;
      const story = ledger.story(storyId);
      if (mayTake(story?.used ?? 0, tenant)) return;
      const now = performance.now();
      if (!mayWait(story, tenant, now)) throw refusal(story, tenant, now);
    },
    async take(share) {
      const now = performance.now();
      const story = ledger.storyOf(share, now);
      const end = () => release(share.tenantId, story);
      if (mayTake(story.used, story.tenant)) {
        ledger.enter(story, now);
        return end;
      }
      try {
        if (!mayWait(story, story.tenant, now)) throw refusal(story, story.tenant, now);
        await wait(story);
        return end;
      } catch (error) {
        ledger.forget(share.tenantId, story);
        throw error;
      }
    },
  };
}

/** Resolves when a slot was handed over; rejects with `refusal()` if none is near. */
function waitFor({ pace, waiting }: SlotStory, waitMs: number, refusal: () => NoSlot): Promise<void> {
  return new Promise((resolve, reject) => {
    let waits = 0;
    let endedBefore = pace.total();
    const take = () => {
      clearInterval(timer);
      leave();
      resolve();
    };
    const timer = setInterval(() => {
      waits += 1;
      const ended = pace.total() - endedBefore;
      endedBefore = pace.total();
      if (waits < MOST_WAITS && placeOf(take, waiting) < NEAR_WAITS * ended) return;
      clearInterval(timer);
      leave();
      reject(refusal());
    }, waitMs);
    const leave = waiting.enter(take);
  });
}

/** Returns how many wait before this one. */
function placeOf<Waiter>(waiter: Waiter, waiting: Iterable<Waiter>): number {
  let place = 0;
  for (const other of waiting) {
    if (other === waiter) break;
    place += 1;
  }
  return place;
}

/** The slots of one worker. */
interface SlotBounds {
  /**
   * Returns how many more slots a tenant with `tenantUsed` of them may take, while `used` are taken in all. The more are
   * taken, the fewer, so that later tenants find free ones; a tenant alone gets about two thirds (decision 0030).
   */
  tenantRoom(tenantUsed: number, used: number): number;
  /** Returns true if a story with `storyUsed` slots may take one more; `room`: slots its tenant may still take. */
  storyMayTake(storyUsed: number, room: number): boolean;
}

/** @param most slots of one story. */
function createSlotBounds(slots: number, most: number): SlotBounds {
  const kept = Math.floor(slots / KEPT_OF);
  const keptInTenant = kept > 0 ? 1 : 0;
  return {
    tenantRoom(tenantUsed, used) {
      const free = slots - kept - used;
      const room = Math.floor((TENANT_PER_FREE * free - tenantUsed) / (TENANT_PER_FREE + 1));
      return Math.max(room, tenantUsed === 0 && used < slots ? 1 : 0);
    },
    storyMayTake(storyUsed, room) {
      if (room < 1) return false;
      if (storyUsed === 0) return true;
      return storyUsed < most && storyUsed + 1 <= STORY_PER_FREE * (room - keptInTenant);
    },
  };
}
