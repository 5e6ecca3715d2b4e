import {
  type AppError,
  Conflict,
  PreconditionFailed,
  type Problem,
  Unprocessable,
} from '../../../platform/errors.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { conflictWords, PROMOTION_SIDES } from '../../merge/conflict-words.js';
import type { PlannedStory, PromotionPlan } from './plan-promotion.js';

/** Returns why the promotion cannot be written; undefined if it can. */
export function refusalOf({ order, stories }: PromotionPlan): AppError | undefined {
  const missing = stories.flatMap(missingProblems);
  const refused = stories.flatMap(({ order: { name, place }, refusals }) =>
    refusals.map((message) => ({ message: `"${name}": ${message}`, details: place })),
  );
  const conflicts = order.overwrites ? [] : stories.flatMap(conflictProblems);
  const all = firstProblems([...missing, ...refused, ...conflicts]);
  if (missing.length > 0) return new Unprocessable(all);
  if (refused.length > 0) return new Conflict(all);
  return conflicts.length > 0 ? new PreconditionFailed(all) : undefined;
}

function missingProblems({ order: { name, team, place }, missing }: PlannedStory): Problem[] {
  return missing.map((each) => ({
    message: `"${name}": ${each.kind === 'team' ? 'the tenant' : `the team "${team}"`} has no ${each.kind} "${each.name}"`,
    details: place,
  }));
}

function conflictProblems({ order: { name, place }, live }: PlannedStory): Problem[] {
  const open = (live?.merge.conflicts ?? []).filter(({ take }) => take === null);
  return open.map((conflict) => {
    const { place: at, text } = conflictWords(conflict, PROMOTION_SIDES);
    return { message: `"${name}": ${at}: ${text}`, details: place, entry: conflict.entry };
  });
}
