import { componentLogger } from '../platform/component-logger.js';
import type { Logger } from '../platform/logger.js';
import { type LogComponent, LOG_COMPONENT_NAMES } from './log-components.js';

/** Returns the logger of each component of a process. */
export function componentLoggers(root: Logger): Record<LogComponent, Logger> {
  const entries = LOG_COMPONENT_NAMES.map((name) => [name, componentLogger(root, name)] as const);
  return Object.fromEntries(entries) as Record<LogComponent, Logger>;
}
