import { useLocation, useSearch } from 'wouter';

/** The part of a story that is shown; it stands in the address. */
export interface Shown {
  draft: number | undefined;
  action: number | undefined;
  tab: string;
  /** Actions whose branches below are folded. */
  folded: readonly number[];
}

/** Returns what the address names, and changes it. */
export function useShown(storyId: number): [Shown, (change: Partial<Shown>) => void] {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const number = (name: string) => Number(given.get(name) ?? Number.NaN) || undefined;
  const shown: Shown = {
    draft: number('draft'),
    action: number('action'),
    tab: given.get('tab') ?? 'options',
    folded: (given.get('folded') ?? '').split('.').map(Number).filter(Number.isSafeInteger).filter(Boolean),
  };
  const change = (part: Partial<Shown>) => {
    const next = { ...shown, ...part };
    const named = [
      ['draft', next.draft],
      ['action', next.action],
      ['tab', next.tab === 'options' ? undefined : next.tab],
      ['folded', next.folded.length === 0 ? undefined : next.folded.join('.')],
    ].flatMap(([name, value]) => (value === undefined ? [] : [[String(name), String(value)]]));
    const query = new URLSearchParams(named).toString();
    go(`/stories/${storyId}${query === '' ? '' : `?${query}`}`, { replace: true });
  };
  return [shown, change];
}
