import { type DayUsage, NOTHING_USED, sumOfUsage } from './quota.js';

/** What was used in this process and is not stored yet: two sums for each tenant and story, however much comes. */
export interface UsageTally {
  add(tenantId: number, usage: Partial<DayUsage>): void;
  /** The same, where only the story is known. */
  addOfStory(storyId: number, usage: Partial<DayUsage>): void;
  /** Of the tenant; what was added for its stories is not in it. */
  of(tenantId: number): DayUsage;
  isEmpty(): boolean;
  /** All of it, by tenant; from here on it begins with nothing. What is of stories without a tenant is left out. */
  take(tenantOf: (storyId: number) => Promise<number | undefined>): Promise<Map<number, DayUsage>>;
  /** What was taken in vain. */
  giveBack(usage: ReadonlyMap<number, DayUsage>): void;
}

export function createUsageTally(): UsageTally {
  const ofTenants = new Map<number, DayUsage>();
  const ofStories = new Map<number, DayUsage>();
  return {
    add: (tenantId, usage) => add(ofTenants, tenantId, usage),
    addOfStory: (storyId, usage) => add(ofStories, storyId, usage),
    of: (tenantId) => ofTenants.get(tenantId) ?? NOTHING_USED,
    isEmpty: () => ofTenants.size + ofStories.size === 0,
    async take(tenantOf) {
      // Those of now: what comes while one is waited for may be left to the next time.
      for (const storyId of Array.from(ofStories.keys())) {
        const tenantId = await tenantOf(storyId);
        // Read after the wait: more may have come for it meanwhile.
        if (tenantId !== undefined) add(ofTenants, tenantId, ofStories.get(storyId) ?? NOTHING_USED);
        ofStories.delete(storyId);
      }
      const taken = new Map(ofTenants);
      ofTenants.clear();
      return taken;
    },
    giveBack(usage) {
      for (const [tenantId, part] of usage) add(ofTenants, tenantId, part);
    },
  };
}

function add(usages: Map<number, DayUsage>, id: number, usage: Partial<DayUsage>): void {
  usages.set(id, sumOfUsage(usages.get(id) ?? NOTHING_USED, usage));
}
