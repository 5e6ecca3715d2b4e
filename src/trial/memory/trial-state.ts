import type { CachedEvent, NewEvent, NewStart, StoryCall } from '../../engine/face.js';
import { lineageOfInput, parseLineage, START_QUEUE } from '../../agents/face.js';
import { holdsReference } from '../../platform/secrets/secret-reference.js';
import { createTrialDeliveries } from './trial-deliveries.js';
import { createTrialGroups } from './trial-groups.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** An event of a trial. */
export interface TrialEvent extends CachedEvent {
  storyId: number;
  storyRunGuid: string;
}

/** The agent id of a run's input event: no agent emitted it. */
const NO_AGENT = 0;

/** All state of a trial, in memory instead of the database. */
export type TrialState = ReturnType<typeof createTrialState>;

/** How a trial differs from others of the same story. */
export interface TrialVariant {
  /** Ids of events and records count from here. */
  firstId: number;
  /** Ms since 1970: the simulated time at its start. */
  startedAtMs: number;
}

/** Creates the empty state of a trial; unless given, ids count from 1 and the time is now. */
export function createTrialState({ firstId = 1, startedAtMs = Date.now() }: Partial<TrialVariant> = {}) {
  let nowMs = startedAtMs;
  const clock = { nowMs: () => nowMs };
  const deliveries = createTrialDeliveries(clock);
  const groups = createTrialGroups(clock);
  const events = new Map<number, TrialEvent>();
  const calls = new Map<string, StoryCall>();
  let characters = 0;

  const insertEvent = ({ payload, lineage, ...event }: NewEvent): number => {
    const id = events.size + firstId;
    characters += payload.length;
    const parsed = { payload: parseJson(payload), lineage: parseLineage(lineage) };
    events.set(id, { ...event, ...parsed, id, holdsReference: holdsReference(payload) });
    return id;
  };

  return {
    ...clock,
    /** Returns the number of characters of all payloads, as JSON. */
    characters: () => characters,
    /** Returns the simulated ms since the start. */
    elapsedMs: () => nowMs - startedAtMs,
    deliveries,
    groups,
    events,
    calls,
    insertEvent,

    /** Stores a run with a delivery to its entry agent; returns the id of the run's input event. */
    insertStart({ guid, storyId, agentId, input, called = false }: NewStart): number {
      const row = {
        storyRunGuid: guid,
        storyId,
        agentId: NO_AGENT,
        payload: input,
        lineage: lineageOfInput(input),
      };
      const eventId = insertEvent(row);
      const delivery = { storyRunGuid: guid, storyId, agentId, eventId, queue: START_QUEUE };
      deliveries.insert([{ ...delivery, awaited: false, called, depth: 1 }]);
      return eventId;
    },

    /** Moves the clock to the next due time and wakes deliveries. Returns false if nothing is due later. */
    advance(): boolean {
      const times = [deliveries.firstDueMs(), groups.firstExpiryMs()].filter((time) => time !== undefined);
      if (times.length === 0) return false;
      nowMs = Math.max(nowMs, Math.min(...times));
      deliveries.wake();
      return true;
    },
  };
}
