import type { Script } from '../../platform/mysql/statement-batch.js';
import type { JobRef } from './delivery-job.js';
import { START_QUEUE } from '../../agents/delivery-queues.js';
import { insertDeliveries } from './delivery-store.js';
import { insertEvents } from './event-store.js';
import { insertRuns } from './run-store.js';
import { lineageOfInput } from './lineage.js';
import type { RunSource } from './run-store.js';

/** A run that begins with its entry action doing its work: by schedule, by request, or called by another story. */
export interface NewStart {
  /** Made before the first try (`newRunGuid`), so that a repeated insert is noticed (rule 3). */
  guid: string;
  storyId: number;
  /** The entry action. */
  agentId: number;
  source: RunSource;
  /** JSON text: a webhook emits it as it is, to other actions it is what they know of the past. */
  input: string;
  called?: boolean;
}

/** The agent that a run's input is stored under: none. */
const NO_AGENT = 0;

/**
 * Stores the runs with their input and one delivery each; gives the jobs of these, in order, to be added after COMMIT. The
 * script ends with the driver's duplicate-key error when a run is there already (`isDuplicateKey`).
 */
export function insertStarts(script: Script, starts: NewStart[]): () => JobRef[] {
  insertRuns(
    script,
    starts.map(({ guid, storyId, source }) => ({ guid, storyId, source, awaited: false })),
  );
  const inputs = starts.map(({ guid, storyId, input }) => ({
    storyRunGuid: guid,
    storyId,
    agentId: NO_AGENT,
    payload: input,
    lineage: lineageOfInput(input),
  }));
  const events = insertEvents(script, inputs).refs();
  const deliveries = starts.map(({ guid, storyId, agentId, called }, index) => ({
    storyRunGuid: guid,
    storyId,
    agentId,
    eventId: events[index] ?? 0,
    queue: START_QUEUE,
    awaited: false,
    called: called === true,
    depth: 1,
  }));
  const inserted = insertDeliveries(script, deliveries);
  return () => {
    const ids = inserted.ids();
    return deliveries.map(({ queue, storyId }, index) => ({
      queue,
      storyId,
      deliveryId: ids[index] ?? 0,
      generation: 0,
    }));
  };
}
