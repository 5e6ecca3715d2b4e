import { LOG_LEVELS, type AgentLogLevel } from '../../agents/face.js';

/** Names of the levels, from the lowest to the highest. */
export const LOG_SEVERITIES = Object.keys(LOG_LEVELS) as AgentLogLevel[];

/** Levels as public clients number them: they know 3 for info and 4 for error. */
export const API_LEVELS = [1, 2, 3, 4] as const;
const API_LEVEL_OF: Record<AgentLogLevel, number> = { debug: 1, info: 3, warn: 3, error: 4 };

/** Returns the name of a stored level. */
export function severityOf(stored: number): AgentLogLevel {
  return LOG_SEVERITIES.find((name) => LOG_LEVELS[name] === stored) ?? 'error';
}

/** Returns the number of a stored level in the API. */
export function apiLevelOf(stored: number): number {
  return API_LEVEL_OF[severityOf(stored)];
}

/** Returns the lowest stored level of lines with this level of the API and above. */
export function storedLevelFrom(apiLevel: number): number {
  const lowest = LOG_SEVERITIES.find((name) => API_LEVEL_OF[name] >= apiLevel) ?? 'error';
  return LOG_LEVELS[lowest];
}
