import type { Action } from '../../../../clients/typescript/api.js';

type Linked = Pick<Action, 'id' | 'sources' | 'receivers'>;

/** A branch that is drawn as one block. */
export interface Fold {
  /** The action below which it begins. */
  ownerId: number;
  hidden: ReadonlySet<number>;
}

/** Returns the actions below this one that no other way leads to. */
export function branchBelow(actions: readonly Linked[], ownerId: number): Set<number> {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const branch = reachedFrom(byId, ownerId);
  branch.delete(ownerId);
  const isOnlyHere = (id: number) =>
    (byId.get(id)?.sources ?? []).every((source) => source === ownerId || branch.has(source));
  // Removing an action may orphan its receivers, so repeat until nothing changes.
  for (let before = -1; before !== branch.size; ) {
    before = branch.size;
    for (const id of branch) if (!isOnlyHere(id)) branch.delete(id);
  }
  return branch;
}

/** Returns the branches that are folded; one inside another is part of it. */
export function foldsOf(actions: readonly Linked[], folded: readonly number[]): Fold[] {
  const folds = folded
    .map((ownerId): Fold => ({ ownerId, hidden: branchBelow(actions, ownerId) }))
    .filter(({ ownerId, hidden }) => hidden.size > 0 && actions.some(({ id }) => id === ownerId));
  return folds.filter(({ ownerId }) => !folds.some(({ hidden }) => hidden.has(ownerId)));
}

function reachedFrom(byId: ReadonlyMap<number, Linked>, start: number): Set<number> {
  const reached = new Set<number>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || !byId.has(id)) continue;
    reached.add(id);
    open.push(...(byId.get(id)?.receivers ?? []));
  }
  return reached;
}
