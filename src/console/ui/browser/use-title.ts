import { useEffect } from 'react';
import { isolated } from '../../text/isolated.js';

/** Names the page in the title of the window. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${isolated(title)} · Fabula`;
  }, [title]);
}
