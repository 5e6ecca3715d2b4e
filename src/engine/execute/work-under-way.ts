import { retryTransient } from '../../platform/mysql/retry-transient.js';
import type { Database } from '../../platform/mysql/database.js';
import { type DeliveryRow, findDeliveries } from '../state/delivery-store.js';
import type { Logger } from '../../platform/logger.js';
import { createLinkedList } from '../../platform/runtime/linked-list.js';
import { findAction } from '../../stories/find-action.js';
import type { StoryGraphs } from '../../stories/story-graphs.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import type { Stop } from './cancellation.js';

/** Work that goes on for so long is looked at again and again: the hint of a change may be lost. */
const LOOK_EVERY_MS = 3_000;
/** Stories of one look. */
const MAX_ROUND = 50;

/** Why work is stopped: its story or action was deleted or disabled, its run was cancelled, or somebody was faster. */
export class NoLongerWanted extends Error {
  constructor() {
    super('The story, the action or the run was changed meanwhile');
    this.name = 'NoLongerWanted';
  }
}

/** The deliveries that this process works on, and what tells each of them to stop (decision 0030). */
export interface WorkUnderWay {
  /** Gives what ends the work. */
  enter(delivery: DeliveryRow, stop: Stop): () => void;
  /** The story was changed: what is known of it counts no more, and its work is stopped that nobody wants any more. */
  invalidate(storyId: number): void;
  /** Ends the looks; resolves when none is under way. */
  close(): Promise<void>;
}

interface Working {
  delivery: DeliveryRow;
  stop: Stop;
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
    name: 'work that nobody wants',
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

/** A row that is gone is somebody else's success, or of what was cancelled or deleted. */
async function isWanted(row: DeliveryRow | undefined, { graphs }: WorkUnderWayDeps): Promise<boolean> {
  if (row === undefined || row.cancelled) return false;
  const action = await findAction(row, graphs);
  return action !== undefined && !action.story.disabled && !action.agent.disabled;
}
