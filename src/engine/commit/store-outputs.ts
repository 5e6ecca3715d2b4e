import type { IdCounts } from '../../platform/mysql/ids/id-range.js';
import type { Session } from '../../platform/mysql/session.js';
import { insertDeliveries } from '../state/deliveries/delivery-store.js';
import { insertEvents } from '../state/events/event-store.js';
import type { SentResponse } from '../state/runs/run-notifications.js';
import { recordResponses } from '../state/runs/run-store.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import type { Emission } from '../state/outcome.js';
import { type RunResponse, toDeliveries, toEvents, toResponses } from './outcome-rows.js';

/** For an outcome without outputs. */
export const NOTHING_STORED: Stored = { eventIds: [], jobs: [], answers: [] };

/** The stored rows of one emission. */
export interface Stored {
  eventIds: number[];
  /** Jobs to add after COMMIT. */
  jobs: JobRef[];
  /** Responses of awaited runs, to be notified after COMMIT. */
  answers: SentResponse[];
}

/**
 * Stores the events of each emission, a delivery for each receiver, and the responses of awaited runs. The transaction has
 * consumed the tokens before (rule 2). Returns what was stored for each emission.
 */
export async function storeOutputs(session: Session, emissions: Emission[]): Promise<Stored[]> {
  const allIds = await insertEvents(session, emissions.flatMap(toEvents));
  const eventIds = deal(allIds, emissions, ({ outputs }) => outputs.length);
  const deliveries = emissions.map((emission, index) => toDeliveries(emission, eventIds[index] ?? []));
  const inserted = await insertDeliveries(session, deliveries.flat());
  const deliveryIds = deal(inserted, deliveries, (rows) => rows.length);
  const responses = emissions.map((emission, index) => toResponses(emission, eventIds[index] ?? []));
  const answers = await storeResponses(session, responses);
  return deliveries.map((rows, index) => ({
    eventIds: eventIds[index] ?? [],
    jobs: rows.map((row, at) => ({
      queue: row.queue,
      storyId: row.storyId,
      deliveryId: deliveryIds[index]?.[at] ?? 0,
      generation: 0,
    })),
    answers: answers[index] ?? [],
  }));
}

/** Returns how many rows the emissions will store. */
export function countOutputs(emissions: Emission[]): IdCounts {
  let events = 0;
  let deliveries = 0;
  for (const { outputs } of emissions) {
    events += outputs.length;
    for (const { receivers } of outputs) deliveries += receivers.length;
  }
  return { events, deliveries };
}

/** Stores responses; returns the payload too if it is certainly the run's response: no other was first. */
async function storeResponses(session: Session, responses: RunResponse[][]): Promise<SentResponse[][]> {
  const all = responses.flat();
  if (all.length === 0) return [];
  const recorded = await recordResponses(session, all);
  const areFirst = new Set(all.map(({ guid }) => guid)).size === all.length && recorded === all.length;
  return responses.map((ofOne) =>
    ofOne.map(({ guid, payload }) => (areFirst ? { guid, payload } : { guid })),
  );
}

/** Splits `values` in order: each of `takers` gets as many as `due` returns for it. */
function deal<Value, Taker>(values: Value[], takers: Taker[], due: (taker: Taker) => number): Value[][] {
  let next = 0;
  return takers.map((taker) => {
    const start = next;
    next += due(taker);
    return values.slice(start, next);
  });
}
