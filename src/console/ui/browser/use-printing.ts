import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Lines outside of the window that are drawn while the page is printed; paper does not scroll. */
export const PRINTED_LINES = 2_000;

/** Whether the page is being printed. What depends on it is drawn before the printer looks. */
export function usePrinting(): boolean {
  return useSyncExternalStore(watch, isPrinting);
}

const isPrinting = () => matchMedia('print').matches;

function watch(onChange: () => void): () => void {
  const printing = matchMedia('print');
  const draw = () => flushSync(onChange);
  printing.addEventListener('change', draw);
  return () => printing.removeEventListener('change', draw);
}
