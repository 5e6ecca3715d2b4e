import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../../ui/browser/remembered.js';

const KEY = 'fabula.stars';
/** Both the address and this browser have their limits. */
const MOST = 200;
const watchers = new Set<() => void>();
let text = remembered(KEY) ?? '';
let stars = idsIn(text);

/** Returns the ids of the stories that have a star in this browser. The API keeps no favourites. */
export function useStars(): ReadonlySet<number> {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => stars,
  );
}

/** Gives a story a star, or takes it away. */
export function toggleStar(id: number) {
  const next = stars.has(id) ? [...stars].filter((each) => each !== id) : [id, ...stars].slice(0, MOST);
  text = next.join(',');
  stars = new Set(next);
  remember(KEY, text);
  for (const watcher of watchers) watcher();
}

function idsIn(list: string): ReadonlySet<number> {
  return new Set(
    list
      .split(',')
      .map(Number)
      .filter((id) => Number.isInteger(id) && id > 0),
  );
}
