import { useSyncExternalStore } from 'react';
import { remember, remembered } from './remembered.js';

/** The colours: those of the system, or chosen. `public/theme.js` reads the choice before the first paint. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'fabula.theme';
const watchers = new Set<() => void>();
const system = matchMedia('(prefers-color-scheme: dark)');
const paper = matchMedia('print');

/** Chooses the colours, for this browser. */
export function chooseTheme(theme: Theme) {
  remember(KEY, theme);
  show();
}

system.addEventListener('change', show);
paper.addEventListener('change', show);

function show() {
  document.documentElement.dataset['theme'] = seen();
  for (const watcher of watchers) watcher();
}

/** Returns the choice. */
export function useTheme(): Theme {
  return useSyncExternalStore(watch, chosen);
}

/** Returns the colours that are seen. */
export function useColours(): 'light' | 'dark' {
  return useSyncExternalStore(watch, painted);
}

function chosen(): Theme {
  const theme = remembered(KEY);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function seen(): 'light' | 'dark' {
  if (paper.matches) return 'light';
  const theme = chosen();
  if (theme !== 'system') return theme;
  return system.matches ? 'dark' : 'light';
}

/** The colours of the document: the system's may have changed a moment before, and its event may be on the way. */
function painted(): 'light' | 'dark' {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
