import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import { nowMs } from '../../platform/runtime/clock-and-random.js';
import { parseIsoTime } from '../../platform/time/iso-time.js';
import { isGiven, number, scalar, optionText } from '../options/options.js';
import { defineMode } from './mode.js';

const YEAR_SECONDS = 366 * 24 * 60 * 60;
/** Larger numbers are milliseconds, as in templates. */
const SMALLEST_MILLISECONDS = 1e11;

interface DelayOptions {
  seconds?: number;
  until?: string;
}

/**
 * `delay`: emits `{seconds}` or `{until}` after `seconds`, or at the time `until` (ISO 8601, or seconds since 1970; 12
 * digits and more are milliseconds), at most a year ahead; never earlier (spec §5.3).
 */
export const delay = defineMode<DelayOptions>({
  options: Joi.object({ seconds: number().max(YEAR_SECONDS), until: scalar() }).unknown(true),
  checks: {
    until: (until, { seconds }) => {
      requireTime(seconds, until);
      if (until !== undefined) timeOf(optionText(until));
    },
  },
  loops: false,
  run({ seconds, until }, { resumed }) {
    requireTime(seconds, until);
    const wanted = until === undefined ? { seconds: seconds ?? 0 } : { until: timeOf(until) };
    const outputs = [{ payload: payloadOf(seconds, until) }];
    if (resumed || ('seconds' in wanted && wanted.seconds <= 0)) return { outputs };
    return { sleep: wanted };
  },
});

function requireTime(seconds: JsonValue | undefined, until: JsonValue | undefined): void {
  if (isGiven(seconds) || isGiven(until)) return;
  throw new PermanentJobError('option seconds or until is required');
}

function payloadOf(seconds: number | undefined, until: string | undefined): JsonValue {
  return { ...(seconds === undefined ? {} : { seconds }), ...(until === undefined ? {} : { until }) };
}

function timeOf(until: string): Date {
  const time = sinceEpoch(until.trim()) ?? parseIsoTime(until);
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new PermanentJobError('option until must be a time, such as 2026-11-21T12:00:00Z');
  }
  if (time.getTime() > nowMs() + YEAR_SECONDS * 1000) {
    throw new PermanentJobError('option until is more than a year ahead');
  }
  return time;
}

/** Reads a number, but not the eight digits of a day; a part of a millisecond is waited for too. */
function sinceEpoch(text: string): Date | undefined {
  if (!/^\d+(\.\d+)?$/.test(text) || /^\d{8}$/.test(text)) return undefined;
  const number = Number(text);
  return new Date(Math.ceil(number >= SMALLEST_MILLISECONDS ? number : number * 1000));
}
