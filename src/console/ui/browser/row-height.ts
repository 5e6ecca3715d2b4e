import { useSyncExternalStore } from 'react';
import { remember, remembered } from './remembered.js';

/** The height of a row of a table: 40 or 32 pixels. `public/theme.js` reads the choice before the first paint. */
export type RowHeight = 'roomy' | 'compact';

const KEY = 'fabula.rows';
const watchers = new Set<() => void>();

/** Chooses the height of rows, for this browser. */
export function chooseRowHeight(height: RowHeight) {
  remember(KEY, height);
  document.documentElement.dataset['rows'] = height;
  for (const watcher of watchers) watcher();
}

/** Returns the choice. */
export function useRowHeight(): RowHeight {
  return useSyncExternalStore(watch, chosen);
}

function chosen(): RowHeight {
  return remembered(KEY) === 'compact' ? 'compact' : 'roomy';
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
