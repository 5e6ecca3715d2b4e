import type { JsonValue } from '../../../platform/json.js';
import { WEBHOOK_TYPE } from '../import-address.js';

/** An action, as far as people tell actions apart without guids. */
export interface NamedAction<Action> {
  action: Action;
  type?: JsonValue | undefined;
  name?: JsonValue | undefined;
  /** Of a webhook that says one. */
  path: string | undefined;
}

/**
 * Pairs what two lists of actions have left: webhooks by their paths, then all by type and name. If several have the same, they
 * are paired in their order, but only if both lists have as many of them, and no webhook of them says a path: else nobody
 * can tell which is which.
 */
export function pairByName<One, Other>(
  ones: readonly NamedAction<One>[],
  others: readonly NamedAction<Other>[],
): Map<One, Other> {
  const pairs = new Map<One, Other>();
  const free = new Set(others);
  const byPath = new Map(others.filter(isWebhook).map((other) => [other.path, other]));
  for (const { action, path } of ones.filter(isWebhook)) {
    const same = path === undefined ? undefined : byPath.get(path);
    if (same !== undefined && free.delete(same)) pairs.set(action, same.action);
  }
  const byName = groupedByName(others);
  for (const [key, group] of groupedByName(ones)) {
    const all = byName.get(key) ?? [];
    const own = group.filter(({ action }) => !pairs.has(action));
    const same = all.filter((other) => free.has(other));
    if (same.length !== own.length) continue;
    if ((group.length > 1 || all.length > 1) && own.some(saysPath)) continue;
    for (const [index, other] of same.entries()) {
      const one = own[index];
      if (one !== undefined) pairs.set(one.action, other.action);
    }
  }
  return pairs;
}

const MOST_TOLD = 20;

/** Returns in words which webhooks go although others of their names come. Both lists are without pairs; the first ones come. */
export function replacedWebhooks(
  ones: readonly NamedAction<unknown>[],
  others: readonly NamedAction<unknown>[],
): string[] {
  const coming = groupedByName(ones.filter(isWebhook));
  const told: string[] = [];
  for (const [key, group] of groupedByName(others.filter(isWebhook))) {
    const places = (coming.get(key) ?? []).slice(0, MOST_TOLD).map(placeOf);
    if (places.length === 0) continue;
    for (const going of group) {
      const name = typeof going.name === 'string' ? `"${going.name}"` : 'without a name';
      told.push(
        `The webhook ${name} ${placeOf(going)} is removed: nothing tells that it is the new one ${places.join(' or ')}`,
      );
    }
  }
  return told.slice(0, MOST_TOLD);
}

function placeOf({ path }: NamedAction<unknown>): string {
  return path === undefined ? 'without a path' : `with the path "${path}"`;
}

function isWebhook({ type }: NamedAction<unknown>): boolean {
  return type === WEBHOOK_TYPE;
}

function saysPath(action: NamedAction<unknown>): boolean {
  return isWebhook(action) && action.path !== undefined;
}

function groupedByName<Action>(actions: readonly NamedAction<Action>[]): Map<string, NamedAction<Action>[]> {
  const groups = new Map<string, NamedAction<Action>[]>();
  for (const action of actions) {
    const key = JSON.stringify([action.type, action.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [action]);
    else group.push(action);
  }
  return groups;
}
