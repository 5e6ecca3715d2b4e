import { type Problem, Unprocessable } from '../../platform/errors.js';
import { attempt, firstProblems, mergedProblems } from '../../platform/validation/validate.js';
import type { FurtherProblems } from '../route.js';

/**
 * Returns the error for a request with invalid shape: its problems, and those that the route's check finds.
 * @throws NotFound and Forbidden, as the check does.
 */
export async function refusalOf(
  shape: Problem[],
  check: () => FurtherProblems | Promise<FurtherProblems>,
): Promise<Unprocessable> {
  const { value, problems } = await attempt(check);
  return new Unprocessable(firstProblems(mergedProblems(shape, value ?? problems)));
}
