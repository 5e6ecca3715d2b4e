import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { differencesSchema, placeKeys } from '../diff/diff-presenter.js';
import { graphBody } from '../graph/graph-body.js';
import { authorSchema, presentAuthor } from '../versions/version-author.js';
import type { StepVersion } from './step-service.js';
import type { StepRecord, StepVersionRecord } from './step-store.js';
import type { StoryUpdate } from './updates/step-updater.js';
import type { StepUseRecord } from './uses/step-use-service.js';

const number = Joi.number().integer();

export const languageField = Joi.string().valid('liquid', 'formula');

export const stepSchema = component(
  'Step',
  responseSchema({
    id: idSchema,
    guid: Joi.string().hex().length(32).description('Named in `fabula_step` of actions that came from it'),
    name: Joi.string(),
    description: Joi.string().allow(''),
    team_id: idSchema.allow(null).description('The team whose stories may use it; null: all of the tenant'),
    user_id: idSchema.description('The user who created it'),
    language: languageField.description('Language of its templates'),
    version: number.description('The newest version; also the `ETag`'),
    actions: number.description('Actions of the newest version'),
    action_types: Joi.array().items(Joi.string()).description('Their types'),
    stories: number.description('Live stories with actions of it, among those that you may see'),
    stories_behind: number.description('Stories of `stories` with an older version'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

export const stepExample = {
  id: 6,
  guid: '5e90a1b2c3d4e5f60718293a4b5c6d7e',
  name: 'Look up a host',
  description: 'Asks the asset register, and again after a pause',
  team_id: 2,
  user_id: 3,
  language: 'formula',
  version: 2,
  actions: 1,
  action_types: ['Agents::HTTPRequestAgent'],
  stories: 4,
  stories_behind: 1,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** A step in a response. */
export function presentStep(step: StepRecord) {
  return {
    id: step.id,
    guid: step.guid,
    name: step.name,
    description: step.description,
    team_id: step.teamId,
    user_id: step.userId,
    language: step.language,
    version: step.version,
    actions: step.actionCount,
    action_types: JSON.parse(step.actionTypes) as string[],
    stories: step.stories,
    stories_behind: step.behind,
    created_at: timestamp(step.createdAt),
    updated_at: timestamp(step.updatedAt),
  };
}

const versionKeys = {
  step_id: idSchema,
  number: number.description('Version number in the step, from 1'),
  reason: Joi.string().allow('').description('Why it was made'),
  user: authorSchema.description('The user who made it'),
  created_at: timeSchema,
};

export const stepVersionSchema = component('StepVersion', responseSchema(versionKeys));

/** A version with its content. */
export const stepContentSchema = component(
  'StepVersionContent',
  responseSchema({
    ...versionKeys,
    content: graphBody.description(
      'Actions, links and notes as in a graph of a story, without ids, addresses and secrets. Actions have the mark `fabula_step` that they keep in a story',
    ),
  }),
);

export const stepVersionExample = {
  step_id: 6,
  number: 2,
  reason: 'Waits longer between tries',
  user: { id: 3, first_name: 'Ada', last_name: 'Byron', email: 'ada@fabula.example' },
  created_at: '2026-11-21T09:30:00Z',
};

/** A version in a response. */
export function presentStepVersion(version: StepVersionRecord) {
  return {
    step_id: version.stepId,
    number: version.number,
    reason: version.reason,
    user: presentAuthor(version),
    created_at: timestamp(version.createdAt),
  };
}

/** A version with its content in a response. */
export function presentStepContent(version: StepVersion) {
  return { ...presentStepVersion(version), content: version.content };
}

export const stepUseSchema = component(
  'StepUse',
  responseSchema({
    story_id: idSchema,
    story_name: Joi.string().allow(''),
    team_id: idSchema,
    version: number.description('The oldest version of the step that one of the actions has'),
    behind: Joi.boolean().description('Whether the step has a newer version'),
    changed: Joi.boolean()
      .allow(null)
      .description(
        'Whether the story has changed the actions since; null if the version is not kept any more',
      ),
    change_control: Joi.boolean().description('Whether an update goes into a draft'),
    locked: Joi.boolean().description('Whether the story is locked: it cannot be updated'),
    actions: Joi.array()
      .items(
        component(
          'StepUseAction',
          responseSchema({
            id: idSchema,
            guid: Joi.string(),
            name: Joi.string().allow(''),
            version: number.description('The version of the step that it has'),
            action: Joi.string().allow('').description('The action in the step'),
          }),
        ),
      )
      .description('Actions of the story that came from the step'),
  }),
);

export const stepUseExample = {
  story_id: 12,
  story_name: 'Alert triage',
  team_id: 2,
  version: 1,
  behind: true,
  changed: false,
  change_control: false,
  locked: false,
  actions: [
    {
      id: 31,
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      name: 'Look up a host',
      version: 1,
      action: 'c0ffee00c0ffee00c0ffee00c0ffee00',
    },
  ],
};

/** A story that uses a step in a response. */
export function presentStepUse(use: StepUseRecord) {
  return {
    story_id: use.id,
    story_name: use.name,
    team_id: use.teamId,
    version: use.version,
    behind: use.isBehind,
    changed: use.isChanged,
    change_control: Boolean(use.changeControlEnabled),
    locked: Boolean(use.locked),
    actions: use.actions.map(({ id, guid, name, version, action }) => ({ id, guid, name, version, action })),
  };
}

const value = Joi.any().description('null if absent or unknown');

const conflict = component(
  'StepConflict',
  responseSchema({
    ...placeKeys,
    entry: Joi.string().description('Names the conflict in `resolve`'),
    base: value.description('In the version that the story took; null if absent or unknown'),
    story: value.description('In the story'),
    step: value.description('In the version that it would get'),
    because: Joi.string().allow(null).description('Why it is a conflict; null: both changed this very value'),
  }),
);

export const storyUpdateSchema = component(
  'StepUpdate',
  responseSchema({
    story_id: idSchema,
    story_name: Joi.string().allow(''),
    status: Joi.string()
      .valid('current', 'ready', 'updated', 'conflicts', 'refused')
      .description(
        '`current`: it has the version already; `ready`: a preview found no conflict; `conflicts`: some are open, and the story is unchanged; `refused`: see `problem`',
      ),
    into_draft: Joi.boolean().description('Whether the changes go into a new draft'),
    draft_id: idSchema.allow(null).description('The new draft; null if none'),
    differences: differencesSchema.description('Changes in the story'),
    local: differencesSchema.description('Changes that the story itself has made since it took the step'),
    conflicts: Joi.array().items(conflict).description('Parts that both have changed, at most 500'),
    conflict_count: number.description('All conflicts, listed or not'),
    problem: Joi.string().allow(null).description('Why the story was refused'),
    warnings: Joi.array().items(Joi.string()).description('Parts that could not be taken'),
  }),
);

export const storyUpdateExample = {
  story_id: 12,
  story_name: 'Alert triage',
  status: 'updated',
  into_draft: false,
  draft_id: null,
  differences: [
    {
      kind: 'option',
      change: 'changed',
      action: 'Look up a host',
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      path: 'options.retry_on_status',
      before: null,
      after: ['429'],
    },
  ],
  local: [],
  conflicts: [],
  conflict_count: 0,
  problem: null,
  warnings: [],
};

/** The result of an update for one story in a response. */
export function presentStoryUpdate(update: StoryUpdate) {
  return {
    story_id: update.storyId,
    story_name: update.storyName,
    status: update.status,
    into_draft: update.intoDraft,
    draft_id: update.draftId,
    differences: update.differences,
    local: update.local,
    conflicts: update.conflicts.map(({ live, draft, because, ...rest }) => ({
      ...rest,
      story: live,
      step: draft,
      because: because ?? null,
    })),
    conflict_count: update.conflictCount,
    problem: update.problem,
    warnings: update.warnings,
  };
}
