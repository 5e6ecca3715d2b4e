import type { PastEvent } from '../story/story-trial.js';
import type { NoteOutcome } from '../memory/trial-outcomes.js';
import type { DeliveryRow, StoredOutput } from '../../engine/face.js';
import type { PastEvents } from './past-events.js';
import type { PastActionOf } from './same-actions.js';

/** Finds for each event of a trial the event of the past run in its place, while the trial goes on. */
export interface PastFollower {
  /** The trial began with this event, in place of that one. */
  begin(eventId: number, pastId: number): void;
  noteOutcome: NoteOutcome;
  /** Returns what this action emitted in the past for the same input; if the input is new, the next that is left. */
  emittedFor(delivery: Pick<DeliveryRow, 'agentId' | 'eventId'>): PastEvent[];
  /** Returns whether the deduplicate action let the value through in the past; undefined: it did not get this event. */
  wasNew(delivery: Pick<DeliveryRow, 'agentId' | 'eventId'>): boolean | undefined;
  /** Returns the id of the past event in place of this one. */
  pastIdOf: (eventId: number) => number | undefined;
}

export interface PastFollowerDeps {
  past: PastEvents;
  pastActionOf: PastActionOf;
  /** Returns the inbound event of an output: see `TrialPlaces.parentIn`. */
  parentOf: (output: StoredOutput, delivery: DeliveryRow) => number;
}

export function createPastFollower({ past, pastActionOf, parentOf }: PastFollowerDeps): PastFollower {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const left = (events: PastEvent[]) => events.filter(({ id }) => !taken.has(id));

  const pair = (eventId: number, pastEvent: PastEvent | undefined): void => {
    if (pastEvent === undefined) return;
    pairs.set(eventId, pastEvent.id);
    taken.add(pastEvent.id);
  };

  const inPlaceOf = (agentId: number, parentId: number): PastEvent[] => {
    const action = pastActionOf(agentId);
    const parent = parentId === 0 ? 0 : pairs.get(parentId);
    if (action === undefined || parent === undefined) return [];
    // The lineage of an action that leads to itself does not say which of its events came before.
    if (past.find(parent)?.agentId === action) return left(past.emittedBy(action));
    return left(past.emittedFor(action, parent));
  };

  return {
    begin: (eventId, pastId) => pair(eventId, past.find(pastId)),
    noteOutcome(outcome, eventIds) {
      const { delivery } = outcome;
      if (outcome.kind === 'parked' && outcome.call !== undefined) {
        const action = pastActionOf(delivery.agentId) ?? 0;
        const [inputId = 0] = eventIds;
        pair(inputId, past.inputOfCall(action, pairs.get(delivery.eventId) ?? 0));
      }
      if (outcome.kind !== 'done') return;
      outcome.outputs.forEach((output, index) => {
        const [first] = inPlaceOf(output.origin.agentId, parentOf(output, delivery));
        pair(eventIds[index] ?? 0, first);
      });
    },
    emittedFor({ agentId, eventId }) {
      const same = inPlaceOf(agentId, eventId);
      if (same.length > 0) return same;
      const action = pastActionOf(agentId);
      return action === undefined || pairs.has(eventId) ? [] : left(past.emittedBy(action));
    },
    wasNew({ agentId, eventId }) {
      if (pastActionOf(agentId) === undefined || !pairs.has(eventId)) return undefined;
      const [emitted] = inPlaceOf(agentId, eventId);
      return emitted !== undefined && emitted.json !== '{"unique_event":false}';
    },
    pastIdOf: (eventId) => pairs.get(eventId),
  };
}
