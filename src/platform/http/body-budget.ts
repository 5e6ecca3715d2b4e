/** Bytes of bodies that are held for senders who have not yet proved who they are. */
export interface BodyBudget {
  /** Whether there is room for so many more; then they are held. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** A budget of so many bytes, for one process. */
export function createBodyBudget(maxBytes: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > maxBytes) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
