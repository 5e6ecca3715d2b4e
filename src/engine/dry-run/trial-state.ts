import type { CachedEvent } from '../state/event-cache.js';
import type { StoryCall } from '../state/call-store.js';
import type { NewEvent } from '../state/event-store.js';
import { lineageOfInput, parseLineage } from '../state/lineage.js';
import type { NewStart } from '../state/start-store.js';
import type { JsonValue } from '../../platform/json.js';
import { START_QUEUE } from '../../agents/delivery-queues.js';
import { holdsReference } from '../../platform/text/secret-reference.js';
import { createTrialDeliveries } from './trial-deliveries.js';
import { createTrialGroups } from './trial-groups.js';

/** An event of a trial. */
export interface TrialEvent extends CachedEvent {
  storyId: number;
  storyRunGuid: string;
}

/** The agent that a run's input is stored under: none. */
const NO_AGENT = 0;

/** What the database is to the engine: all of a trial, in memory. */
export type TrialState = ReturnType<typeof createTrialState>;

export function createTrialState() {
  const startedAtMs = Date.now();
  let nowMs = startedAtMs;
  const clock = { nowMs: () => nowMs };
  const deliveries = createTrialDeliveries(clock);
  const groups = createTrialGroups(clock);
  const events = new Map<number, TrialEvent>();
  const calls = new Map<string, StoryCall>();

  const insertEvent = ({ payload, lineage, ...event }: NewEvent): number => {
    const id = events.size + 1;
    const parsed = { payload: JSON.parse(payload) as JsonValue, lineage: parseLineage(lineage) };
    events.set(id, { ...event, ...parsed, id, holdsReference: holdsReference(payload) });
    return id;
  };

  return {
    ...clock,
    /** Since the trial began; nobody waited for it. */
    elapsedMs: () => nowMs - startedAtMs,
    deliveries,
    groups,
    events,
    calls,
    insertEvent,

    /** A run that begins with its entry action doing its work; gives the id of the event that holds its input. */
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

    /** Goes on to the next moment at which something happens; false: nothing will. */
    advance(): boolean {
      const times = [deliveries.firstDueMs(), groups.firstExpiryMs()].filter((time) => time !== undefined);
      if (times.length === 0) return false;
      nowMs = Math.max(nowMs, Math.min(...times));
      deliveries.wake();
      return true;
    },
  };
}
