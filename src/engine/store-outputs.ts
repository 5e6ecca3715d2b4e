import type { Session } from '../db/session.js';
import { insertDeliveries } from '../events/delivery-store.js';
import { insertEvents } from '../events/event-store.js';
import type { RunAnswer } from '../events/run-hints.js';
import { recordResponses } from '../events/run-store.js';
import type { JobRef } from '../queues/dispatcher.js';
import type { Emission } from './outcome.js';
import { type RunResponse, toDeliveries, toEvents, toResponses } from './outcome-rows.js';

/** Where nothing was put out. */
export const NOTHING_STORED: Stored = { eventIds: [], jobs: [], answers: [] };

/** What one emission left in the database. */
export interface Stored {
  eventIds: number[];
  /** To be added after COMMIT. */
  jobs: JobRef[];
  /** Of the awaited runs that it answers, to be told after COMMIT. */
  answers: RunAnswer[];
}

/**
 * Stores the events of each emission with the deliveries of those who get them, and which of them answers an awaited
 * run; in the caller's transaction, after its tokens (rule 2).
 */
export async function storeOutputs(
  session: Session,
  emissions: Emission[],
  idStep: number,
): Promise<Stored[]> {
  const eventIds = await insertEvents(session, emissions.flatMap(toEvents), idStep);
  const eventsOf = deal(eventIds, emissions, ({ outputs }) => outputs.length);
  const deliveries = emissions.map((emission, index) => toDeliveries(emission, eventsOf[index] ?? []));
  const deliveryIds = await insertDeliveries(session, deliveries.flat(), idStep);
  const deliveriesOf = deal(deliveryIds, deliveries, (rows) => rows.length);
  const responses = emissions.map((emission, index) => toResponses(emission, eventsOf[index] ?? []));
  const answers = await storeResponses(session, responses);
  return deliveries.map((rows, index) => ({
    eventIds: eventsOf[index] ?? [],
    jobs: rows.map((row, at) => ({
      queue: row.queue,
      storyId: row.storyId,
      deliveryId: deliveriesOf[index]?.[at] ?? 0,
      generation: 0,
    })),
    answers: answers[index] ?? [],
  }));
}

/** Says the payload too where it is certain to be the run's answer: nobody else's was first, before it or beside it. */
async function storeResponses(session: Session, responses: RunResponse[][]): Promise<RunAnswer[][]> {
  const all = responses.flat();
  if (all.length === 0) return [];
  const areOnly = new Set(all.map(({ guid }) => guid)).size === all.length;
  const areFirst = (await recordResponses(session, all)) === all.length && areOnly;
  return responses.map((ofOne) =>
    ofOne.map(({ guid, payload }) => (areFirst ? { guid, payload } : { guid })),
  );
}

/** Deals out `values` in order, to each of `takers` as many as it is due. */
function deal<Value, Taker>(values: Value[], takers: Taker[], due: (taker: Taker) => number): Value[][] {
  let next = 0;
  return takers.map((taker) => {
    const start = next;
    next += due(taker);
    return values.slice(start, next);
  });
}
