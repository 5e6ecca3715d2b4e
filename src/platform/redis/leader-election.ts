import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { RedisClient } from './redis-client.js';

/** Time after which the leadership of a process that died is free. */
const HELD_MS = 5_000;
/** How often the leader confirms its leadership, and how often each follower asks whether it is free. */
const CONFIRM_EVERY_MS = 1_500;
const ASK_EVERY_MS = 5_000;
/** Time without a response from Redis after which a process no longer relies on another one. */
const PATIENCE_MS = 20_000;

/** KEYS: leadership; ARGV: process, ms. Returns 1 if the process is the leader now. */
const CONFIRM = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** KEYS: leadership; ARGV: process. */
const GIVE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;

/**
 * Work that one of several processes does, so that the others are idle. It is no lock: two processes may lead for a
 * moment, and each does if Redis does not respond for long. So the work must be safe at any number of processes.
 */
export interface Leadership {
  /** Takes part in the election until `signal` aborts; resolves when the last work has ended. */
  run(signal: AbortSignal, role: LeaderWork): Promise<void>;
  /** Lets another process become the leader; this one continues unless another does. */
  yield(): void;
}

export interface LeaderWork {
  /** Runs each time this process becomes the leader; its signal, not yet aborted, aborts when another process is. */
  work(signal: AbortSignal): Promise<unknown>;
  /** Called when another process is the leader: at the start, and after each work. */
  onFollower?(): void;
}

export interface LeaderElectionDeps {
  redis: Pick<RedisClient, 'eval' | 'set'>;
  /** The key that names the leader. */
  key: string;
  logger: Logger;
  askEveryMs?: number;
  patienceMs?: number;
}

/** Creates the leader election. It polls Redis, and holds no connection of its own. */
export function createLeaderElection(deps: LeaderElectionDeps): Leadership {
  const { redis, key, logger, askEveryMs = ASK_EVERY_MS, patienceMs = PATIENCE_MS } = deps;
  const id = randomUUID();
  let isYielding = false;

  const give = () =>
    redis.eval(GIVE, 1, key, id).catch((error: unknown) => {
      logger.debug('could not release the leadership: it expires in seconds', {
        leader: key,
        error: messageOf(error),
      });
    });
  const confirm = async () => (await redis.eval(CONFIRM, 1, key, id, HELD_MS)) === 1;
  const take = async () => (await redis.set(key, id, 'PX', HELD_MS, 'NX')) === 'OK';

  return {
    async run(signal, role) {
      const terms = createTerms(signal, role);
      let answeredAt = performance.now();
      while (!signal.aborted) {
        try {
          const isOurs = terms.isOn ? await confirm() : await take();
          answeredAt = performance.now();
          terms.set(isOurs);
        } catch {
          // The connection logs an outage itself.
          if (performance.now() - answeredAt > patienceMs) terms.set(true);
        }
        await pause(terms.isOn ? CONFIRM_EVERY_MS : askEveryMs * (0.8 + 0.4 * Math.random()), signal);
        if (!isYielding || !terms.isOn) continue;
        isYielding = false;
        await give();
        await pause(2 * askEveryMs, signal);
      }
      const ended = terms.end();
      await give();
      await ended;
    },
    yield() {
      isYielding = true;
    },
  };
}

/** Starts and ends the work; a term begins when the one before has ended. */
function createTerms(until: AbortSignal, role: LeaderWork) {
  let isOn: boolean | undefined;
  let term = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  return {
    get isOn() {
      return isOn === true;
    },
    set(next: boolean): void {
      if (next === isOn) return;
      isOn = next;
      term.abort();
      if (!next) return role.onFollower?.();
      term = new AbortController();
      const signal = AbortSignal.any([until, term.signal]);
      last = last.then(() => (signal.aborted ? undefined : role.work(signal)));
    },
    end(): Promise<unknown> {
      term.abort();
      return last;
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
