import { createHash } from 'node:crypto';
import Joi from 'joi';
import type { JsonValue } from '../../platform/json.js';
import { flag, integer, textOf } from '../options.js';
import { defineMode } from './mode.js';

const DEFAULT_LOOKBACK = 100;
/** Also what 0, and a period alone, mean: everything has an end. */
const HIGHEST_LOOKBACK = 1_000_000;
/** Each time that a value may pass is looked up. */
const HIGHEST_TOLERANCE = 100;
const YEAR_SECONDS = 366 * 24 * 60 * 60;

interface DeduplicateOptions {
  path?: JsonValue;
  lookback?: number;
  period?: number;
  tolerance?: JsonValue;
  emit_duplicates?: boolean;
  /** As one export has it. */
  emit_duplicate?: boolean;
}

/**
 * `deduplicate`: an event passes when the value at `path` (absent: the whole event) is none of the last `lookback`
 * different ones that passed, or none of those that passed within `period` seconds; with `tolerance`, while it is
 * there fewer times than that. What comes out is
 * `{unique_event}`; duplicates come out only with `emit_duplicates`.
 */
export const deduplicate = defineMode<DeduplicateOptions>({
  options: Joi.object({
    path: Joi.any(),
    lookback: integer().min(0),
    period: integer().min(1).max(YEAR_SECONDS),
    tolerance: Joi.any(),
    emit_duplicates: flag(),
    emit_duplicate: flag(),
  }).unknown(true),
  readsWholeEvent: ({ path }) => path === undefined,
  run(options, { event }) {
    const { path, lookback, period } = options;
    const value = textOf(path === undefined ? event : path);
    const usual = period === undefined ? DEFAULT_LOOKBACK : HIGHEST_LOOKBACK;
    const emitDuplicates = options.emit_duplicates ?? options.emit_duplicate ?? false;
    return {
      claim: {
        kind: 'deduplicate',
        digest: createHash('sha256').update(value).digest('hex'),
        lookback: Math.min(lookback === 0 ? HIGHEST_LOOKBACK : (lookback ?? usual), HIGHEST_LOOKBACK),
        periodSeconds: period,
        tolerance: toleranceOf(options.tolerance),
      },
      granted: [{ payload: { unique_event: true } }],
      refused: emitDuplicates ? [{ payload: { unique_event: false } }] : [],
    };
  },
});

/** What is no number, or below 1, is the least there is: stories that run without the option must go on. */
function toleranceOf(value: JsonValue | undefined): number {
  const asked = Math.trunc(Number(value ?? 1));
  return asked >= 1 ? Math.min(asked, HIGHEST_TOLERANCE) : 1;
}
