import { setTimeout as sleep } from 'node:timers/promises';
import type { GiveUp } from '../src/engine/recovery/give-up.js';
import type { DeliverySummary } from '../src/engine/execute/run-delivery.js';
import { NoSlot } from '../src/engine/execute/story-concurrency.js';
import type { Logger } from '../src/platform/logger.js';
import type { DeliveryJob } from '../src/engine/state/delivery-job.js';
import { type LoneChild, startLoneChild } from './isolated-child.js';

/** Times that a job may end a process in which nothing else runs, in a row. */
const MAX_DEATHS = 3;
/** Between two of them: what the machine as a whole suffered from may be over then. */
const PAUSE_MS = 3_000;
/** A process that nobody needs for so long is let go. */
const IDLE_MS = 30_000;

/** Runs jobs that may have taken their worker down, each alone in a process beside the worker (decision 0013). */
export interface IsolatedRunner {
  /**
   * What `runDelivery` would give; a dead letter when the process ends each time. Deaths of the worker itself do not
   * count: this process then ends too, and another worker begins anew.
   * @throws NoSlot while another job has the process.
   */
  run(job: DeliveryJob, signal: AbortSignal): Promise<DeliverySummary>;
  close(): Promise<void>;
}

export interface IsolatedRunnerDeps {
  giveUp: GiveUp;
  logger: Logger;
  startChild?: () => Promise<LoneChild>;
  pauseMs?: number;
  idleMs?: number;
}

export function createIsolatedRunner(deps: IsolatedRunnerDeps): IsolatedRunner {
  const { startChild = startLoneChild, pauseMs = PAUSE_MS, idleMs = IDLE_MS } = deps;
  let inUse = false;
  let child: LoneChild | undefined;
  let idle: NodeJS.Timeout | undefined;

  const letGo = async () => {
    clearTimeout(idle);
    const old = child;
    child = undefined;
    await old?.close();
  };

  /** Undefined: the process ended. @throws when the job was not done, and the action is not to blame. */
  const tryOnce = async (job: DeliveryJob, signal: AbortSignal): Promise<DeliverySummary | undefined> => {
    if (child?.isAlive() !== true) child = await startChild();
    const end = await child.run(job, signal);
    if (end.kind === 'ended') return end.summary;
    if (end.kind === 'undone') throw new Error(end.error);
    child = undefined;
    const { deliveryId } = job;
    deps.logger.warn('a process that ran one delivery alone ended', { deliveryId, how: end.how });
    return undefined;
  };

  return {
    async run(job, signal) {
      if (inUse) throw new NoSlot();
      inUse = true;
      clearTimeout(idle);
      try {
        for (let deaths = 0; deaths < MAX_DEATHS; deaths += 1) {
          if (deaths > 0) await sleep(pauseMs, undefined, { signal });
          const summary = await tryOnce(job, signal);
          if (summary !== undefined) return summary;
        }
        return await deps.giveUp(
          job,
          `The action ended its worker process each time, ${MAX_DEATHS} times alone in it`,
        );
      } finally {
        inUse = false;
        idle = setTimeout(() => void letGo(), idleMs).unref();
      }
    },
    close: letGo,
  };
}
