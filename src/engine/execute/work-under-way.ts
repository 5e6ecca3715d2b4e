import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import type { Database } from '../../platform/mysql/database.js';
import { type DeliveryRow, findDeliveries } from '../state/deliveries/delivery-store.js';
import type { Logger } from '../../platform/logger.js';
import { createLinkedList } from '../../platform/runtime/linked-list.js';
import { findActionInStory, type StoryGraphs } from '../../stories/face.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import type { Cancellation } from './cancellation.js';

/** Work older than this is checked at this interval, as the notification of a change may be lost. */
const LOOK_EVERY_MS = 3_000;
/** Stories per check. */
const MAX_ROUND = 50;

/** The reason for cancelling work: story or agent deleted or disabled, run cancelled, or another worker was faster. */
export class NoLongerWanted extends Error {
  constructor() {
    super('The story, the action or the run changed in the meantime');
    this.name = 'NoLongerWanted';
  }
}

/** The deliveries that this process works on, each with its `Cancellation` (decision 0030). */
export interface WorkUnderWay {
  /** Registers work; returns the function that removes it. */
  enter(delivery: DeliveryRow, stop: Cancellation): () => void;
  /** The story was changed: drops it from the cache, and cancels its work that is no longer wanted. */
  invalidate(storyId: number): void;
  /** Ends the checks; resolves when none is running. */
  close(): Promise<void>;
}

interface Working {
  delivery: DeliveryRow;
  stop: Cancellation;
  since: number;
}

export interface WorkUnderWayDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent' | 'invalidate'>;
  logger: Logger;
}

export function createWorkUnderWay(deps: WorkUnderWayDeps): WorkUnderWay {
  const working = createLinkedList<Working>();
  const looks = createBackgroundQueue<number>({
    name: 'cancel unwanted work',
    maxRound: MAX_ROUND,
    work: (storyIds) => stopUnwanted(worksOf(new Set(storyIds)), deps),
    logger: deps.logger,
  });

  const worksOf = (storyIds: ReadonlySet<number>): Working[] =>
    [...working].filter(({ delivery, stop }) => storyIds.has(delivery.storyId) && stop.reason === undefined);

  const lookAtLong = () => {
    const before = performance.now() - LOOK_EVERY_MS;
    const long = [...working].filter(({ since }) => since < before);
    looks.add(long.map(({ delivery }) => delivery.storyId));
  };
  const timer = setInterval(lookAtLong, LOOK_EVERY_MS).unref();

  return {
    enter: (delivery, stop) => working.enter({ delivery, stop, since: performance.now() }),
    invalidate(storyId) {
      deps.graphs.invalidate(storyId);
      looks.add([storyId]);
    },
    async close() {
      clearInterval(timer);
      await looks.drain();
    },
  };
}

async function stopUnwanted(works: Working[], deps: WorkUnderWayDeps): Promise<void> {
  if (works.length === 0) return;
  const ids = works.map(({ delivery }) => delivery.id);
  const rows = await retryTransient(() => deps.database.read((session) => findDeliveries(session, ids)));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  for (const { delivery, stop } of works) {
    if (!(await isWanted(rowOf.get(delivery.id), deps))) stop.abort(new NoLongerWanted());
  }
}

/** A missing row means that another worker was faster, or that its run was cancelled or its story deleted. */
async function isWanted(row: DeliveryRow | undefined, { graphs }: WorkUnderWayDeps): Promise<boolean> {
  if (row === undefined || row.cancelled) return false;
  const action = await findActionInStory(row, graphs);
  return action !== undefined && !action.story.disabled && !action.agent.disabled;
}
