/** Slots that a tenant may have per slot that it leaves free. */
const TENANT_PER_FREE = 3;
/** Slots that a story may have per slot that its tenant can still take, not counting one of those. */
const STORY_PER_FREE = 4;
/** One in so many slots is reserved for tenants without a slot; a worker with fewer reserves none. */
const KEPT_OF = 8;

/** The slots of one worker. */
export interface SlotBounds {
  /**
   * Returns how many more slots a tenant with `tenantUsed` of them may take, while `used` are taken in all. The more are
   * taken, the fewer, so that later tenants find free ones; a tenant alone gets about two thirds (decision 0030).
   */
  tenantRoom(tenantUsed: number, used: number): number;
  /** Returns true if a story with `storyUsed` slots may take one more; `room`: slots its tenant may still take. */
  storyMayTake(storyUsed: number, room: number): boolean;
}

/** @param most slots of one story. */
export function createSlotBounds(slots: number, most: number): SlotBounds {
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
