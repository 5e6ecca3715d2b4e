import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Lines outside of the window that are drawn while the page is printed; paper does not scroll. */
export const PRINTED_LINES = 2_000;

/** Whether the page is being printed. What depends on it is drawn before the printer looks. */
export function usePrinting(): boolean {
  return useSyncExternalStore(watch, isPrinting);
}

/** Between the events of a printer; a browser tells of it by these, or as the medium of the page. */
let isUnderWay = false;
const isPrinting = () => isUnderWay || matchMedia('print').matches;

function watch(onChange: () => void): () => void {
  const printing = matchMedia('print');
  const draw = () => flushSync(onChange);
  const tell = ({ type }: Event) => {
    isUnderWay = type === 'beforeprint';
    draw();
  };
  printing.addEventListener('change', draw);
  window.addEventListener('beforeprint', tell);
  window.addEventListener('afterprint', tell);
  return () => {
    printing.removeEventListener('change', draw);
    window.removeEventListener('beforeprint', tell);
    window.removeEventListener('afterprint', tell);
  };
}
