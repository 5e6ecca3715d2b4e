import { useSyncExternalStore } from 'react';

/** A list and a page have room beside each other. */
const WIDE = '(min-width: 1200px)';

/** Returns whether the window has room for a list and a page beside it. */
export const useIsWide = (): boolean => useSyncExternalStore(watch, () => matchMedia(WIDE).matches);

function watch(onChange: () => void) {
  const width = matchMedia(WIDE);
  width.addEventListener('change', onChange);
  return () => width.removeEventListener('change', onChange);
}
