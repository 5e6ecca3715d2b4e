import { type DayUsage, NOTHING_USED, sumOfUsage } from './quota.js';

/** Use counted in this process and not stored yet: one sum for each tenant, and one for each story. */
export interface UsageTally {
  add(tenantId: number, usage: Partial<DayUsage>): void;
  /** Like `add`, if only the story is known. */
  addOfStory(storyId: number, usage: Partial<DayUsage>): void;
  /** Returns the tenant's sum, without the sums of its stories. */
  of(tenantId: number): DayUsage;
  isEmpty(): boolean;
  /** Returns all sums by tenant and resets them. Drops sums of stories without a tenant. */
  take(tenantOf: (storyId: number) => Promise<number | undefined>): Promise<Map<number, DayUsage>>;
  /** Adds back sums that were taken but could not be stored. */
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
      // Iterate over a copy: stories added during the awaits can wait for the next time.
      for (const storyId of Array.from(ofStories.keys())) {
        const tenantId = await tenantOf(storyId);
        // Read the sum after the await: it may have grown meanwhile.
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
