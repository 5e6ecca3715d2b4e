import type { Session } from '../../../platform/mysql/session.js';
import type { JobRef } from '../deliveries/delivery-job.js';
import { lineageOfInput, START_QUEUE } from '../../../agents/face.js';
import { insertDeliveries } from '../deliveries/delivery-store.js';
import { insertEvents } from '../events/event-store.js';
import { insertRuns } from './run-store.js';
import type { RunSource } from '../../../api/face.js';

/** A run that starts with a delivery to its entry agent: by schedule, by the API, or called by another story. */
export interface NewStart {
  /** Made before the first attempt (`newRunGuid`), so that a repeated insert is recognised (rule 3). */
  guid: string;
  storyId: number;
  /** The entry agent. */
  agentId: number;
  source: RunSource;
  /** JSON text. A webhook agent emits it unchanged; other agents see it as their inbound event. */
  input: string;
  called?: boolean;
}

/** The agent id of a run's input event: no agent emitted it. */
const NO_AGENT = 0;

/**
 * Stores the runs, each with its input event and one delivery. Returns their jobs, in order, to be added after COMMIT.
 * @throws the driver's duplicate-key error (`isDuplicateKey`) if a run exists already.
 */
export async function insertStarts(session: Session, starts: NewStart[]): Promise<JobRef[]> {
  session.ids.prefetch({ events: starts.length, deliveries: starts.length });
  await insertRuns(
    session,
    starts.map(({ guid, storyId, source }) => ({ guid, storyId, source, awaited: false })),
  );
  const inputs = starts.map(({ guid, storyId, input }) => ({
    storyRunGuid: guid,
    storyId,
    agentId: NO_AGENT,
    payload: input,
    lineage: lineageOfInput(input),
  }));
  const eventIds = await insertEvents(session, inputs);
  const deliveries = starts.map(({ guid, storyId, agentId, called }, index) => ({
    storyRunGuid: guid,
    storyId,
    agentId,
    eventId: eventIds[index] ?? 0,
    queue: START_QUEUE,
    awaited: false,
    called: called === true,
    depth: 1,
  }));
  const ids = await insertDeliveries(session, deliveries);
  return deliveries.map(({ queue, storyId }, index) => ({
    queue,
    storyId,
    deliveryId: ids[index] ?? 0,
    generation: 0,
  }));
}
