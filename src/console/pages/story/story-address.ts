import { useLocation, useSearch } from 'wouter';

/** The part of a story that is shown; it stands in the address. */
export interface Shown {
  draft: number | undefined;
  action: number | undefined;
  tab: string;
}

/** Returns what the address names, and changes it. */
export function useShown(storyId: number): [Shown, (change: Partial<Shown>) => void] {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const number = (name: string) => Number(given.get(name) ?? Number.NaN) || undefined;
  const shown = { draft: number('draft'), action: number('action'), tab: given.get('tab') ?? 'options' };
  const change = (part: Partial<Shown>) => {
    const next = { ...shown, ...part };
    const named = [
      ['draft', next.draft],
      ['action', next.action],
      ['tab', next.tab === 'options' ? undefined : next.tab],
    ].flatMap(([name, value]) => (value === undefined ? [] : [[String(name), String(value)]]));
    const query = new URLSearchParams(named).toString();
    go(`/stories/${storyId}${query === '' ? '' : `?${query}`}`, { replace: true });
  };
  return [shown, change];
}
