import { changesBetween, type ValueChange } from '../../stories/face.js';
import type { PastEvent } from '../story/story-trial.js';
import type { EventEntry } from '../report/trial-report.js';
import type { PastActionOf } from './same-actions.js';

interface ToPair {
  events: EventEntry[];
  past: PastEvent[];
  pastActionOf: PastActionOf;
  /** The id of the past event in place of an event, as far as the trial found it. */
  pastIdOf: (eventId: number) => number | undefined;
}

/** Returns the past event of each event of a trial, by id. What the trial did not find is paired in order, by action. */
export function pairEvents({ events, past, pastActionOf, pastIdOf }: ToPair): Map<number, PastEvent> {
  const byId = new Map(past.map((event) => [event.id, event]));
  const pairs = new Map<number, PastEvent>();
  for (const { id } of events) {
    const found = byId.get(pastIdOf(id) ?? 0);
    if (found !== undefined) pairs.set(id, found);
  }
  const left = leftByAction(past, new Set(pairs.values()));
  for (const { id, agentId } of events) {
    const next = pairs.has(id) ? undefined : left.get(pastActionOf(agentId) ?? 0)?.next();
    if (next?.done === false) pairs.set(id, next.value);
  }
  return pairs;
}

function leftByAction(
  past: PastEvent[],
  taken: ReadonlySet<PastEvent>,
): Map<number, ArrayIterator<PastEvent>> {
  const left = new Map<number, PastEvent[]>();
  for (const event of past) {
    if (taken.has(event)) continue;
    const others = left.get(event.agentId);
    if (others === undefined) left.set(event.agentId, [event]);
    else others.push(event);
  }
  return new Map([...left].map(([agentId, events]) => [agentId, events.values()]));
}

/** The changes between an event of a trial and the same event of another trial, by id of the first. */
export type Variations = ReadonlyMap<number, ValueChange[]>;

/** Returns what differs between two trials, up to the first event that only one of them has. */
export function variationsOf(events: EventEntry[], again: EventEntry[]): Variations {
  const found = new Map<number, ValueChange[]>();
  for (const [index, event] of events.entries()) {
    const other = again[index];
    if (other?.agentId !== event.agentId) break;
    const changes = changesBetween(event.payload, other.payload);
    if (changes.length > 0) found.set(event.id, changes);
  }
  return found;
}

/** Whether a change is within one of these parts. A value of another type is a change in any case. */
export function isWithin({ path, before, after }: ValueChange, parts: ValueChange[]): boolean {
  if (typeof before !== typeof after) return false;
  return parts.some(
    (part) =>
      part.path === '' ||
      part.path === path ||
      (path.startsWith(part.path) && /^[.[]/.test(path.slice(part.path.length))),
  );
}
