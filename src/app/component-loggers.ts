import { componentLogger, type Logger } from '../platform/logger.js';

/** The parts of the server that a line of the log names; docs/operate/logs.md says what each logs. */
const LOG_COMPONENTS = ['requests', 'webhooks', 'jobs', 'queues', 'upkeep', 'stores', 'access'] as const;

/** The logger of each component of a process. */
export type ComponentLoggers = Record<(typeof LOG_COMPONENTS)[number], Logger>;

/** Returns the logger of each component of a process. */
export function componentLoggers(root: Logger): ComponentLoggers {
  const entries = LOG_COMPONENTS.map((name) => [name, componentLogger(root, name)] as const);
  return Object.fromEntries(entries) as ComponentLoggers;
}
