import type { Logger } from '../logger.js';

/** How long everything is logged after a signal. */
const DEBUG_MS = 15 * 60_000;

/**
 * Logs at `debug` for fifteen minutes after SIGUSR2, then at the level of before. A further signal begins the fifteen minutes
 * anew. Without this, the signal ends a process: call it as soon as there is a logger.
 */
export function debugOnSignal(logger: Logger): void {
  const usual = logger.level;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    logger.info('the configured log level applies again', { level: usual });
    logger.level = usual;
  };
  process.on('SIGUSR2', () => {
    clearTimeout(timer);
    timer = setTimeout(end, DEBUG_MS).unref();
    logger.level = 'debug';
    logger.info('everything is logged for fifteen minutes');
  });
}
