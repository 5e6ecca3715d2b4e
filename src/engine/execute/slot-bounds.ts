/** A tenant may have so many slots for each that it leaves free. */
const TENANT_PER_FREE = 3;
/** A story may have so many slots for each that its tenant could still take, but for one. */
const STORY_PER_FREE = 4;
/** One of so many slots is for tenants that have none; a worker with fewer has none to keep. */
const KEPT_OF = 8;

/** The slots of one worker. */
export interface SlotBounds {
  /**
   * How many more slots a tenant may take that has `tenantUsed` of them, while `used` are taken in all. The more others have,
   * the less it may, so whoever comes later finds some; alone it may have about two thirds (decision 0030).
   */
  tenantRoom(tenantUsed: number, used: number): number;
  /** Whether a story that has `storyUsed` slots may take one more, where its tenant has room for so many more. */
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
