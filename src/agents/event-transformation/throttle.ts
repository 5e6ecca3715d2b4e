import Joi from 'joi';
import { integer, word } from '../options/options.js';
import { defineMode } from './mode.js';

const INTERVALS_MS: ReadonlyMap<string, number> = new Map([
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]);

interface ThrottleOptions {
  interval: string;
  capacity: number;
  events_per_run: number;
}

/**
 * `throttle`: at most `capacity` events pass in each `interval` (second, minute, hour, day), evenly spaced,
 * `events_per_run` at a time, across all workers. The other events wait for a later slot. Emits `{interval, capacity}`.
 */
export const throttle = defineMode<ThrottleOptions>({
  options: Joi.object({
    interval: word()
      .lowercase()
      .replace(/s$/, '')
      .valid(...INTERVALS_MS.keys())
      .default('minute'),
    capacity: integer().min(1).max(1_000_000).required(),
    events_per_run: integer().min(1).max(1_000_000).default(1),
  }).unknown(true),
  loops: false,
  run({ interval, capacity, events_per_run: perSlot }, { resumed }) {
    const outputs = [{ payload: { interval, capacity } }];
    if (resumed) return { outputs };
    const slotMs = ((INTERVALS_MS.get(interval) ?? 0) * perSlot) / capacity;
    return { claim: { kind: 'throttle', perSlot, slotMs }, granted: outputs, refused: [] };
  },
});
