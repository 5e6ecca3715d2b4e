import Joi from 'joi';
import type { Problem } from '../../../platform/errors.js';
import { isFaulty, type Usable } from '../../../platform/validation/partial-input.js';
import type { Side } from '../../merge/three-way.js';
import type { MergeWish } from '../prepare-merge.js';

/** How a request solves conflicts. */
export interface ResolveBody {
  resolve: { entry: string; take: Side }[];
}

/** How a publication solves conflicts. */
export interface MergeBody extends ResolveBody {
  overwrite: boolean;
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
};

export const mergeKeys = {
  ...resolveKeys,
  overwrite: Joi.boolean()
    .default(false)
    .description('Replaces the story with the draft and discards later published changes'),
  reason: Joi.string()
    .trim()
    .max(MAX_REASON_CHARACTERS)
    .allow('', null)
    .description('Required with overwrite; recorded in the audit log'),
};

/** An overwriting publication needs its reason. */
export function overwriteProblems(body: Usable<MergeBody>): Problem[] {
  if (body.overwrite !== true || isFaulty(body, 'reason') || (body.reason ?? '') !== '') return [];
  return [{ message: '"reason" is required with overwrite', details: 'reason' }];
}

/** Returns what the body of a request asks for. */
export function wishOf({ resolve, overwrite = false }: ResolveBody & Partial<MergeBody>): MergeWish {
  return { choices: resolve.map(({ entry, take }) => [entry, take] as const), overwrites: overwrite };
}
