import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DeliveryJob,
  type DeliverySummary,
  type GiveUp,
  type IsCurrent,
  NoSlot,
} from '../../engine/face.js';
import type { Logger } from '../../platform/logger.js';
import { type IsolatedChild, startIsolatedChild } from './isolated-child.js';

/** How many times in a row a job may end its isolated process. */
const MAX_DEATHS = 3;
/** Pause between two attempts, in which a problem of the whole machine may pass. */
const PAUSE_MS = 3_000;
/**
 * Longest pause of a job that finds the process in use. Chance has each job rest for another time: if all came together, the process
 * would do one in each pause.
 */
const HAND_BACK_MS = 500;
/** An isolated process that is unused for this long is ended. */
const IDLE_MS = 30_000;

/** Runs jobs that may have killed their worker, each isolated in a process beside the worker (notes/runs.md, Run alone). */
export interface IsolatedRunner {
  /**
   * Returns the result of `runDelivery`; `gone`, without a process, if the job has no work left; a dead letter if the process ends
   * each time. Deaths of the worker itself do not count: the isolated process then ends too, and another worker starts counting again.
   * @throws NoSlot while another job uses the process.
   */
  run(job: DeliveryJob, signal: AbortSignal): Promise<DeliverySummary>;
  close(): Promise<void>;
}

export interface IsolatedRunnerDeps {
  giveUp: GiveUp;
  isCurrent: IsCurrent;
  logger: Logger;
  startChild?: () => Promise<IsolatedChild>;
  pauseMs?: number;
  idleMs?: number;
}

export function createIsolatedRunner(deps: IsolatedRunnerDeps): IsolatedRunner {
  const { startChild = startIsolatedChild, pauseMs = PAUSE_MS, idleMs = IDLE_MS } = deps;
  let inUse = false;
  let child: IsolatedChild | undefined;
  let idle: NodeJS.Timeout | undefined;

  const letGo = async () => {
    clearTimeout(idle);
    const old = child;
    child = undefined;
    await old?.close();
  };

  /** Returns undefined if the process ended. @throws when the job failed, but not because of the action. */
  const tryOnce = async (job: DeliveryJob, signal: AbortSignal): Promise<DeliverySummary | undefined> => {
    if (child?.isAlive() !== true) child = await startChild();
    const end = await child.run(job, signal);
    if (end.kind === 'ended') return end.summary;
    if (end.kind === 'undone') throw new Error(end.error);
    child = undefined;
    const { deliveryId } = job;
    deps.logger.warn('a process that ran an isolated delivery exited', {
      delivery_id: deliveryId,
      how: end.how,
    });
    return undefined;
  };

  return {
    async run(job, signal) {
      // A delivery that was given on leaves its old job, whose lock runs out.
      if (!(await deps.isCurrent(job))) return { outcome: 'gone' };
      if (inUse) throw new NoSlot(Math.ceil(Math.random() * HAND_BACK_MS));
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
          `The action crashed its worker process every time, ${MAX_DEATHS} times in an isolated process`,
        );
      } finally {
        inUse = false;
        idle = setTimeout(() => void letGo(), idleMs).unref();
      }
    },
    close: letGo,
  };
}
