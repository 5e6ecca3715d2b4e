import type { PastEvent, PastRun } from '../story/story-trial.js';

/** The events of a past run, by action and by the event that led to them. */
export interface PastEvents {
  find(id: number): PastEvent | undefined;
  /** Returns the events of this action for this inbound event, in their order. */
  emittedFor(agentId: number, parentId: number): PastEvent[];
  /** Returns the events of this action, in their order. */
  emittedBy(agentId: number): PastEvent[];
  /** Returns the input of the run that this action called for this inbound event. */
  inputOfCall(agentId: number, parentId: number): PastEvent | undefined;
}

/** Arranges the events of a past run. */
export function arrangePastEvents({ events, calls }: PastRun): PastEvents {
  const byId = new Map(events.map((event) => [event.id, event]));
  const inputs = new Map(
    events.filter(({ agentId }) => agentId === 0).map((input) => [input.runGuid, input]),
  );
  const byAgent = grouped(events, ({ agentId }) => agentId);
  const byCause = grouped(events, (event) => keyOf(event.agentId, parentIdOf(event, inputs) ?? 0));
  const called = new Map(calls.map((call) => [keyOf(call.agentId, call.eventId), call.runGuid]));
  return {
    find: (id) => byId.get(id),
    emittedFor: (agentId, parentId) => byCause.get(keyOf(agentId, parentId)) ?? [],
    emittedBy: (agentId) => byAgent.get(agentId) ?? [],
    inputOfCall: (agentId, parentId) => inputs.get(called.get(keyOf(agentId, parentId)) ?? ''),
  };
}

const keyOf = (agentId: number, eventId: number) => `${agentId}:${eventId}`;

function grouped<Key>(events: PastEvent[], keyOfEvent: (event: PastEvent) => Key): Map<Key, PastEvent[]> {
  const groups = new Map<Key, PastEvent[]>();
  for (const event of events) {
    const key = keyOfEvent(event);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups;
}

/**
 * Returns the id of the inbound event: the lineage is in the order of the path, so it stands before the event itself.
 * `inputs`: those of the runs, by guid.
 */
export function parentIdOf(
  { lineage, runGuid, id }: PastEvent,
  inputs: ReadonlyMap<string, PastEvent>,
): number | undefined {
  const before = Object.values(lineage).at(-2) ?? inputs.get(runGuid)?.id;
  return before === id ? undefined : before;
}
