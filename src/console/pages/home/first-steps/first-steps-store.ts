import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../../../ui/browser/remembered.js';

/** How far somebody new is, in this browser: `off` for all others, and once the steps are hidden. */
export type FirstSteps = 'off' | { storyId: number | undefined; hasSeen: boolean };

const KEY = 'fabula.first-steps';
const watchers = new Set<() => void>();
let text: string | null = remembered(KEY);
let steps = stepsIn(text);

/** Returns how far the person is; undefined until it is known whether somebody is new here. */
export function useFirstSteps(): FirstSteps | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => steps,
  );
}

/** The steps are shown from now on. */
export const beginFirstSteps = () => set('new');

/** The steps are not shown any more. */
export const hideFirstSteps = () => set('off');

/** A story was made: the first one is that of the steps. */
export function noteFirstStory(id: number) {
  if (steps !== undefined && steps !== 'off' && steps.storyId === undefined) set(`${id}`);
}

/** The story of the steps is gone: they begin again. */
export function forgetFirstStory() {
  if (steps !== undefined && steps !== 'off') set('new');
}

/** The response to a call of a story was shown. */
export function noteResponse(storyId: number) {
  if (steps !== undefined && steps !== 'off' && steps.storyId === storyId) set(`${storyId} seen`);
}

function set(next: string) {
  if (text === next) return;
  text = next;
  steps = stepsIn(next);
  remember(KEY, next);
  for (const watcher of watchers) watcher();
}

function stepsIn(kept: string | null): FirstSteps | undefined {
  if (kept === null) return undefined;
  if (kept === 'new') return { storyId: undefined, hasSeen: false };
  const [, id, seen] = /^([1-9]\d{0,15})( seen)?$/.exec(kept) ?? [];
  return id === undefined ? 'off' : { storyId: Number(id), hasSeen: seen !== undefined };
}
