import type { Logger } from '../../platform/logger.js';

/** Time for writing the rest of the log. */
const EXIT_AFTER_MS = 100;

/** Logs why this process is unhealthy and ends it, so that its supervisor starts a new one (promise 7). */
export function endUnhealthy(logger: Logger, why: string, facts: Record<string, unknown>): void {
  logger.error(why, facts);
  setTimeout(() => process.exit(1), EXIT_AFTER_MS);
}
