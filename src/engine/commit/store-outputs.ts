import type { Session } from '../../platform/mysql/session.js';
import { insertDeliveries } from '../state/delivery-store.js';
import { insertEvents } from '../state/event-store.js';
import type { SentResponse } from '../state/run-notification.js';
import { recordResponses } from '../state/run-store.js';
import type { JobRef } from '../state/delivery-job.js';
import type { Emission } from '../state/outcome.js';
import { type RunResponse, toDeliveries, toEvents, toResponses } from './outcome-rows.js';

/** Where nothing was put out. */
export const NOTHING_STORED: Stored = { eventIds: [], jobs: [], answers: [] };

/** What one emission left in the database. */
export interface Stored {
  eventIds: number[];
  /** To be added after COMMIT. */
  jobs: JobRef[];
  /** Of the awaited runs that it answers, to be told after COMMIT. */
  answers: SentResponse[];
}

/**
 * Stores the events of each emission, a delivery for each receiver, and which event answers an awaited run; in a transaction
 * that has consumed its tokens (rule 2). Returns what each emission left in the database.
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

/** Returns the payload too if it is certain to be the run's answer: no other was first, before it or beside it. */
async function storeResponses(session: Session, responses: RunResponse[][]): Promise<SentResponse[][]> {
  const all = responses.flat();
  if (all.length === 0) return [];
  const recorded = await recordResponses(session, all);
  const areFirst = new Set(all.map(({ guid }) => guid)).size === all.length && recorded === all.length;
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
