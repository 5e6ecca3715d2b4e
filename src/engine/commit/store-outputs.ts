import type { RowId, Script } from '../../platform/mysql/statement-batch.js';
import { insertDeliveries } from '../state/delivery-store.js';
import { insertEvents } from '../state/event-store.js';
import type { RunAnswer } from '../state/run-hints.js';
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
  answers: RunAnswer[];
}

/** Emissions on their way into the database. */
export interface Storing {
  /** Of the events of each emission. */
  eventRefs: RowId[][];
  /** What each left there; once the script has run. */
  stored: () => Stored[];
}

/**
 * Stores the events of each emission with the deliveries of those who get them, and which of them answers an awaited
 * run; in a script that has consumed its tokens (rule 2).
 */
export function storeOutputs(script: Script, emissions: Emission[]): Storing {
  const events = insertEvents(script, emissions.flatMap(toEvents));
  const dealEvents = <Id>(ids: Id[]) => deal(ids, emissions, ({ outputs }) => outputs.length);
  const eventRefs = dealEvents(events.refs());
  const deliveries = emissions.map((emission, index) => toDeliveries(emission, eventRefs[index] ?? []));
  const inserted = insertDeliveries(script, deliveries.flat());
  const responses = emissions.map((emission, index) => toResponses(emission, eventRefs[index] ?? []));
  const answersOf = storeResponses(script, responses);
  return {
    eventRefs,
    stored() {
      const eventIds = dealEvents(events.ids());
      const deliveryIds = deal(inserted.ids(), deliveries, (rows) => rows.length);
      const answers = answersOf();
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
    },
  };
}

/** Says the payload too where it is certain to be the run's answer: nobody else's was first, before it or beside it. */
function storeResponses(script: Script, responses: RunResponse[][]): () => RunAnswer[][] {
  const all = responses.flat();
  if (all.length === 0) return () => [];
  const areOnly = new Set(all.map(({ guid }) => guid)).size === all.length;
  const recorded = recordResponses(script, all);
  return () => {
    const areFirst = areOnly && recorded().affectedRows === all.length;
    return responses.map((ofOne) =>
      ofOne.map(({ guid, payload }) => (areFirst ? { guid, payload } : { guid })),
    );
  };
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
