import { useSyncExternalStore } from 'react';

let marked: number | undefined;
const watchers = new Set<() => void>();

/** Marks the event with which the next chosen one is compared; undefined: none. */
export function chooseToCompare(id: number | undefined) {
  marked = id;
  for (const watcher of watchers) watcher();
}

/** Returns the id of the marked event. */
export function useToCompare(): number | undefined {
  return useSyncExternalStore(watch, () => marked);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
