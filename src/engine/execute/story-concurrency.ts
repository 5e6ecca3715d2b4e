import { createLinkedList, type LinkedList } from '../../platform/runtime/linked-list.js';
import { createSlotBounds } from './slot-bounds.js';
import { SlotPace } from './slot-pace.js';

/** When a job comes again that was handed back. */
const HAND_BACK_MS = 500;
/** Jobs of one tenant whose slots hardly come free come back so far apart; of several tenants further. */
const RETURN_EVERY_MS = 10;
const MOST_HAND_BACK_MS = 300_000;

/** Why a job is handed back: its story or tenant has all the slots that it may have in this worker (rule 19). */
export class NoSlot extends Error {
  /** When it should come again, in ms from now. */
  readonly afterMs: number;

  constructor(afterMs = HAND_BACK_MS) {
    super('The story or its tenant has all the slots it may have in this worker');
    this.name = 'NoSlot';
    this.afterMs = afterMs;
  }
}

/** Whom a slot counts for. */
export interface SlotShare {
  storyId: number;
  tenantId: number;
}

/** How many jobs of each story and tenant are under way in one worker (decision 0030). */
export interface StoryConcurrency {
  /** @throws NoSlot where `take` would refuse at once: nothing needs to be loaded for it. */
  check(share: SlotShare): void;
  /**
   * Gives what ends the use of the slot, as soon as there is one.
   * @throws NoSlot when it would be long until there is one: then the job stands in the way of others'.
   */
  take(share: SlotShare): Promise<() => void>;
}

/** What quick actions need to make room: they are not worth a way back through Redis. */
const WAIT_MS = 100;
/** How often a job looks again whether its turn is near. */
const MOST_WAITS = 5;
/** Its turn is near when it comes within so many waits, at the pace of the last one. */
const NEAR_WAITS = 2;
/** Slots of a worker for each that one story may have. */
const SLOTS_PER_STORY_SLOT = 2;

interface Holder {
  used: number;
  pace: SlotPace;
}

interface Tenant extends Holder {
  waiting: number;
  stories: number;
  /** When the last of its jobs that were handed back comes again. */
  returnsAt: number;
}

interface Story extends Holder {
  id: number;
  tenant: Tenant;
  /** In the order of their coming; each is given the slot of one that ends. */
  waiting: LinkedList<() => void>;
}

/** At most `most` of twice as many slots for one story, two thirds for one tenant: what is slow leaves room for others. */
export function createStoryConcurrency(most: number, waitMs = WAIT_MS): StoryConcurrency {
  const stories = new Map<number, Story>();
  const tenants = new Map<number, Tenant>();
  const bounds = createSlotBounds(SLOTS_PER_STORY_SLOT * most, most);
  const all = { used: 0, waiting: 0 };

  const tenantOf = (tenantId: number, now: number): Tenant => {
    const known = tenants.get(tenantId);
    if (known !== undefined) return known;
    const tenant = { used: 0, waiting: 0, stories: 0, returnsAt: 0, pace: new SlotPace(waitMs, now) };
    tenants.set(tenantId, tenant);
    return tenant;
  };

  const storyOf = ({ storyId, tenantId }: SlotShare, now: number): Story => {
    const known = stories.get(storyId);
    if (known !== undefined) return known;
    const tenant = tenantOf(tenantId, now);
    tenant.stories += 1;
    const pace = new SlotPace(waitMs, now);
    const story = { id: storyId, tenant, used: 0, pace, waiting: createLinkedList<() => void>() };
    stories.set(storyId, story);
    return story;
  };

  const mayTake = (used: number, tenant: Tenant): boolean =>
    bounds.storyMayTake(used, bounds.tenantRoom(tenant.used, all.used));

  /** Who is quick makes room at once; who is slow must not fill the worker with those that wait. */
  const mayWait = (story: Story | undefined, tenant: Tenant, now: number): boolean => {
    // A story without a slot waits for the others of its tenant.
    const holder = story === undefined || story.used === 0 ? tenant : story;
    if (holder.pace.isNew(now)) return true;
    if (holder.pace.standsStill(now)) return false;
    const recent = holder.pace.recent(now);
    const waiting = holder === tenant ? tenant.waiting : (story?.waiting.size ?? 0);
    if (waiting >= NEAR_WAITS * recent) return false;
    if (recent >= holder.used) return true;
    return bounds.tenantRoom(tenant.used + tenant.waiting, all.used + all.waiting) > 0;
  };

  /** Those of a slow story come back one after the other, at twice the pace at which they could be taken at least. */
  const refusal = (story: Story | undefined, tenant: Tenant, now: number): NoSlot => {
    const { used, pace } = story === undefined || story.used === 0 ? tenant : story;
    const recent = pace.recent(now);
    if (recent > 0 && recent >= used) return new NoSlot();
    const apartMs = Math.min(RETURN_EVERY_MS * tenants.size, waitMs / (NEAR_WAITS * recent));
    tenant.returnsAt = Math.max(now + HAND_BACK_MS, tenant.returnsAt + apartMs);
    return new NoSlot(Math.min(Math.round(tenant.returnsAt - now), MOST_HAND_BACK_MS));
  };

  const enter = (story: Story, now: number) => {
    story.used += 1;
    story.tenant.used += 1;
    all.used += 1;
    story.pace.took(now);
    story.tenant.pace.took(now);
  };

  const forget = (tenantId: number, story: Story) => {
    if (story.used > 0 || story.waiting.size > 0) return;
    stories.delete(story.id);
    story.tenant.stories -= 1;
    if (story.tenant.stories === 0) tenants.delete(tenantId);
  };

  const seatNext = (story: Story, now: number): void => {
    if (all.waiting === 0) return;
    const own = story.waiting.size > 0 && mayTake(story.used, story.tenant);
    const next = own ? story : otherToSeat();
    const [seat] = next?.waiting ?? [];
    if (next === undefined || seat === undefined) return;
    enter(next, now);
    seat();
  };

  /** The first that waits and may have one; it goes behind the others. */
  const otherToSeat = (): Story | undefined => {
    for (const story of stories.values()) {
      if (story.waiting.size === 0 || !mayTake(story.used, story.tenant)) continue;
      stories.delete(story.id);
      stories.set(story.id, story);
      return story;
    }
    return undefined;
  };

  const release = (tenantId: number, story: Story) => {
    const now = performance.now();
    story.used -= 1;
    story.tenant.used -= 1;
    all.used -= 1;
    story.pace.ended(now);
    story.tenant.pace.ended(now);
    seatNext(story, now);
    forget(tenantId, story);
  };

  const wait = async (story: Story): Promise<void> => {
    story.tenant.waiting += 1;
    all.waiting += 1;
    try {
      await waitFor(story, waitMs, () => refusal(story, story.tenant, performance.now()));
    } finally {
      story.tenant.waiting -= 1;
      all.waiting -= 1;
    }
  };

  return {
    check({ storyId, tenantId }) {
      const tenant = tenants.get(tenantId);
      if (tenant === undefined) return;
      const story = stories.get(storyId);
      if (mayTake(story?.used ?? 0, tenant)) return;
      const now = performance.now();
      if (!mayWait(story, tenant, now)) throw refusal(story, tenant, now);
    },
    async take(share) {
      const now = performance.now();
      const story = storyOf(share, now);
      const end = () => release(share.tenantId, story);
      if (mayTake(story.used, story.tenant)) {
        enter(story, now);
        return end;
      }
      try {
        if (!mayWait(story, story.tenant, now)) throw refusal(story, story.tenant, now);
        await wait(story);
        return end;
      } catch (error) {
        forget(share.tenantId, story);
        throw error;
      }
    },
  };
}

/** Resolves when a slot was handed over. */
function waitFor({ pace, waiting }: Story, waitMs: number, refusal: () => NoSlot): Promise<void> {
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

/** How many wait before this one. */
function placeOf<Waiter>(waiter: Waiter, waiting: Iterable<Waiter>): number {
  let place = 0;
  for (const other of waiting) {
    if (other === waiter) break;
    place += 1;
  }
  return place;
}
