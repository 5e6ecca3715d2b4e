import type { Config } from '../config/config.js';
import { LOG_LEVELS, type LogLevel } from '../platform/log-level.js';
import { Forbidden, messageOf, type Problem, Unavailable, Unprocessable } from '../platform/errors.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { type LogComponent, LOG_COMPONENT_NAMES } from './log-components.js';
import type { KeptLevel, KeptLevels, KeptLevelStore } from './kept-levels.js';

/** New levels of components; null ends a level before its time. */
export interface LevelChange {
  levels: Partial<Record<LogComponent, LogLevel | null>>;
  minutes: number;
}

/** The level of one component, and when it ends; null: it is the usual one. */
export interface ShownLevel {
  component: LogComponent;
  level: LogLevel;
  endsAt: Date | null;
}

export interface LogLevelDeps {
  levels: KeptLevelStore;
  config: Pick<Config, 'logLevel' | 'logLevelChanges'>;
}

export type LogLevelService = ReturnType<typeof createLogLevelService>;

/** Shows and changes the levels of the components of all processes. It checks no rights: routes do that first. */
export function createLogLevelService({ levels, config }: LogLevelDeps) {
  const shown = (kept: KeptLevels): ShownLevel[] =>
    LOG_COMPONENT_NAMES.map((component) => {
      const { level = config.logLevel, endsAt = null } = kept.get(component) ?? {};
      return { component, level, endsAt };
    });

  return {
    /** @throws Unavailable without Redis. */
    async list(): Promise<ShownLevel[]> {
      return shown(await reached(() => levels.read()));
    },

    /** Returns the problems of a change: a level may only tell more than the usual one, so that nobody hides anything. */
    problems({ levels: wanted = {} }: Usable<LevelChange>): Problem[] {
      requireChanges(config);
      const usual = LOG_LEVELS.indexOf(config.logLevel);
      return Object.entries(wanted)
        .filter(([, level]) => level && LOG_LEVELS.indexOf(level) < usual)
        .map(([component]) => ({
          message: `levels.${component} tells less than LOG_LEVEL (${config.logLevel})`,
          details: `levels.${component}`,
        }));
    },

    /** Returns all levels after the change. @throws Forbidden, Unprocessable; Unavailable without Redis. */
    async change(change: LevelChange): Promise<ShownLevel[]> {
      const problems = this.problems(change);
      if (problems.length > 0) throw new Unprocessable(problems);
      const endsAt = new Date(Date.now() + change.minutes * 60_000);
      return reached(async () => {
        for (const component of LOG_COMPONENT_NAMES) {
          const level = change.levels[component];
          if (level === undefined) continue;
          const kept: KeptLevel | undefined = level === null ? undefined : { level, endsAt };
          await levels.write(component, kept);
        }
        return shown(await levels.read());
      });
    },
  };
}

function requireChanges({ logLevelChanges }: Pick<Config, 'logLevelChanges'>): void {
  if (logLevelChanges === 'nobody') throw new Forbidden('LOG_LEVEL_CHANGES forbids this on this server');
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Unavailable(`Redis does not keep log levels now: ${messageOf(error)}`, { cause: error });
  }
}
