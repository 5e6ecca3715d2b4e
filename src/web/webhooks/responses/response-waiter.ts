import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { Database } from '../../../platform/mysql/database.js';
import { messageOf } from '../../../platform/errors.js';
import { newRunGuid, readResponseMessage, responseChannel } from '../../../engine/face.js';
import type { Logger } from '../../../platform/logger.js';
import { listenToChannels } from '../../../platform/redis/channel-listener.js';
import { answeredWith, findOutcomes, type RunOutcome } from './response-store.js';

export type WaitOutcome = RunOutcome | { kind: 'timeout' };

/** One open wait. */
export interface ResponseTicket {
  /** Returns the run's outcome, or `timeout` after `ms`, after `cancel`, or when the process stops. Call it once. */
  wait(ms: number): Promise<WaitOutcome>;
  cancel(): void;
}

/** Waits for the responses of runs (rule 15). */
export interface ResponseWaiter {
  /** Must run before the run is started, so that no notification is missed. End it with `wait` or `cancel`. */
  expect(guid: string): ResponseTicket;
  /** Settles every open wait as `timeout` and stops listening. Does not close the connection. */
  close(): Promise<void>;
}

export interface ResponseWaiterOptions {
  database: Pick<Database, 'read'>;
  /** A connection of its own: in subscriber mode it can run no other commands. */
  redis: RedisClient;
  prefix: string;
  logger: Logger;
  pollMs?: number;
}

const POLL_MS = 1000;
const GUIDS_PER_QUERY = 500;

type Settle = (outcome: WaitOutcome) => void;

/**
 * Listens for notifications on the channel of this process, and on that of each run whose guid was made otherwise. Polls all
 * open waits once a second, because notifications may be lost.
 */
export function createResponseWaiter(options: ResponseWaiterOptions): ResponseWaiter {
  const open = new Map<string, Settle>();
  const due = new Set<string>();
  const listener = listenToChannels({
    ...options,
    onMessage: (hint) => {
      const { guid, payload } = readResponseMessage(hint);
      if (!open.has(guid)) return;
      const outcome = payload === undefined ? undefined : answeredWith(payload);
      if (outcome === undefined) look([guid]);
      else settle(guid, outcome);
    },
  });
  const channelOf = (guid: string) => responseChannel(options.prefix, guid);
  listener.join(channelOf(newRunGuid()));
  let poll: NodeJS.Timeout | undefined;
  let looking = false;

  const settle = (guid: string, outcome: WaitOutcome): void => {
    const resolve = open.get(guid);
    if (open.delete(guid)) listener.leave(channelOf(guid));
    due.delete(guid);
    if (open.size === 0) {
      clearInterval(poll);
      poll = undefined;
    }
    resolve?.(outcome);
  };

  /** One query at a time: guids that become due meanwhile share the next one. */
  const lookAtDue = async (): Promise<void> => {
    while (due.size > 0) {
      const guids = [...due].slice(0, GUIDS_PER_QUERY);
      for (const guid of guids) due.delete(guid);
      const outcomes = await findOutcomes(options.database, guids);
      for (const [guid, outcome] of outcomes) settle(guid, outcome);
    }
  };

  const look = (guids: Iterable<string>): void => {
    for (const guid of guids) due.add(guid);
    if (looking) return;
    looking = true;
    lookAtDue()
      .catch((error: unknown) =>
        options.logger.warn('could not query open responses', { error: messageOf(error) }),
      )
      .finally(() => (looking = false));
  };

  return {
    expect(guid) {
      if (!open.has(guid)) listener.join(channelOf(guid));
      const outcome = new Promise<WaitOutcome>((resolve) => open.set(guid, resolve));
      poll ??= setInterval(() => look(open.keys()), options.pollMs ?? POLL_MS);
      const cancel = () => settle(guid, { kind: 'timeout' });
      return {
        async wait(ms) {
          const timer = setTimeout(cancel, ms);
          return await outcome.finally(() => clearTimeout(timer));
        },
        cancel,
      };
    },
    async close() {
      for (const guid of open.keys()) settle(guid, { kind: 'timeout' });
      await listener.close();
    },
  };
}
