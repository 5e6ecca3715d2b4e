import type { Config } from '../config/face.js';

/** The size at which a trial of a story stops. It runs twice if there is a past run. */
export const TRIAL_LIMITS = {
  maxEvents: 1_000,
  maxCharacters: 16 * 1024 * 1024,
  maxMs: 8_000,
  maxShownCharacters: 2 * 1024 * 1024,
};

/** Returns the limits of a trial that are the same as those of runs. */
export function runLimitsOf({ maxAttempts, maxDepth, maxCallDepth }: Config) {
  return { maxAttempts, maxDepth, maxCallDepth };
}
