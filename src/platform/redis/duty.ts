import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { RedisClient } from './redis-client.js';

/** Time after which the duty of a process that died is free. */
const HELD_MS = 5_000;
/** How often the process on duty confirms it, and how often each other one asks whether it is free. */
const CONFIRM_EVERY_MS = 1_500;
const ASK_EVERY_MS = 5_000;
/** Time without an answer from Redis after which a process no longer relies on another one. */
const PATIENCE_MS = 20_000;

/** KEYS: duty; ARGV: process, ms. Returns 1 if the process has the duty now. */
const CONFIRM = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** KEYS: duty; ARGV: process. */
const GIVE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;

/**
 * Work that one of several processes does, so that the others are idle. It is no lock: two processes may have the duty for a
 * moment, and each has it if Redis does not respond for long. So the work must be safe at any number of processes.
 */
export interface Duty {
  /** Shares in the duty until `signal` aborts; resolves when the last work has ended. */
  run(signal: AbortSignal, share: DutyShare): Promise<void>;
  /** Lets another process have the duty; this one continues unless another takes it. */
  offer(): void;
}

export interface DutyShare {
  /** Runs each time this process gets the duty; its signal aborts when another process has it. */
  work(signal: AbortSignal): Promise<unknown>;
  /** Called when another process has the duty: at the start, and after each work. */
  rest?(): void;
}

export interface DutyDeps {
  redis: Pick<RedisClient, 'eval' | 'set'>;
  /** The key that names the process on duty. */
  key: string;
  logger: Logger;
  askEveryMs?: number;
  patienceMs?: number;
}

/** Creates a share in the duty. It asks Redis again and again; it holds no connection of its own. */
export function createDuty(deps: DutyDeps): Duty {
  const { redis, key, logger, askEveryMs = ASK_EVERY_MS, patienceMs = PATIENCE_MS } = deps;
  const id = randomUUID();
  let isOffered = false;

  const give = () =>
    redis.eval(GIVE, 1, key, id).catch((error: unknown) => {
      logger.debug('could not release a duty: it expires in seconds', {
        duty: key,
        error: messageOf(error),
      });
    });
  const confirm = async () => (await redis.eval(CONFIRM, 1, key, id, HELD_MS)) === 1;
  const take = async () => (await redis.set(key, id, 'PX', HELD_MS, 'NX')) === 'OK';

  return {
    async run(signal, share) {
      const terms = createTerms(signal, share);
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
        if (!isOffered || !terms.isOn) continue;
        isOffered = false;
        await give();
        await pause(2 * askEveryMs, signal);
      }
      const ended = terms.end();
      await give();
      await ended;
    },
    offer() {
      isOffered = true;
    },
  };
}

/** Starts and ends the work; a term begins when the one before has ended. */
function createTerms(until: AbortSignal, share: DutyShare) {
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
      if (!next) return share.rest?.();
      term = new AbortController();
      const signal = AbortSignal.any([until, term.signal]);
      last = last.then(() => share.work(signal));
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
