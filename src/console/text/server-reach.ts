const watchers = new Set<() => void>();
let isAway = false;

/** Notes whether the server has answered a request. */
export function noteReach(isReached: boolean): void {
  if (isAway === !isReached) return;
  isAway = !isReached;
  for (const watcher of watchers) watcher();
}

/** Whether the server did not answer the last request that is known. */
export const isServerAway = () => isAway;

/** Calls `watcher` when the server stops to answer, or answers again. Returns the function that ends that. */
export function watchReach(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
