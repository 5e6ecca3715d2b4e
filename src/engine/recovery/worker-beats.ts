import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import { connectedProcesses, newProcessId } from '../dispatch/figures/worker-names.js';
import type { TakeOver } from './take-over.js';

/** How often a process that works gives a beat, and how often each looks at the beats of others while there are any. */
const BEAT_MS = 1_000;
/** An idle process looks once in so many beats while there are none. */
const IDLE_LOOKS = 2;
/** Beats after the last job: what follows from it may still be on its way to Redis. */
const LAST_BEATS = 5;
/** Looks in a row at which a beat is the same as before: then its process counts as dead if its connections have gone too. */
const PATIENCE = 3;
/** The same for a process that is connected: it is frozen, or its event loop stands still for a while. */
const PATIENCE_WHILE_CONNECTED = 10;
/** The same for a process that has given no beat since Redis was away: it may need a while to connect again. */
const PATIENCE_AFTER_OUTAGE = 20;

export interface WorkerBeatsDeps {
  redis: RedisClient;
  prefix: string;
  /** Returns whether this process has jobs in hand. */
  isWorking: () => boolean;
  takeOver: TakeOver;
  logger: Logger;
  /** Default: `BEAT_MS`. */
  beatMs?: number;
}

/** The beats by which worker processes know that others live. */
export interface WorkerBeats {
  processId: string;
  /** This process has taken a job: others will miss it if it gives no beats. */
  took(): void;
  /**
   * Gives beats while this process works, and takes over from processes whose beats stand still, until the signal aborts; then this
   * process is not missed. Resolves when the work under way has ended.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the beats of this process: a count in a hash of Redis, which has the processes that work. One whose count stands still is
 * dead, is frozen, or has lost Redis; the process that deletes it from the hash gives its jobs on. If it goes on later, it counts on.
 * If its jobs cannot be given on, it is put into the hash again: the next attempt may be another process's, with other connections.
 * A process without jobs gives no beats (decision 0077).
 */
export function createWorkerBeats(deps: WorkerBeatsDeps): WorkerBeats {
  const { redis, logger, beatMs = BEAT_MS } = deps;
  const processId = newProcessId();
  const key = `${deps.prefix}:worker-beats`;
  const silence = createSilence();
  /** Whether the last attempt to give jobs on failed. */
  let isFailing = false;
  let beatsLeft = 0;
  let takingOver: Promise<void> = Promise.resolve();

  const unheard = (error: unknown) => logger.debug('Redis received no beat', { error: messageOf(error) });

  /** Gives a beat, or ends them; returns the beats of others. */
  const beat = async (): Promise<Map<string, string>> => {
    if (deps.isWorking()) beatsLeft = LAST_BEATS;
    const commands = redis.pipeline();
    if (beatsLeft > 0) {
      beatsLeft -= 1;
      if (beatsLeft > 0) commands.hincrby(key, processId, 1);
      else commands.hdel(key, processId);
    }
    const replies = (await commands.hgetall(key).exec()) ?? [];
    const failure = replies.find(([error]) => error !== null)?.[0];
    if (failure) throw failure;
    const beats = new Map(Object.entries((replies.at(-1)?.[1] ?? {}) as Record<string, string>));
    beats.delete(processId);
    return beats;
  };

  const takeOverFrom = async (silent: string) => {
    try {
      const given = await deps.takeOver(silent);
      isFailing = false;
      logger.warn('a worker process gives no beats: others do its work', { process: silent, ...given });
    } catch (error) {
      const facts = { process: silent, error: messageOf(error) };
      logger.log(isFailing ? 'debug' : 'warn', 'the jobs of a dead worker process must wait', facts);
      isFailing = true;
      await redis.hincrby(key, silent, 1).catch(unheard);
    }
  };

  /** Returns the processes that are dead by now, or as good as dead. */
  const lookForDead = async (beats: ReadonlyMap<string, string>): Promise<string[]> => {
    const silent = silence.look(beats);
    if (silent.length === 0) return [];
    const connected = await connectedProcesses(redis, processId);
    return silent.filter((id) => connected?.has(id) === false || !silence.bearWith(id));
  };

  const pass = async (): Promise<number> => {
    try {
      const beats = await beat();
      for (const dead of await lookForDead(beats)) {
        // One process deletes it. The work goes on beside the beats: others would miss this process meanwhile.
        if ((await redis.hdel(key, dead)) === 1) takingOver = takingOver.then(() => takeOverFrom(dead));
      }
      return beatsLeft > 0 || beats.size > 0 ? beatMs : IDLE_LOOKS * beatMs;
    } catch (error) {
      // The connection logs an outage itself.
      silence.missed();
      unheard(error);
      return beatMs;
    }
  };

  return {
    processId,
    took() {
      if (beatsLeft === 0) void redis.hincrby(key, processId, 1).catch(unheard);
      beatsLeft = LAST_BEATS;
    },
    async run(signal) {
      await loopUntil(signal, { pass, restAfterErrorMs: beatMs, failure: 'no beat', logger });
      await takingOver;
      await redis.hdel(key, processId).catch(unheard);
    },
  };
}

/** The beats of another process, as this one has seen them. */
interface Seen {
  beat: string;
  /** Looks since at which it was the same. */
  same: number;
  /** The process is silent after so many of them. */
  patience: number;
}

/**
 * Finds the processes whose beats stand still. It compares what this process has seen itself: no clocks, and looks instead of time,
 * so that nobody is missed by a process that was suspended itself.
 */
export function createSilence() {
  let seen = new Map<string, Seen>();
  return {
    /** Returns the processes that are silent by now. */
    look(beats: ReadonlyMap<string, string>): string[] {
      const before = seen;
      seen = new Map(
        [...beats].map(([id, beat]) => {
          const last = before.get(id);
          return last?.beat === beat
            ? [id, { ...last, same: last.same + 1 }]
            : [id, { beat, same: 0, patience: PATIENCE }];
        }),
      );
      return [...seen].filter(([, { same, patience }]) => same >= patience).map(([id]) => id);
    },
    /** Has more patience with a process; returns false if it has no more. */
    bearWith(id: string): boolean {
      const process = seen.get(id);
      if (process === undefined || process.patience > PATIENCE) return false;
      process.patience = PATIENCE_WHILE_CONNECTED;
      return true;
    },
    /** A look failed: the processes had no way to give beats. */
    missed(): void {
      for (const each of seen.values()) {
        each.same = 0;
        each.patience = PATIENCE_AFTER_OUTAGE;
      }
    },
  };
}
