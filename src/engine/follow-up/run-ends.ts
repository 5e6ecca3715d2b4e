import { findBusyRuns } from '../state/runs/run-end-store.js';
import type { Database } from '../../platform/mysql/database.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { SettledOutcome } from '../state/outcome.js';
import type { RunMeter } from '../state/runs/run-store.js';
import { endsBranch } from './after-commit.js';

/** Pause in which runs gather whose branches ended: then one statement looks at all of them. */
const GATHER_MS = 1_000;
/** Most runs of one statement, which costs the workers' time: of more, so many stand for all. */
const MOST_RUNS = 200;

/** Counts the runs that end; nothing waits for it. */
export interface RunEnds {
  /** Notes the runs whose branches ended in these outcomes. */
  follow(outcomes: SettledOutcome[]): void;
  /** Ends without a last look. */
  close(): Promise<void>;
}

export interface RunEndsDeps {
  database: Pick<Database, 'read'>;
  meter: Pick<RunMeter, 'ended'>;
  logger: Logger;
  gatherMs?: number;
}

/**
 * Whether a run has ended is known only after COMMIT, from the deliveries that it has left (rule 12). The work of a run does
 * not ask: once in a second at most, one statement looks at the runs whose branches ended since.
 * If they are more than two hundred, the figures are an estimate from the first of them.
 */
export function createRunEnds({ database, meter, logger, gatherMs = GATHER_MS }: RunEndsDeps): RunEnds {
  let ended = new Map<string, number>();
  /** Ends of branches since the last look: all, and those of the noted runs. */
  let all = 0;
  let known = 0;
  /** Counted in the last look: a branch that ended with the run may be noted in this one. */
  let countedBefore = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let closed = false;

  const look = async () => {
    const noted = ended;
    const countOf = wholeNumbers(all / known);
    ended = new Map();
    all = known = 0;
    const busy = await database.read((session) => findBusyRuns(session, [...noted.keys()]));
    const over = [...noted].filter(([guid]) => !busy.has(guid));
    for (const [guid, at] of over) {
      if (countedBefore.has(guid)) continue;
      for (let count = countOf(); count > 0; count -= 1) meter.ended(guid, at);
    }
    countedBefore = new Set(over.map(([guid]) => guid));
  };

  const lookAside = () => {
    timer = undefined;
    looking = look()
      .catch((error: unknown) => {
        logger.debug('run ends are not counted', { error: messageOf(error) });
      })
      .finally(() => {
        looking = undefined;
        begin();
      });
  };

  const begin = () => {
    if (closed || ended.size === 0 || timer !== undefined || looking !== undefined) return;
    timer = setTimeout(lookAside, gatherMs).unref();
  };

  return {
    follow(outcomes) {
      const now = Date.now();
      for (const outcome of outcomes) {
        if (!endsBranch(outcome)) continue;
        all += 1;
        const { storyRunGuid } = outcome.delivery;
        if (ended.size >= MOST_RUNS && !ended.has(storyRunGuid)) continue;
        known += 1;
        ended.set(storyRunGuid, now);
      }
      begin();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Returns a function that gives whole numbers, whose mean is `weight`. */
function wholeNumbers(weight: number): () => number {
  let carried = 0;
  return () => {
    carried += weight;
    const whole = Math.floor(carried + ROUNDING);
    carried -= whole;
    return whole;
  };
}

/** A weight of 1 gives 1 each time, whatever the last digit of a sum. */
const ROUNDING = 1e-9;
