import { useKeys } from '../../keys/use-keys.js';
import { NAMED_PAGES } from '../pages.js';

interface Doors {
  go: (path: string) => void;
  openPalette: () => void;
  openHelp: () => void;
}

/** Listens to the keys that work on every page: Ctrl-K, also in a field, `?`, and `g` with the key of a page. */
export function usePageKeys({ go, openPalette, openHelp }: Doors) {
  const pages = NAMED_PAGES.map(({ path, inNavigation: { key } }) => [`g ${key}`, () => go(path)]);
  useKeys('field', { 'Mod+k': openPalette });
  useKeys('page', { ...Object.fromEntries(pages), 'Mod+k': openPalette, '?': openHelp });
}
