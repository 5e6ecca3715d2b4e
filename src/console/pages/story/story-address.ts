import { useLocation, useSearch } from 'wouter';
import { numberIn } from '../../ui/browser/use-address.js';

/** The part of a story that is shown on its canvas; it stands in the address. */
export interface Shown {
  draft: number | undefined;
  action: number | undefined;
  tab: string;
  /** Actions whose branches below are folded. */
  folded: readonly number[];
  /** Whether what no test reaches is marked. */
  coverage: boolean;
}

/** The tabs of the page of a story; the keys 1 to 8 open them in this order. */
export const VIEWS = [
  'canvas',
  'runs',
  'failures',
  'tests',
  'versions',
  'webhook',
  'schedules',
  'settings',
] as const;
export type View = (typeof VIEWS)[number];

/** Whether a text names a tab. */
export const isView = (text: string | null): text is View => VIEWS.some((view) => view === text);

/** Returns the address of a tab of a story. */
export function viewPath(storyId: number, view: View, draft?: number): string {
  const named = { ...(view !== 'canvas' && { view }), ...(draft !== undefined && { draft: `${draft}` }) };
  const query = new URLSearchParams(named).toString();
  return `/stories/${storyId}${query === '' ? '' : `?${query}`}`;
}

/** Returns the address of an action on the canvas, with marks of what no test reaches. */
export function coveragePath(storyId: number, draft: number | undefined, action?: number): string {
  const query = action === undefined ? 'coverage=on' : `action=${action}&coverage=on`;
  return withQuery(viewPath(storyId, 'canvas', draft), query);
}

/** Returns the address of a test; undefined: of a new one. */
export function testPath(storyId: number, draft: number | undefined, name: string | undefined): string {
  const named = new URLSearchParams(name === undefined ? { new: 'test' } : { test: name });
  return withQuery(viewPath(storyId, 'tests', draft), named.toString());
}

/** Returns an address with a further query. */
export function withQuery(base: string, query: string): string {
  if (query === '') return base;
  return `${base}${base.includes('?') ? '&' : '?'}${query}`;
}

/** Returns the tab and the draft that the address names, and leads to others; a tab begins without filters. */
export function useView(storyId: number) {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const named = given.get('view');
  const view: View = isView(named) ? named : 'canvas';
  const draft = numberIn(given, 'draft');
  const show = (next: { view: string; draft?: number | undefined }) => {
    const chosen = Object.hasOwn(next, 'draft') ? next.draft : draft;
    go(viewPath(storyId, isView(next.view) ? next.view : 'canvas', chosen));
  };
  return [{ view, draft }, show] as const;
}

/** Returns what of the canvas the address names, and changes it. */
export function useShown(storyId: number): [Shown, (change: Partial<Shown>) => void] {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const shown: Shown = {
    draft: numberIn(given, 'draft'),
    action: numberIn(given, 'action'),
    tab: given.get('tab') ?? 'options',
    folded: (given.get('folded') ?? '').split('.').map(Number).filter(Number.isSafeInteger).filter(Boolean),
    coverage: given.get('coverage') === 'on',
  };
  const change = (part: Partial<Shown>) => {
    const next = { ...shown, ...part };
    const named = [
      ['draft', next.draft],
      ['action', next.action],
      ['tab', next.tab === 'options' ? undefined : next.tab],
      ['folded', next.folded.length === 0 ? undefined : next.folded.join('.')],
      ['coverage', next.coverage ? 'on' : undefined],
    ].flatMap(([name, value]) => (value === undefined ? [] : [[String(name), String(value)]]));
    const query = new URLSearchParams(named).toString();
    go(`/stories/${storyId}${query === '' ? '' : `?${query}`}`, { replace: true });
  };
  return [shown, change];
}
