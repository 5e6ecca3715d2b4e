import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { TEST_POLICIES } from '../../../people/face.js';
import { ACCESS_SOURCES, ACCESSES } from '../../settings/story-settings.js';

/** Who may answer for a story. */
export const OWNER_TYPES = ['USER', 'TEAM'] as const;

const ids = Joi.array().items(idSchema);
const texts = Joi.array().items(Joi.string());

/** The keys of a story in the bare list (spec §3.1). */
const listedKeys = {
  id: idSchema,
  name: Joi.string().allow(''),
  user_id: idSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  description: Joi.string().allow(''),
  guid: Joi.string().hex().length(32),
};

/** The keys of a response with a whole story (spec §3.1). */
const storyKeys = {
  ...listedKeys,
  slug: Joi.string().allow('').description('Name used in templates'),
  keep_events_for: Joi.number().integer().description('Seconds'),
  disabled: Joi.boolean(),
  priority: Joi.boolean().description('Whether its events have priority over other stories'),
  team_id: idSchema,
  folder_id: idSchema.allow(null),
  edited_at: timeSchema.description('When its actions, links or notes last changed'),
  mode: Joi.string().valid('LIVE', 'TEST').description('`TEST` for a draft'),
  published: Joi.boolean().description('Whether it is not a draft'),
  locked: Joi.boolean().description('Whether its actions, links and notes are locked'),
  change_control_enabled: Joi.boolean().description(
    'Whether they only change through promoted change requests',
  ),
  owners: ids.description('Ids of users'),
  owner: Joi.object({
    type: Joi.string()
      .valid(...OWNER_TYPES)
      .required()
      .description('A user or a team'),
    id: idSchema.required(),
    name: Joi.string().allow('').required().description('Current name'),
  })
    .allow(null)
    .description('The user or team to ask about the story; not part of exports'),
  tags: texts.description('Tag names'),
  send_to_story_enabled: Joi.boolean().description('Whether other stories can call it'),
  send_to_story_access_source: Joi.string()
    .valid(...ACCESS_SOURCES)
    .description('Allowed callers; there is no workbench'),
  send_to_story_access: Joi.string()
    .valid(...ACCESSES)
    .allow(null)
    .description('Teams whose stories can call it'),
  shared_team_slugs: texts.description('The teams of `SPECIFIC_TEAMS`'),
  send_to_story_skill_use_requires_confirmation: Joi.boolean().description(
    'Stored for compatibility with other platforms; no effect',
  ),
  entry_agent_id: idSchema.allow(null),
  exit_agents: ids.description('The actions whose events are returned to a calling action'),
  synchronous_webhooks_enabled: Joi.boolean(),
  webhook_api_enabled: Joi.boolean().description('Same as `synchronous_webhooks_enabled`'),
  api_entry_action_id: idSchema.allow(null).description('The first of `api_entry_action_ids`'),
  api_entry_action_ids: ids.description('Empty for all webhooks'),
  api_exit_action_ids: ids.description('Empty for those of `exit_agents`'),
  recipients: texts.description('Recipients of failure notices'),
  monitor_failures: Joi.boolean().description('Whether notices are sent for failures of all actions'),
  runbook: Joi.string().allow('').description('Markdown text: what to do when the story fails'),
  run_subject: Joi.string()
    .allow(null)
    .description('Template for the subject of runs; null for telling fields of their first event'),
  tests_on_publish: Joi.string()
    .valid(...TEST_POLICIES)
    .allow(null)
    .description('Effect of failing tests on a publication; null: the tenant’s setting'),
  gallery_slug: Joi.string()
    .allow(null)
    .description('Folder of the gallery story it was created from; null if none'),
};

/** The schema of a whole story in a response. */
export const storySchema = component('Story', responseSchema(storyKeys));

/** Present only with `include_live_activity=true`. */
const activityKeys = {
  pending_action_runs_count: Joi.number().integer().description('Waiting deliveries'),
  concurrent_runs_count: Joi.number().integer().description('Running runs'),
  not_working_actions_count: Joi.number().integer().description('Actions with a dead letter'),
  tokens_used_percentage: Joi.number().integer().description('Always 0'),
  starts_by: Joi.array()
    .items(Joi.string().valid('webhook', 'schedule'))
    .description('How its runs start: actions that are not disabled, and schedules that are not paused'),
};

/** The same, perhaps with its activity. */
export const activeStorySchema = component('ActiveStory', storySchema.keys(activityKeys));

/** A story that was made of an export. */
export const importedStory = component(
  'ImportedStory',
  storySchema.keys({
    draft_id: idSchema.description('The created draft; absent if none'),
    warnings: Joi.array().items(Joi.string()).description('Warnings for the owner; absent if none'),
  }),
);

/** The schema of a story in the bare list. */
export const listedStorySchema = component('ListedStory', responseSchema(listedKeys));

const listedExample = {
  id: 12,
  name: 'Alert triage',
  user_id: 3,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
  description: 'Sorts the alerts of the night',
  guid: '4f0d9f2c8a6b4f21a0d3c5e7b9182736',
};

/** A whole story, for examples. */
export const storyExample = {
  ...listedExample,
  slug: 'alert_triage',
  keep_events_for: 604_800,
  disabled: false,
  priority: false,
  team_id: 2,
  folder_id: null,
  edited_at: '2026-11-21T09:30:00Z',
  mode: 'LIVE',
  published: true,
  locked: false,
  change_control_enabled: false,
  owners: [3],
  owner: { type: 'USER', id: 3, name: 'Ada Lovelace' },
  tags: ['alerts'],
  send_to_story_enabled: false,
  send_to_story_access_source: 'OFF',
  send_to_story_access: null,
  shared_team_slugs: [],
  send_to_story_skill_use_requires_confirmation: true,
  entry_agent_id: null,
  exit_agents: [],
  synchronous_webhooks_enabled: false,
  webhook_api_enabled: false,
  api_entry_action_id: null,
  api_entry_action_ids: [],
  api_exit_action_ids: [],
  recipients: [],
  monitor_failures: false,
  runbook: '',
  run_subject: null,
  tests_on_publish: null,
  gallery_slug: null,
};
