import { setComponentLevels } from '../platform/component-logger.js';
import { LOG_LEVELS, type LogLevel } from '../platform/log-level.js';
import type { Logger } from '../platform/logger.js';
import type { KeptLevels, KeptLevelStore } from './kept-levels.js';

/** Time from a change to its effect in every process, at most. */
const EVERY_MS = 10_000;

export interface FollowedLevels {
  /** Reads the levels now. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Gives the components of this process the levels that hold at the moment, again every ten seconds. While Redis is away,
 * those that were read last hold until their time is over.
 */
export function followLevels({ levels, root }: { levels: KeptLevelStore; root: Logger }): FollowedLevels {
  let known: KeptLevels = new Map();
  let looking: Promise<void> | undefined;

  const read = async () => {
    // A lost connection is told of by itself.
    known = await levels.read().catch(() => known);
    const now = Date.now();
    const held = [...known].filter(([, { level, endsAt }]) => endsAt.getTime() > now && tellsMore(level));
    setComponentLevels(root, new Map(held.map(([component, { level }]) => [component, level])));
  };
  // The usual level of this process may differ from that of the process that changed the levels.
  const tellsMore = (level: LogLevel) =>
    LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(root.level as LogLevel);
  const look = () => (looking ??= read().finally(() => (looking = undefined)));
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  void look();
  return { look, close: () => clearInterval(timer) };
}
