import { createHash } from 'node:crypto';
import Joi from 'joi';
import type { JsonValue } from '../../platform/json.js';
import { withPlainNumbers } from '../../platform/json/plain-numbers.js';
import { flag, integer, optionText } from '../options/options.js';
import { defineMode } from './mode.js';

const DEFAULT_LOOKBACK = 100;
/** Also the meaning of 0, or of a period without a lookback: every lookback is bounded. */
export const HIGHEST_LOOKBACK = 1_000_000;
/** Bounded, because each allowed pass of a value is one more digest to query. */
const HIGHEST_TOLERANCE = 100;
const YEAR_SECONDS = 366 * 24 * 60 * 60;

interface DeduplicateOptions {
  path?: JsonValue;
  lookback?: number;
  period?: number;
  tolerance?: JsonValue;
  emit_duplicates?: boolean;
  /** Spelling in one export. */
  emit_duplicate?: boolean;
}

/**
 * `deduplicate`: compares the value at `path` (absent: the whole event) with the last `lookback` distinct values that
 * passed, or with those that passed within `period` seconds. An event passes if its value is not among them; with
 * `tolerance`, if it is there fewer times than that. Emits `{unique_event}`; duplicates emit only with `emit_duplicates`.
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
  loops: false,
  readsWholeEvent: ({ path }) => path === undefined,
  run(options, { event }) {
    const { path, lookback, period } = options;
    const value = optionText(withPlainNumbers(path === undefined ? event : path));
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

/** A tolerance that is no number, or below 1, counts as 1: stories that ran without the option must keep running. */
function toleranceOf(value: JsonValue | undefined): number {
  const asked = Math.trunc(Number(value ?? 1));
  return asked >= 1 ? Math.min(asked, HIGHEST_TOLERANCE) : 1;
}
