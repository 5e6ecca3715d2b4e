import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import { scalar } from '../options/options.js';

/** Schema for a list of statuses and ranges in stories: `["0", "400-499", 500]`. */
export const statusRanges = () => Joi.array().items(scalar()).single().empty(Joi.valid('', null));

/** Whether the ranges contain a status; status 0 stands for no response. */
export type StatusTest = (status: number) => boolean;

/**
 * Returns a test for the statuses in these ranges. `name` is the option's.
 * @throws PermanentJobError for a text that is not a range.
 */
export function statusTest(ranges: string[], name: string): StatusTest {
  const parsed = ranges.flatMap((range) => range.split(',')).map((range) => parseRange(range, name));
  return (status) => parsed.some(([low, high]) => low <= status && status <= high);
}

function parseRange(range: string, name: string): [number, number] {
  const [, low, high = low] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(range) ?? [];
  if (low !== undefined) return [Number(low), Number(high)];
  throw new PermanentJobError(
    `${name}: "${range}" is neither a status such as 404 nor a range such as 400-499`,
  );
}
