import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import { scalar } from '../options.js';

/** A list of statuses and ranges as stories write them: `["0", "400-499", 500]`. */
export const statusRanges = () => Joi.array().items(scalar()).single().empty(Joi.valid('', null));

/** Whether a status is meant; status 0 stands for no answer. */
export type StatusTest = (status: number) => boolean;

/**
 * A test for the statuses these ranges hold. `name` is the option's.
 * @throws PermanentJobError for a text that is no range.
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
