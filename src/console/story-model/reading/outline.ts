import { kindOfLink, type LinkKind, type StoryDraft } from '../story-draft.js';

/** An action in the outline of a story. */
export interface OutlineRow {
  /** The key of the action. */
  key: string;
  /** The keys from the entry to this action: one action may stand in several places. */
  path: readonly string[];
  /** What the link above carries; undefined for an entry. */
  via: LinkKind | undefined;
  /** Its receivers stand elsewhere: at the first place where it was reached. */
  isRepeated: boolean;
  /** How many receivers it has. */
  count: number;
}

interface Pending extends Pick<OutlineRow, 'key' | 'path' | 'via'> {}

/**
 * Returns the actions of a story from its entries along its links, each with its receivers once. Entries come in the order of
 * the story; a circle that nothing leads into begins at its first action.
 */
export function outlineOf({ actions, links }: StoryDraft): OutlineRow[] {
  const receivers = new Map<string, { key: string; via: LinkKind }[]>();
  const reached = new Set<string>();
  for (const link of links.values()) {
    receivers.set(link.source, [
      ...(receivers.get(link.source) ?? []),
      { key: link.receiver, via: kindOfLink(link) },
    ]);
    if (link.source !== link.receiver) reached.add(link.receiver);
  }
  const rows: OutlineRow[] = [];
  const seen = new Set<string>();
  const walk = (start: string) => {
    const open: Pending[] = [{ key: start, path: [start], via: undefined }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const below = receivers.get(next.key) ?? [];
      const isRepeated = seen.has(next.key);
      rows.push({ ...next, isRepeated, count: below.length });
      if (isRepeated) continue;
      seen.add(next.key);
      const { path } = next;
      open.push(...below.map(({ key, via }): Pending => ({ key, via, path: [...path, key] })).toReversed());
    }
  };
  for (const key of actions.keys()) if (!reached.has(key)) walk(key);
  for (const key of actions.keys()) if (!seen.has(key)) walk(key);
  return rows;
}

/** Returns the rows that are shown when the branches below these places are folded. */
export function unfoldedRows(rows: readonly OutlineRow[], folded: ReadonlySet<string>): OutlineRow[] {
  return rows.filter(
    ({ path }) => !path.some((_, at) => at < path.length - 1 && folded.has(placeOf(path.slice(0, at + 1)))),
  );
}

/** Returns the name of a place in the outline. */
export const placeOf = (path: readonly string[]): string => path.join(' ');
