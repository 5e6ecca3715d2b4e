import { useEffect } from 'react';
import { isolated } from '../../text/isolated.js';

/** Names the page in the title of the window; a page beside a list names it until it is closed. */
export function useTitle(title: string) {
  useEffect(() => {
    const before = document.title;
    const own = `${isolated(title)} · Fabula`;
    document.title = own;
    return () => {
      if (document.title === own) document.title = before;
    };
  }, [title]);
}
