import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { ACCESS_SOURCES, ACCESSES } from '../settings/story-settings.js';

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
  slug: Joi.string().allow('').description('The name as templates write it'),
  keep_events_for: Joi.number().integer().description('Seconds'),
  disabled: Joi.boolean(),
  priority: Joi.boolean().description('Whether its events go before those of other stories'),
  team_id: idSchema,
  folder_id: idSchema.allow(null),
  edited_at: timeSchema.description('The last change of its actions, links and notes'),
  mode: Joi.string().valid('LIVE', 'TEST').description('`TEST` for a draft'),
  published: Joi.boolean().description('Whether it is no draft'),
  locked: Joi.boolean().description('Whether its actions, links and notes may not be changed'),
  change_control_enabled: Joi.boolean().description('Whether they change by a promoted change request only'),
  owners: ids.description('Ids of users'),
  tags: texts.description('The names of its tags'),
  send_to_story_enabled: Joi.boolean().description('Whether other stories may call it'),
  send_to_story_access_source: Joi.string()
    .valid(...ACCESS_SOURCES)
    .description('The callers that it allows; there is no workbench'),
  send_to_story_access: Joi.string()
    .valid(...ACCESSES)
    .allow(null)
    .description('Stories of which teams may call it'),
  shared_team_slugs: texts.description('The teams of `SPECIFIC_TEAMS`'),
  send_to_story_skill_use_requires_confirmation: Joi.boolean().description(
    'Kept for other platforms; nothing here asks for it',
  ),
  entry_agent_id: idSchema.allow(null),
  exit_agents: ids.description('The actions whose events are returned to a calling action'),
  synchronous_webhooks_enabled: Joi.boolean(),
  webhook_api_enabled: Joi.boolean().description('The same as `synchronous_webhooks_enabled`'),
  api_entry_action_id: idSchema.allow(null).description('The first of `api_entry_action_ids`'),
  api_entry_action_ids: ids.description('Empty: all webhooks'),
  api_exit_action_ids: ids.description('Empty: those of `exit_agents`'),
  recipients: texts.description('Addresses that are told of failures'),
  monitor_failures: Joi.boolean().description('Whether failures of all actions are told'),
  gallery_slug: Joi.string()
    .allow(null)
    .description('The ready story of the gallery that it was made of, by its folder; null: none'),
};

/** The schema of a whole story in a response. */
export const storySchema = component('Story', responseSchema(storyKeys));

/** Present only with `include_live_activity=true`. */
const activityKeys = {
  pending_action_runs_count: Joi.number().integer().description('Deliveries that wait'),
  concurrent_runs_count: Joi.number().integer().description('Runs that are at work'),
  not_working_actions_count: Joi.number().integer().description('Actions with a dead letter'),
  tokens_used_percentage: Joi.number().integer().description('Always 0: nothing here uses tokens'),
};

/** The same, perhaps with its activity. */
export const activeStorySchema = component('ActiveStory', storySchema.keys(activityKeys));

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
  gallery_slug: null,
};
