import winston from 'winston';
import type { LogLevel } from './log-level.js';
import type { Logger } from './logger.js';

/** The components of one logger, and the levels of those that have one of their own. */
interface Components {
  loggers: Map<string, Logger>;
  levels: ReadonlyMap<string, LogLevel>;
}

/** Kept with the logger, so that every part of a process gets the same logger for a component. */
const componentsOf = new WeakMap<Logger, Components>();

/** Hands finished lines to the transports of another logger, whatever its level. */
class Handing extends winston.transports.Console {
  constructor(private readonly root: Logger) {
    super();
  }

  override log(line: unknown, done: () => void): void {
    for (const transport of this.root.transports) transport.log?.(line, () => undefined);
    done();
  }
}

/**
 * Returns the logger of a component: its lines name it, and go where those of `root` go. Its level is that of `root`,
 * unless `setComponentLevels` gives it another.
 */
export function componentLogger(root: Logger, component: string): Logger {
  const { loggers, levels } = componentsFor(root);
  const known = loggers.get(component);
  if (known !== undefined) return known;
  const logger = winston.createLogger({
    level: levels.get(component) ?? root.level,
    silent: root.silent,
    defaultMeta: { ...(root.defaultMeta as object | null), component },
    format: root.format,
    transports: [new Handing(root)],
  });
  loggers.set(component, logger);
  return logger;
}

/** Sets the levels of components; a component without one has the level of `root`. Takes effect with the next line. */
export function setComponentLevels(root: Logger, levels: ReadonlyMap<string, LogLevel>): void {
  const components = componentsFor(root);
  components.levels = levels;
  for (const [name, logger] of components.loggers) logger.level = levels.get(name) ?? root.level;
}

function componentsFor(root: Logger): Components {
  const known = componentsOf.get(root) ?? { loggers: new Map<string, Logger>(), levels: new Map() };
  componentsOf.set(root, known);
  return known;
}
