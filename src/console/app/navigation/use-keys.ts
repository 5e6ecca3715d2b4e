import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../ui/form/is-typing.js';
import { NAMED_PAGES } from '../pages.js';

interface Doors {
  go: (path: string) => void;
  openPalette: () => void;
  openHelp: () => void;
}

/** How long the second key of a pair is waited for. */
const PAIR_MS = 1_200;

/** Listens to the keys that work on every page: Ctrl-K, `?`, and `g` with the key of a page. */
export function useKeys(doors: Doors) {
  const open = useEffectEvent((door: keyof Doors, path = '') => doors[door](path));
  useEffect(() => {
    let pairUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open('openPalette');
        return;
      }
      if (isTyping(event)) return;
      if (event.key === '?') open('openHelp');
      const page = NAMED_PAGES.find(({ inNavigation }) => inNavigation.key === event.key);
      if (Date.now() < pairUntil && page !== undefined) open('go', page.path);
      pairUntil = event.key === 'g' ? Date.now() + PAIR_MS : 0;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
