import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { findDraftNames } from '../../stories/face.js';
import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import type { Database } from '../../platform/mysql/database.js';
import {
  type CalledRun,
  type ExitEvent,
  findCalledRuns,
  findCalls,
  findExitEvents,
  type StoryCall,
} from '../state/deliveries/call-store.js';
import { type DeliveryRow, findDeliveriesWithInputs } from '../state/deliveries/delivery-store.js';
import { findEvents } from '../state/events/event-store.js';
import type { CachedEvent, EventCache } from '../state/events/event-cache.js';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';

/** Only the row of a job that was added this lately may not have come to the node of the database that is asked. */
const FRESH_MS = 2_000;
/** Pauses before each further look; together less than a second. */
const PAUSES_MS = [5, 15, 50, 130, 300, 400];
/** Most jobs that look again at once: many jobs whose deliveries are gone must not hold up the queue. */
const MOST_LOOKING = 16;

/** Loads the rows that jobs need, in batches. */
export interface DeliveryLoader {
  delivery(id: number): Promise<DeliveryRow | undefined>;
  event(id: number): Promise<CachedEvent | undefined>;
  /** Returns the events that (still) exist, by id: from the cache, the others with one statement. */
  events(ids: number[]): Promise<Map<number, CachedEvent>>;
  /** Returns the agent's call that started this run; undefined if none did. */
  call(storyRunGuid: string): Promise<StoryCall | undefined>;
  /** Returns the drafts of a story, oldest first. */
  drafts(storyId: number): Promise<{ id: number; name: string }[]>;
  /** Returns the runs that a delivery has called, in the order of the calls. */
  calledRuns(deliveryId: number): Promise<CalledRun[]>;
  /** Returns the events that these agents emitted in these runs, oldest first. */
  exitEvents(guids: string[], agentIds: number[]): Promise<ExitEvent[]>;
}

/** Longest pause between two batches, in which further ids are collected. */
const TOGETHER = { mostGatherMs: 1 };
/** Cached calls; they never change. */
const MAX_CALLS = 10_000;

export function createDeliveryLoader(deps: { database: Database; events: EventCache }): DeliveryLoader {
  const loadDelivery = createBatchLoader<number, DeliveryRow>(async (ids) => {
    const { deliveries, inputs } = await retryTransient(() =>
      deps.database.read((session) => findDeliveriesWithInputs(session, ids)),
    );
    for (const input of inputs) deps.events.add(input);
    return new Map(deliveries.map((row) => [row.id, row]));
  }, TOGETHER);
  const loadEvent = createBatchLoader<number, CachedEvent>(async (ids) => {
    const rows = await retryTransient(() => deps.database.read((session) => findEvents(session, ids)));
    return new Map(rows.map((row) => [row.id, deps.events.read(row)]));
  }, TOGETHER);

  const findEvent = async (id: number) => deps.events.get(id) ?? (await loadEvent(id));
  const calls = new LRUCache<string, StoryCall>({ max: MAX_CALLS });
  const loadCall = createBatchLoader<string, StoryCall>(
    (guids) => retryTransient(() => deps.database.read((session) => findCalls(session, guids))),
    TOGETHER,
  );

  return {
    delivery: loadDelivery,
    event: findEvent,
    drafts: (id) => retryTransient(() => deps.database.read((session) => findDraftNames(id, session))),
    calledRuns: (id) => retryTransient(() => deps.database.read((session) => findCalledRuns(session, id))),
    exitEvents: (guids, agentIds) =>
      retryTransient(() => deps.database.read((session) => findExitEvents(session, guids, agentIds))),
    async call(guid) {
      const known = calls.get(guid);
      if (known !== undefined) return known;
      const call = await loadCall(guid);
      if (call !== undefined) calls.set(guid, call);
      return call;
    },
    async events(ids) {
      const found = new Map<number, CachedEvent>();
      await Promise.all(
        ids.map(async (id) => {
          const event = await findEvent(id);
          if (event !== undefined) found.set(id, event);
        }),
      );
      return found;
    },
  };
}

/**
 * Returns a function that loads the delivery of a job. A node of a cluster that lags may not have the row yet: a missing or
 * older row of a fresh job is looked at again, several times. Without that, the job ends as done by somebody else, and the
 * delivery waits half a minute for the relay.
 */
export function createFreshDelivery(loader: Pick<DeliveryLoader, 'delivery'>) {
  let lookingAgain = 0;

  return async (
    { deliveryId, generation }: DeliveryJob,
    ageMs = FRESH_MS,
  ): Promise<DeliveryRow | undefined> => {
    const isStale = (row: DeliveryRow | undefined) => row === undefined || row.generation < generation;
    let row = await loader.delivery(deliveryId);
    if (!isStale(row) || ageMs >= FRESH_MS || lookingAgain >= MOST_LOOKING) return row;
    lookingAgain += 1;
    try {
      for (const pauseMs of PAUSES_MS) {
        await sleep(pauseMs);
        row = await loader.delivery(deliveryId);
        if (!isStale(row)) break;
      }
      return row;
    } finally {
      lookingAgain -= 1;
    }
  };
}
