import type { JsonValue } from '../../../platform/json.js';

/** An action, as far as people tell actions apart without guids. */
export interface NamedAction {
  type?: JsonValue | undefined;
  name?: JsonValue | undefined;
}

/**
 * Pairs what two lists of actions have left by type and name. If several have the same, they are paired in their order, but only
 * if both lists have as many of them: else nobody can tell which is which.
 */
export function pairByName<One extends NamedAction, Other extends NamedAction>(
  ones: readonly One[],
  others: readonly Other[],
): Map<One, Other> {
  const byName = groupedByName(others);
  const pairs = new Map<One, Other>();
  for (const [key, group] of groupedByName(ones)) {
    const same = byName.get(key) ?? [];
    if (same.length !== group.length) continue;
    for (const [index, other] of same.entries()) {
      const one = group[index];
      if (one !== undefined) pairs.set(one, other);
    }
  }
  return pairs;
}

function groupedByName<Action extends NamedAction>(actions: readonly Action[]): Map<string, Action[]> {
  const groups = new Map<string, Action[]>();
  for (const action of actions) {
    const key = JSON.stringify([action.type, action.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [action]);
    else group.push(action);
  }
  return groups;
}
