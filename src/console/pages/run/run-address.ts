import { useLocation, useSearch } from 'wouter';

/** The parts of a run that are shown; they stand in the address. */
export interface Shown {
  view: 'timeline' | 'canvas';
  /** The key of a step; empty: that which failed, if one did; `none`: none. */
  step: string;
  /** Empty: the first one. */
  tab: string;
}

/** Returns what the address names, and changes it. */
export function useShown(): [Shown, (change: Partial<Shown>) => void] {
  const [place, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const shown: Shown = {
    view: given.get('view') === 'canvas' ? 'canvas' : 'timeline',
    step: given.get('step') ?? '',
    tab: given.get('tab') ?? '',
  };
  const change = (part: Partial<Shown>) => {
    const { view, step, tab } = { ...shown, ...part };
    const named = { view: view === 'timeline' ? '' : view, step, tab };
    const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== '')).toString();
    go(query === '' ? place : `${place}?${query}`, { replace: true });
  };
  return [shown, change];
}
