import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Mentions } from '../../../language/template-mentions.js';
import type { TemplateLanguage } from '../../../language/template.js';
import { inTurn, TurnOver } from '../../../platform/runtime/time-limit.js';
import { TaskTooLarge, TaskTooLong, ThreadsBusy } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import type { CpuShare, CpuShares } from './cpu-shares.js';
import { createLoopTurns } from './loop-turns.js';
import { NoSlot } from '../story-concurrency.js';
import { textOfOptions } from './thread-scope.js';
import type { AnswerWork, RenderedInThread, RenderWork, RoundsInThread, RoundsWork } from './thread-work.js';

/** What one delivery may take of an event loop that others share (promise 9). */
const MOST_LOOP_MS = 50;
/** What waits for a thread for so long is handed back. */
const THREAD_WAIT_MS = 60_000;
const MOST_DEBT_WAIT_MS = 10_000;

/** Where the work of deliveries is done: on the event loop while it is short, else in a thread (decision 0030). */
export interface WorkLane {
  /** Whether it may be tried on the event loop. */
  isFree(share: CpuShare): boolean;
  /** @throws TurnOver when it is too long for the event loop; what `work` throws. */
  onLoop<T>(share: CpuShare, work: () => T): T | Promise<T>;
  /** For what has to be done here, such as sending: waits while the tenant has used more than its share. */
  hereInTime<T>(share: CpuShare, work: () => T): Promise<T>;
  /** @throws NoSlot when no thread has time for it; PermanentJobError when it takes too long or too much; what the work throws. */
  render(share: CpuShare, work: RenderWork, limits: ThreadLimits): Promise<RenderedInThread>;
  /** @throws the same. */
  runRounds(share: CpuShare, work: RoundsWork, limits: ThreadLimits): Promise<RoundsInThread>;
  /** The event of a large answer, as JSON text. @throws the same. */
  writeAnswer(share: CpuShare, work: AnswerWork, limits: ThreadLimits): Promise<{ text: string }>;
  /** What the templates of these options refer to; found once. @throws the same. */
  mentions(
    share: CpuShare,
    options: JsonObject,
    limits: ThreadLimits & { language: TemplateLanguage['name'] },
  ): Promise<Mentions>;
  /** Something large of this many characters was, or will be, handled on the event loop. */
  handled(share: CpuShare, characters: number): void;
}

export interface ThreadLimits {
  deadlineMs: number;
  signal: AbortSignal;
}

export interface WorkLaneDeps {
  shares: CpuShares;
  threads: Pick<ThreadPool, 'run'>;
}

/** Copying, writing as JSON and sending take about so long. */
const MS_PER_CHARACTER = 0.00001;
const LARGE_CHARACTERS = 64 * 1024;

export function createWorkLane({ shares, threads }: WorkLaneDeps): WorkLane {
  const turns = createLoopTurns();
  const known = new WeakMap<JsonObject, Mentions>();

  const measured = <T>(share: CpuShare, work: () => T): T => {
    const began = performance.now();
    try {
      return work();
    } catch (error) {
      if (error instanceof TurnOver) shares.wasTooLong(share);
      throw error;
    } finally {
      shares.spent(share, performance.now() - began);
    }
  };

  const inThread = async <T extends { workedMs: number }>(share: CpuShare, work: Promise<T>): Promise<T> => {
    try {
      const done = await work;
      shares.spentInThread(share, done.workedMs);
      return done;
    } catch (error) {
      throw fromThread(error);
    }
  };

  return {
    isFree: (share) => shares.isFree(share),
    onLoop: (share, work) =>
      turns.run(share.tenantId, () => measured(share, () => inTurn(MOST_LOOP_MS, work))),
    async hereInTime(share, work) {
      const debtMs = Math.min(shares.debtMs(share.tenantId), MOST_DEBT_WAIT_MS);
      if (debtMs > 0) await sleep(debtMs);
      return turns.run(share.tenantId, () => measured(share, work));
    },
    render(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, threads.run('render-options', work, options));
    },
    runRounds(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, threads.run('run-rounds', work, options));
    },
    writeAnswer(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, threads.run('write-answer', work, options));
    },
    async mentions({ tenantId }, options, { language, ...limits }) {
      const before = known.get(options);
      if (before !== undefined) return before;
      const input = { options: textOfOptions(options), language };
      const poolOptions = { tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      const found = await threads.run('find-mentions', input, poolOptions).catch((error: unknown) => {
        throw fromThread(error);
      });
      known.set(options, found);
      return found;
    },
    handled(share, characters) {
      if (characters > LARGE_CHARACTERS) shares.spent(share, characters * MS_PER_CHARACTER);
    },
  };
}

/** What an error of the pool means for a delivery. */
function fromThread(error: unknown): unknown {
  if (error instanceof ThreadsBusy) return new NoSlot();
  if (error instanceof TaskTooLong) {
    return new PermanentJobError(`The action took longer than ${error.limitMs} ms`, { cause: error });
  }
  if (error instanceof TaskTooLarge) {
    return new PermanentJobError('The action needs more memory than it may take', { cause: error });
  }
  return error;
}
