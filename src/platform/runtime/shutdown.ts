import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

/** One step of the shutdown; steps run in the order given. */
export interface ShutdownStep {
  name: string;
  stop(): Promise<void> | void;
}

/**
 * Stops the process in order on SIGTERM, SIGINT, or when its supervisor has ended. Exits with 0 when all steps have
 * succeeded, with 1 when one failed or the deadline passed: another process takes over unfinished work.
 */
export function onShutdown(options: { steps: ShutdownStep[]; logger: Logger; deadlineMs: number }): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    options.logger.info('stopping', { reason });
    const deadline = setTimeout(() => {
      options.logger.error('not stopped in time');
      process.exit(1);
    }, options.deadlineMs);
    deadline.unref();
    void runSteps(options.steps, options.logger)
      .finally(() => clearTimeout(deadline))
      .then((clean) => process.exit(clean ? 0 : 1));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('the supervisor has ended'));
}

async function runSteps(steps: ShutdownStep[], logger: Logger): Promise<boolean> {
  let clean = true;
  for (const step of steps) {
    try {
      await step.stop();
    } catch (error) {
      clean = false;
      logger.error('a part could not be stopped', { part: step.name, error: messageOf(error) });
    }
  }
  return clean;
}

/**
 * Exits on an uncaught error: the process is in an unknown state. It logs the error; its supervisor starts a new
 * process, and other processes take over its work (promise 4).
 */
export function exitOnUncaught(logger: Logger): void {
  const exit = (error: unknown) => {
    logger.error('uncaught error', { error });
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 100);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}
