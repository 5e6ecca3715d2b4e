import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../../ui/browser/remembered.js';

/** A list of runs under a name; its query is that of the address. */
export interface SavedView {
  name: string;
  query: string;
}

const KEY = 'fabula.runs.views';
const MOST = 20;
const watchers = new Set<() => void>();
let views = readViews(remembered(KEY));

/** Returns the saved views of this browser. */
export function useSavedViews(): readonly SavedView[] {
  return useSyncExternalStore(watch, () => views);
}

/** Saves a view; one of the same name is replaced, and the oldest beyond twenty goes. */
export function saveView(view: SavedView) {
  change([...views.filter(({ name }) => name !== view.name), view].slice(-MOST));
}

/** Removes the view of a name. */
export function removeView(name: string) {
  change(views.filter((view) => view.name !== name));
}

/** Returns the views that a stored text holds; none if it is not ours. */
function readViews(text: string | null): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(-MOST) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'string';
}

function change(next: readonly SavedView[]) {
  views = next;
  remember(KEY, JSON.stringify(views));
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
