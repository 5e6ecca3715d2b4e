import type { Logger } from '../src/platform/logger.js';

/** For what is still to be written to the log. */
const EXIT_AFTER_MS = 100;

/** Says why this process is of no use, and ends it: its supervisor starts one that may be (promise 7). */
export function endUnhealthy(logger: Logger, why: string, facts: Record<string, unknown>): void {
  logger.error(why, facts);
  setTimeout(() => process.exit(1), EXIT_AFTER_MS);
}
