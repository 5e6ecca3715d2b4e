import Joi from 'joi';
import type { Problem } from '../../../platform/errors.js';
import { isFaulty, type Usable } from '../../../platform/validation/partial-input.js';
import type { Side } from '../../merge/three-way.js';
import type { MergeWish } from '../prepare-merge.js';

/** How a request solves conflicts. */
export interface ResolveBody {
  resolve: { entry: string; take: Side }[];
  resolve_rest?: { take: Side; live_version: number };
}

/** How a publication solves conflicts. */
export interface MergeBody extends ResolveBody {
  overwrite: boolean;
  ignore_failed_tests: boolean;
  reason?: string | null;
}

const MOST_CHOICES = 2_000;
/** As many characters as the audit log keeps. */
const MAX_REASON_CHARACTERS = 500;

export const resolveKeys = {
  resolve: Joi.array()
    .items(
      Joi.object({
        entry: Joi.string().required().max(2_000).description('`entry` of an error of the status 412'),
        take: Joi.string().valid('live', 'draft').required().description('The side to keep'),
      }),
    )
    .max(MOST_CHOICES)
    .default([])
    .description('How to resolve the conflicts of a 412 response'),
  resolve_rest: Joi.object({
    take: Joi.string().valid('live', 'draft').required().description('The side to keep'),
    live_version: Joi.number()
      .integer()
      .required()
      .description('`live_version` of the comparison; ignored if the live story has another by now'),
  }).description('How to resolve all conflicts that `resolve` does not name'),
};

export const mergeKeys = {
  ...resolveKeys,
  overwrite: Joi.boolean()
    .default(false)
    .description('Replaces the story with the draft and discards later published changes'),
  ignore_failed_tests: Joi.boolean()
    .default(false)
    .description('Publishes although tests fail where they block; for team admins'),
  reason: Joi.string()
    .trim()
    .max(MAX_REASON_CHARACTERS)
    .allow('', null)
    .description('Required with overwrite and ignore_failed_tests; recorded in the audit log'),
};

/** A publication that overwrites, or passes over failed tests, needs its reason. */
export function missingReasonProblems(body: Usable<MergeBody>): Problem[] {
  const asking = (['overwrite', 'ignore_failed_tests'] as const).filter((key) => body[key] === true);
  if (asking.length === 0 || isFaulty(body, 'reason') || (body.reason ?? '') !== '') return [];
  return [{ message: `"reason" is required with ${asking.join(' and ')}`, details: 'reason' }];
}

/** Returns what the body of a request asks for. */
export function wishOf({
  resolve,
  resolve_rest: rest,
  overwrite = false,
  ignore_failed_tests: ignoresTests = false,
}: ResolveBody & Partial<MergeBody>): MergeWish {
  return {
    choices: resolve.map(({ entry, take }) => [entry, take] as const),
    rest: rest && { take: rest.take, liveVersion: rest.live_version },
    overwrites: overwrite,
    ignoresTests,
  };
}
