/** Memory for bodies whose senders are not authenticated yet. */
export interface BodyBudget {
  /** Reserves the bytes and returns true if they fit into the budget; otherwise returns false. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Creates a budget of `maxBytes` for one process. */
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
