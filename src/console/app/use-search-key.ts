import { isOverPage } from '../keys/keymap.js';
import { useKeys } from '../keys/use-keys.js';

/**
 * On every page `/` leads to its search or first filter, unless the page says where else; without one, it opens the palette.
 */
export function useSearchKey(openPalette: () => void): void {
  useKeys('frame', {
    '/': ({ target }) => {
      if (isOverPage(target)) return;
      const field = document.querySelector<HTMLElement>('main search :is(input, select, button)');
      if (field === null) openPalette();
      else field.focus();
    },
  });
}
