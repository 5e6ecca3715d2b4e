import { createLinkedList, type LinkedList } from '../../../platform/runtime/linked-list.js';
import { SlotPace } from './slot-pace.js';

/** The story and tenant that a slot counts for. */
export interface SlotShare {
  storyId: number;
  tenantId: number;
}

interface Holder {
  used: number;
  pace: SlotPace;
}

/** The slots of a tenant in this worker. */
export interface SlotTenant extends Holder {
  waiting: number;
  stories: number;
  /** When the last of its jobs that were handed back is tried again. */
  returnsAt: number;
}

/** The slots of a story in this worker. */
export interface SlotStory extends Holder {
  id: number;
  tenant: SlotTenant;
  /** Callbacks in order of arrival; each gets the slot of a job that ends. */
  waiting: LinkedList<() => void>;
}

/** Counts the slots that stories and tenants use in one worker. Whether one may take more is not decided here. */
export interface SlotLedger {
  /** All slots that are used, and all jobs that wait for one. */
  readonly all: { readonly used: number; readonly waiting: number };
  /** The number of tenants with a slot or a waiting job. */
  tenants(): number;
  tenant(tenantId: number): SlotTenant | undefined;
  story(storyId: number): SlotStory | undefined;
  /** Returns the story; a new one has no slots. */
  storyOf(share: SlotShare, now: number): SlotStory;
  /** Counts a slot that the story takes. */
  enter(story: SlotStory, now: number): void;
  /** Counts a slot that the story releases. */
  leave(story: SlotStory, now: number): void;
  /** Counts a waiting job; call the returned function when it waits no more. */
  wait(story: SlotStory): () => void;
  /** Returns the first story with a waiting job that may take a slot, and moves it behind the other stories. */
  nextWaiting(mayTake: (story: SlotStory) => boolean): SlotStory | undefined;
  /** Removes a story without slots and waiting jobs, and its tenant after the last story. */
  forget(tenantId: number, story: SlotStory): void;
}

/** @param waitMs the period over which the pace of each story is measured. */
export function createSlotLedger(waitMs: number): SlotLedger {
  const stories = new Map<number, SlotStory>();
  const tenants = new Map<number, SlotTenant>();
  const all = { used: 0, waiting: 0 };

  const tenantOf = (tenantId: number, now: number): SlotTenant => {
    const known = tenants.get(tenantId);
    if (known !== undefined) return known;
    const tenant = { used: 0, waiting: 0, stories: 0, returnsAt: 0, pace: new SlotPace(waitMs, now) };
    tenants.set(tenantId, tenant);
    return tenant;
  };

  return {
    all,
    tenants: () => tenants.size,
    tenant: (tenantId) => tenants.get(tenantId),
    story: (storyId) => stories.get(storyId),
    storyOf({ storyId, tenantId }, now) {
      const known = stories.get(storyId);
      if (known !== undefined) return known;
      const tenant = tenantOf(tenantId, now);
      tenant.stories += 1;
      const pace = new SlotPace(waitMs, now);
      const story = { id: storyId, tenant, used: 0, pace, waiting: createLinkedList<() => void>() };
      stories.set(storyId, story);
      return story;
    },
    enter(story, now) {
      for (const holder of [story, story.tenant]) {
        holder.used += 1;
        holder.pace.took(now);
      }
      all.used += 1;
    },
    leave(story, now) {
      for (const holder of [story, story.tenant]) {
        holder.used -= 1;
        holder.pace.ended(now);
      }
      all.used -= 1;
    },
    wait({ tenant }) {
      tenant.waiting += 1;
      all.waiting += 1;
      return () => {
        tenant.waiting -= 1;
        all.waiting -= 1;
      };
    },
    nextWaiting(mayTake) {
      for (const story of stories.values()) {
        if (story.waiting.size === 0 || !mayTake(story)) continue;
        stories.delete(story.id);
        stories.set(story.id, story);
        return story;
      }
      return undefined;
    },
    forget(tenantId, story) {
      if (story.used > 0 || story.waiting.size > 0) return;
      stories.delete(story.id);
      story.tenant.stories -= 1;
      if (story.tenant.stories === 0) tenants.delete(tenantId);
    },
  };
}
