import Joi from 'joi';
import { component } from '../../../api/face.js';
import { nameField, oneLineField } from '../../../people/face.js';
import type { Problem } from '../../../platform/errors.js';
import { isFaulty, type Usable } from '../../../platform/validation/partial-input.js';
import type { StoryExport } from '../../export/export-form.js';
import { storyExportSchema } from '../../import/import-request.js';

/** Stories of a bundle, of one promotion, and of a request for a bundle. */
export const MOST_BUNDLED = 100;
const MOST_NAMES = 2_000;
/** Decided conflicts of one story. */
const MOST_RESOLVED = 2_000;
/** As many characters as the audit log keeps. */
const MAX_REASON_CHARACTERS = 500;

/** Where a bundle was made. */
export interface BundleSource {
  tenant: string;
  url: string | null;
}

/** A story of a bundle. */
export interface BundleStory {
  guid: string;
  name: string;
  team: string;
  data: StoryExport;
}

/** Names in the target by names in the source. */
export interface Mapping {
  teams: Record<string, string>;
  credentials: Record<string, string>;
  resources: Record<string, string>;
  webhook_paths: Record<string, string>;
}

/** The side of a conflict. */
export type Taken = 'incoming' | 'live';

/** How one story of the bundle is promoted. */
export interface StoryChoice {
  source_guid: string;
  leave_out: boolean;
  resolve: { entry: string; take: Taken }[];
  resolve_rest?: { take: Taken; live_version: number };
}

/** The body of a promotion, and of its check. */
export interface PromotionBody {
  bundle: { fabula_bundle: number; source: BundleSource; exported_at: string; stories: BundleStory[] };
  name?: string | null;
  mapping: Mapping;
  choices: StoryChoice[];
  overwrite: boolean;
  reason?: string | null;
}

const map = (what: string) =>
  Joi.object()
    .pattern(Joi.string().max(255), oneLineField.allow(''))
    .max(MOST_NAMES)
    .default({})
    .description(`${what} here, by the name in the bundle; the same name if absent`);

/** What a promotion changes into what. */
export const mappingSchema = component(
  'PromotionMapping',
  Joi.object<Mapping>({
    teams: map('Name of the team'),
    credentials: map('Name of the credential'),
    resources: map('Name of the resource'),
    webhook_paths: map('Path of a webhook that is new'),
  })
    .default({ teams: {}, credentials: {}, resources: {}, webhook_paths: {} })
    .description('Other names in this tenant'),
);

export const sourceSchema = component(
  'BundleSource',
  Joi.object<BundleSource>({
    tenant: Joi.string().max(255).allow('').required().description('Name of the tenant'),
    url: Joi.string().max(2_000).allow(null).required().description('Address of its server; null if unknown'),
  }).description('The tenant that the bundle is of'),
);

const needsSchema = component(
  'BundleNeeds',
  Joi.object({
    teams: names('Teams of the stories'),
    credentials: names('Credentials in their templates'),
    resources: names('Resources in their templates'),
    record_types: names('Record types that they write'),
    stories: names('Stories that they call, and that are not in the bundle'),
    webhook_paths: names('Paths of their webhooks'),
  })
    .unknown(true)
    .description('The names that the stories need; informative'),
);

function names(description: string) {
  return Joi.array().items(Joi.string().allow('')).description(description);
}

const bundleStory = component(
  'BundleStory',
  Joi.object<BundleStory>({
    guid: Joi.string().max(255).required().description('Guid of the story in the source'),
    name: nameField.required(),
    team: oneLineField.required().description('Name of its team in the source'),
    data: component(
      'BundledStory',
      storyExportSchema.keys({
        send_to_stories: Joi.any().description('Ignored: the stories that it calls stand beside it'),
      }),
    )
      .required()
      .description('The story in the export format, without secrets'),
  }),
);

/** A bundle: stories of one tenant for another. */
export const bundleSchema = component(
  'StoryBundle',
  Joi.object({
    fabula_bundle: Joi.number().valid(1).required().description('Version of the format'),
    source: sourceSchema.required(),
    exported_at: Joi.string().max(64).required().description('When the bundle was made'),
    stories: Joi.array().items(bundleStory).min(1).max(MOST_BUNDLED).required().description('The stories'),
    needs: needsSchema.description('Names to be found here or mapped; not checked against the stories'),
  }),
);

const take = Joi.string()
  .valid('incoming', 'live')
  .required()
  .description('`incoming`: the value of the bundle; `live`: the value here');

const choice = component(
  'PromotionChoice',
  Joi.object<StoryChoice>({
    source_guid: Joi.string().max(255).required().description('Guid of the story in the source'),
    leave_out: Joi.boolean().default(false).description('Does not promote the story'),
    resolve: Joi.array()
      .items(
        Joi.object({
          entry: Joi.string().max(2_000).required().description('`entry` of a conflict of the check'),
          take,
        }),
      )
      .max(MOST_RESOLVED)
      .default([])
      .description('Decides single conflicts, as long as their values stay the same'),
    resolve_rest: Joi.object({
      take,
      live_version: Joi.number()
        .integer()
        .required()
        .description('`live_version` of the check; ignored if the story has another version by now'),
    }).description('Decides all conflicts that `resolve` does not name'),
  }),
);

const reason = Joi.string()
  .trim()
  .max(MAX_REASON_CHARACTERS)
  .allow('', null)
  .description('Required with overwrite; recorded with the promotion');

/** The body of a promotion, and of its check. */
export const promotionBody = component(
  'PromotionRequest',
  Joi.object<PromotionBody>({
    bundle: bundleSchema.required().description('The stories, as the source has bundled them'),
    name: nameField
      .allow('', null)
      .description('Name of the promotion and of its versions; by default the tenant of the bundle'),
    mapping: mappingSchema.description('Names that differ here from those of the bundle'),
    choices: Joi.array()
      .items(choice)
      .max(MOST_BUNDLED)
      .default([])
      .description('Decides conflicts, and leaves stories out'),
    overwrite: Joi.boolean()
      .default(false)
      .description(
        'Stories with conflicts that `choices` does not decide become as in the bundle, and lose all changes made here',
      ),
    reason,
  }),
);

/** How a promotion is taken back. */
export interface RevertBody {
  overwrite: boolean;
  reason?: string | null;
}

export const revertBody = Joi.object<RevertBody>({
  overwrite: Joi.boolean()
    .default(false)
    .description('Reverts stories that were changed since, too; those changes stay as versions'),
  reason,
});

/** Returns the problem of an overwriting request without its reason. */
export function reasonProblems(body: Usable<RevertBody>): Problem[] {
  if (body.overwrite !== true || isFaulty(body, 'reason') || (body.reason ?? '') !== '') return [];
  return [{ message: '"reason" is required with overwrite', details: 'reason' }];
}
