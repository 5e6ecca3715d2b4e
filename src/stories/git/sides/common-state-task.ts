import { stringifyJson } from '../../../platform/json/exact-number.js';
import type { JsonObject } from '../../../platform/json.js';
import { asPublished } from '../../drafts/as-published.js';
import { storyOfSnapshot } from '../../versions/version-snapshot.js';

/** A draft that was made of files, its story, and what both had in common before; texts of snapshots. */
export interface CommonOrder {
  draft: string;
  live: string;
  base: string | null;
}

/**
 * Returns the content of the files as a state of the story, the text of a snapshot: the base of later merges. Pure; for a
 * thread if the texts are large.
 */
export function commonState({ draft, live, base }: CommonOrder): string {
  const { columns, extra, agents, links } = asPublished({
    draft: storyOfSnapshot(draft),
    live: storyOfSnapshot(live),
    base: base === null ? undefined : storyOfSnapshot(base),
  });
  return stringifyJson({
    story: rowOf({ columns, extra }),
    agents: agents.map(rowOf),
    links: links as unknown as JsonObject[],
  });
}

function rowOf(row: { columns: JsonObject; extra: JsonObject; id?: number }): JsonObject {
  const columns = Object.entries(row.columns).map(([key, value]) => [
    key,
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  return { id: row.id ?? 0, ...(Object.fromEntries(columns) as JsonObject), extra: row.extra };
}
