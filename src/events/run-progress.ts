import type { Redis } from 'ioredis';
import type { Database } from '../db/database.js';
import { patiently } from '../db/patiently.js';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import { settleAwaitedRuns } from './run-store.js';

/** The channel on which web processes hear of runs they wait for; the message is the run's guid. */
export function responseChannel(prefix: string): string {
  return `${prefix}:run-responses`;
}

/** Follows runs that somebody waits for. */
export interface RunProgress {
  /**
   * After a COMMIT in these runs: notes which have ended and tells the waiting web processes. In the
   * background; what is missed here, the waiting process finds by polling (rule 15).
   */
  advance(guids: string[]): void;
  /** After a COMMIT that stored the answers of these runs: tells the waiting web processes, in the background. */
  answered(guids: string[]): void;
  drain(): Promise<void>;
}

export function createRunProgress(deps: {
  database: Database;
  redis: Redis;
  prefix: string;
  logger: Logger;
}): RunProgress {
  let waiting = new Set<string>();
  let running: Promise<void> | undefined;

  const round = async () => {
    const guids = [...waiting];
    waiting = new Set();
    const over = await patiently(() => deps.database.read((session) => settleAwaitedRuns(session, guids)));
    await publish(over);
  };

  const publish = (guids: string[]) =>
    Promise.all(guids.map((guid) => deps.redis.publish(responseChannel(deps.prefix), guid)));

  const untold = (error: unknown) =>
    deps.logger.warn('waiting callers could not be told of the end of a run', { error: messageOf(error) });

  const run = async () => {
    while (waiting.size > 0) {
      await round().catch(untold);
    }
    running = undefined;
  };

  return {
    advance(guids) {
      for (const guid of guids) waiting.add(guid);
      running ??= run();
    },
    answered(guids) {
      publish(guids).catch(untold);
    },
    drain: () => running ?? Promise.resolve(),
  };
}
