import { slugOf } from '../../platform/text/slug.js';
import type { MergeAction, MergedActions } from './merge-actions.js';
import { type PartMaps, textOrEmpty, threeOf } from './merge-parts.js';
import type { ConflictBook } from './conflict-book.js';
import { type Side, viewed } from './three-way.js';

/**
 * Makes a conflict of each action to which the draft gave a name, while the live story gave that name to another one:
 * references would find both. The side of the live story takes the draft's name, or its new action, back.
 */
export function nameSharedNames(
  actions: PartMaps<MergeAction>,
  { all, decided }: MergedActions,
  book: ConflictBook,
): void {
  const named = namedByLive(actions, all);
  for (const [guid, action] of all) {
    if (!isNamedBy('draft', guid, actions, action)) continue;
    const name = slugOfAction(action);
    if (!named.has(name)) continue;
    const three = viewed(threeOf(actions, guid), ({ columns }) => columns.name);
    const because = `another action of the live story now has the name "${name}"`;
    const place = {
      kind: 'action',
      part: guid,
      action: textOrEmpty(action.columns.name),
      path: 'name',
    } as const;
    if (book.settle(place, three, because) === 'draft') continue;
    if (three.live === undefined) {
      all.delete(guid);
      decided.add(guid);
    } else all.set(guid, { ...action, columns: { ...action.columns, name: three.live } });
  }
}

/** Returns the names that only the live story gave to an action of the result. */
function namedByLive(actions: PartMaps<MergeAction>, all: MergedActions['all']): Set<string> {
  const named = [...all].filter(([guid, action]) => isNamedBy('live', guid, actions, action));
  return new Set(named.map(([, action]) => slugOfAction(action)).filter((name) => name !== ''));
}

/** Returns true if this action has its name on this side, and not on the other. */
function isNamedBy(side: Side, guid: string, actions: PartMaps<MergeAction>, action: MergeAction): boolean {
  const name = slugOfAction(action);
  const other = side === 'live' ? 'draft' : 'live';
  const has = (each: Side) => {
    const found = actions[each].get(guid);
    return found !== undefined && slugOfAction(found) === name;
  };
  return has(side) && !has(other);
}

/** Returns the name by which templates refer to the action. */
export function slugOfAction({ columns }: MergeAction): string {
  return slugOf(textOrEmpty(columns.name));
}
