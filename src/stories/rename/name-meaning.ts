import type { ExportLink } from '../export/export-form.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import type { Renaming } from '../../language/face.js';

/** The actions of a document as far as names matter: their types and slugs, and the links between their places. */
export interface NamedActions {
  types: readonly string[];
  slugs: readonly string[];
  links: readonly Pick<ExportLink, 'source' | 'receiver'>[];
}

/**
 * Returns for each action with this slug the actions that see its output under the slug. Behind another action with the
 * slug they see that one's: the latest output wins (spec §5.1). The options of a webhook see its own event (spec §4.5).
 */
function reachOf(slug: string, { types, slugs, links }: NamedActions): Map<number, Set<number>> {
  const receivers = new Map<number, number[]>();
  for (const { source, receiver } of links) {
    const known = receivers.get(source);
    if (known === undefined) receivers.set(source, [receiver]);
    else known.push(receiver);
  }
  const reach = new Map<number, Set<number>>();
  for (const [start, own] of slugs.entries()) {
    if (own !== slug) continue;
    const seen = new Set(types[start] === WEBHOOK_TYPE ? [start] : []);
    const pending = [start];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const receiver of receivers.get(at) ?? []) {
        if (seen.has(receiver)) continue;
        seen.add(receiver);
        if (slugs[receiver] !== slug) pending.push(receiver);
      }
    }
    reach.set(start, seen);
  }
  return reach;
}

/** What the two names mean in the options of one action. */
export interface Meaning {
  /** What the old slug refers to there. `nothing`: no action with the slug leads there. */
  old: 'this' | 'this or others' | 'others' | 'nothing';
  /** Whether the new slug refers to the renamed action there, afterwards, and to others. */
  new: { this: boolean; others: boolean };
}

/** Returns a function for the meaning of the slugs in an action's options. */
export function meanings(
  story: NamedActions,
  index: number,
  { from, to }: Renaming,
): (at: number) => Meaning {
  const before = reachOf(from, story);
  const after = reachOf(to, { ...story, slugs: story.slugs.with(index, to) });
  const byOthers = (reach: typeof before, at: number) =>
    [...reach].some(([source, seen]) => source !== index && seen.has(at));
  return (at) => {
    const [isThis, isOthers] = [before.get(index)?.has(at) === true, byOthers(before, at)];
    return {
      old: isThis ? (isOthers ? 'this or others' : 'this') : isOthers ? 'others' : 'nothing',
      new: { this: after.get(index)?.has(at) === true, others: byOthers(after, at) },
    };
  };
}
