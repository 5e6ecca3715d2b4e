import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { cancelRun } from '../state/runs/cancel-run.js';
import { findRunSize, type RunSize } from '../state/runs/cancel-store.js';
import { insertLogLines } from '../state/events/log-store.js';
import type { Logger } from '../../platform/logger.js';
import type { StoryGraphs } from '../../stories/face.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import type { LiveEvents } from '../../api/face.js';
import type { SettledOutcome } from '../state/outcome.js';

const MAX_RUNS = 10_000;
const MAX_ROUND = 20;
/** Most events of a run that this process stores between two exact counts (rule 16). */
const MOST_BETWEEN_COUNTS = 1_000;
/** A run that passes no agent twice may have more events, such as from several exploded lists. */
const WIDE_RUN_FACTOR = 50;

export interface RunawayGuardDeps {
  database: Database;
  graphs: Pick<StoryGraphs, 'find'>;
  /** Most events of a run that loops. */
  limit: number;
  /** Receives cancelled runs. */
  liveEvents: Pick<LiveEvents, 'mayHaveEnded'>;
  logger: Logger;
}

/** Cancels runaway runs. */
export interface RunawayGuard {
  /** Counts committed events. */
  follow(outcomes: SettledOutcome[]): void;
  drain(): Promise<void>;
}

/**
 * Cancels a run of a story that loops endlessly at about `limit` events (rule 16), with a line in the log of the agent
 * furthest from the start. A run that passes no agent twice must end, so it may have more events.
 */
export function createRunawayGuard(deps: RunawayGuardDeps): RunawayGuard {
  const counts = new LRUCache<string, number>({ max: MAX_RUNS });
  const between = Math.max(1, Math.min(MOST_BETWEEN_COUNTS, Math.floor(deps.limit / 4)));
  const queue = createBackgroundQueue<string>({
    name: 'runaway guard',
    maxRound: MAX_ROUND,
    work: async (guids) => {
      for (const guid of guids) await check(guid, deps);
    },
    logger: deps.logger,
  });

  const count = (guid: string, events: number): void => {
    const total = (counts.get(guid) ?? 0) + events;
    counts.set(guid, total >= between ? 0 : total);
    if (total >= between) queue.add([guid]);
  };

  return {
    follow(outcomes) {
      for (const outcome of outcomes) {
        if (outcome.kind === 'done' && outcome.outputs.length > 0)
          count(outcome.delivery.storyRunGuid, outcome.outputs.length);
      }
    },
    drain: () => queue.drain(),
  };
}

async function check(guid: string, deps: RunawayGuardDeps): Promise<void> {
  const { database, logger } = deps;
  const size = await retryTransient(() => database.read((session) => findRunSize(session, guid)));
  if (size === undefined || size.depth === 0) return;
  const bound = await boundOf(size, deps);
  if (size.events <= bound) return;
  const message = `The run was cancelled as a runaway, because it has more than ${bound} events`;
  const line = {
    agentId: size.agentId,
    storyRunGuid: guid,
    inboundEventId: 0,
    level: 'error' as const,
    message,
  };
  const stopped = await cancelRun(database, guid, (session) => insertLogLines(session, [line]));
  if (!stopped) return;
  deps.liveEvents.mayHaveEnded([guid]);
  logger.warn('runaway run cancelled', {
    story_run_guid: guid,
    story_id: size.storyId,
    events: size.events,
  });
}

/** Returns the run's limit of events. With more hops than the story has agents, the run has passed one twice. */
async function boundOf({ storyId, depth }: RunSize, { graphs, limit }: RunawayGuardDeps): Promise<number> {
  const story = await graphs.find(storyId);
  const loops = story === undefined || depth > story.agents.size;
  return loops ? limit : limit * WIDE_RUN_FACTOR;
}
