import {
  type AppError,
  Conflict,
  PreconditionFailed,
  type Problem,
  Unprocessable,
} from '../../../platform/errors.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { describePlace, describeValue } from '../../diff/describe-value.js';
import type { MergeConflict } from '../../merge/conflict-book.js';
import type { PlannedStory, PromotionPlan } from './plan-promotion.js';

/** Returns why the promotion cannot be written; undefined if it can. */
export function refusalOf({ order, stories }: PromotionPlan): AppError | undefined {
  const places = stories.map((story, index) => ({ story, place: `bundle.stories[${index}]` }));
  const missing = places.flatMap(({ story, place }) => missingProblems(story, place));
  const refused = places.flatMap(({ story, place }) =>
    story.refusals.map((message) => ({ message: `"${story.order.name}": ${message}`, details: place })),
  );
  const conflicts = order.overwrites
    ? []
    : places.flatMap(({ story, place }) => conflictProblems(story, place));
  const all = firstProblems([...missing, ...refused, ...conflicts]);
  if (missing.length > 0) return new Unprocessable(all);
  if (refused.length > 0) return new Conflict(all);
  return conflicts.length > 0 ? new PreconditionFailed(all) : undefined;
}

function missingProblems({ order, missing }: PlannedStory, place: string): Problem[] {
  return missing.map(({ kind, name }) => ({
    message: `"${order.name}": ${kind === 'team' ? 'the tenant' : `the team "${order.team}"`} has no ${kind} "${name}"`,
    details: place,
  }));
}

function conflictProblems({ order, live }: PlannedStory, place: string): Problem[] {
  return (live?.merge.conflicts ?? []).map((conflict) => ({
    message: `"${order.name}": ${conflictText(conflict)}`,
    details: place,
  }));
}

function conflictText({ base, live, draft, because, ...place }: MergeConflict): string {
  const values = `it came with ${describeValue(base)}; here it is ${describeValue(live)}, and comes with ${describeValue(draft)}`;
  return `${describePlace(place)}: ${values}${because === undefined ? '' : `; ${because}`}`;
}
