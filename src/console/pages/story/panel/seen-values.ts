import type { Action } from '../../../../../clients/typescript/api.js';
import { slugOf } from '../../../text/action-slug.js';

type Linked = Pick<Action, 'id' | 'name' | 'sources'>;

/** The keys that an action sees. */
export interface Seen {
  /** A value for each key of an action before it. */
  values: Record<string, unknown>;
  /** Names of actions before it of which there is no value. */
  missing: string[];
}

/** Returns all actions before this one, the nearest first; it may be before itself. */
export function upstreamOf(action: Linked, others: readonly Linked[]): Linked[] {
  const byId = new Map(others.map((other) => [other.id, other]));
  const found = new Map<number, Linked>();
  const open = [...action.sources];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    const source = byId.get(id);
    if (source === undefined || found.has(id)) continue;
    found.set(id, source);
    open.push(...source.sources);
  }
  return [...found.values()];
}

/** Returns the values of the newest events, each with those before it; the newest one counts where several have a key. */
export function seenOf(
  events: readonly { created_at: string; payload: unknown }[],
  upstream: readonly Linked[],
): Seen {
  const oldestFirst = events.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const values: Record<string, unknown> = Object.assign({}, ...oldestFirst.map(({ payload }) => payload));
  return {
    values,
    missing: upstream.filter(({ name }) => !Object.hasOwn(values, slugOf(name))).map(({ name }) => name),
  };
}
