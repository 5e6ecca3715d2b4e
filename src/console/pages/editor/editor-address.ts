import { useLocation, useSearch } from 'wouter';
import type { FormatName } from '../../text/formats/text-format.js';

/** The ways to look at a story under edit. */
export type EditorView = 'canvas' | 'outline' | 'text';

const VIEWS: ReadonlySet<string | null> = new Set<EditorView>(['canvas', 'outline', 'text']);

/** What the address of the editor names. */
export interface EditorPlace {
  /** The draft; undefined: the live story. */
  draft: number | undefined;
  /** The guid of the chosen action. */
  action: string | undefined;
  view: EditorView | undefined;
  /** How the view of text is written. */
  format: FormatName | undefined;
  /** The sample: `run:GUID`, `event:ID` or `saved:NAME`. */
  sample: string | undefined;
}

/** Returns the address of the editor of a story. */
export function editorAddress(
  storyId: number,
  { draft, action, view, format, sample }: Partial<EditorPlace>,
): string {
  const named = Object.entries({ draft, action, view, format, sample }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(named).toString();
  return `/stories/${storyId}/edit${query === '' ? '' : `?${query}`}`;
}

/** Returns what the address names, and changes it. */
export function useEditorPlace(storyId: number): [EditorPlace, (change: Partial<EditorPlace>) => void] {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const view = given.get('view');
  const format = given.get('format');
  const place: EditorPlace = {
    draft: Number(given.get('draft') ?? Number.NaN) || undefined,
    action: given.get('action') ?? undefined,
    view: VIEWS.has(view) ? (view as EditorView) : undefined,
    format: format === 'json' || format === 'yaml' ? format : undefined,
    sample: given.get('sample') ?? undefined,
  };
  return [place, (change) => go(editorAddress(storyId, { ...place, ...change }), { replace: true })];
}
