import Joi from 'joi';
import { oneLineField, TEST_POLICIES, type TestPolicy } from '../../people/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { NamedAgents, SettingsRequest } from './settings-request.js';
import { addressField } from './recipient-field.js';
import {
  type Access,
  type AccessSource,
  ACCESS_SOURCES,
  ACCESSES,
  MOST_RUNBOOK_CHARACTERS,
} from './story-settings.js';

/** Most tags, addresses and team slugs that one request may give. */
const MOST_GIVEN = 100;
const MOST_AGENTS = 2_000;

/** The settings in the body of an update, under their newer and their older names (spec §3.10). */
export interface SettingsBody {
  tags?: string[];
  add_tag_names?: string[];
  remove_tag_names?: string[];
  send_to_story_enabled?: boolean | null;
  send_to_story_access_source?: AccessSource | null;
  send_to_story_access?: Access | null;
  shared_team_slugs?: string[];
  send_to_story_skill_use_requires_confirmation?: boolean | null;
  entry_action_id?: number | null;
  entry_agent_id?: number | null;
  exit_action_ids?: number[];
  exit_agent_ids?: number[];
  exit_agents?: number[];
  api_entry_action_id?: number | null;
  api_entry_action_ids?: number[];
  api_exit_action_ids?: number[];
  recipients?: string[];
  monitor_failures?: boolean | null;
  runbook?: string | null;
  run_subject?: string | null;
  tests_on_publish?: TestPolicy | null;
}

/** The name of a tag: lists of stories take them with commas between. */
export const tagField = oneLineField
  .trim()
  .min(1)
  .pattern(/^[^,]*$/, 'without commas');

/** Tags as a list, or as one text with commas between. */
export const tagList = Joi.array()
  .items(oneLineField.trim())
  .max(MOST_GIVEN)
  .single()
  .custom((given: unknown[]) =>
    // Items of another kind are named as faults already.
    [...new Set(given.flatMap((each) => (typeof each === 'string' ? each.split(',') : [])))].filter(Boolean),
  );

const tags = Joi.array().items(tagField).max(MOST_GIVEN).single().empty(null);
const agents = Joi.array().items(idField).max(MOST_AGENTS).single().empty(null);

/** The fields of an update that are settings; null leaves a list as it is. */
export const settingsFields = {
  tags: tags.description('All tags; replaces the earlier ones'),
  add_tag_names: tags,
  remove_tag_names: tags,
  send_to_story_enabled: Joi.boolean()
    .allow(null)
    .description('Deprecated name of `send_to_story_access_source`: `STS` or `OFF`'),
  send_to_story_access_source: Joi.string()
    .valid(...ACCESS_SOURCES)
    .allow(null)
    .description('`STS` and `STS_AND_WORKBENCH`: other stories can call this one'),
  send_to_story_access: Joi.string()
    .valid(...ACCESSES)
    .allow(null)
    .description('Teams whose stories can call this one; null for its own team'),
  shared_team_slugs: Joi.array()
    .items(oneLineField.min(1))
    .max(MOST_GIVEN)
    .single()
    .empty(null)
    .description('The teams of `SPECIFIC_TEAMS`'),
  send_to_story_skill_use_requires_confirmation: Joi.boolean()
    .allow(null)
    .description('Stored for compatibility with other platforms; no effect'),
  entry_action_id: idField
    .allow(null)
    .description('The action where calls from other stories start; null if not set'),
  entry_agent_id: idField.allow(null).description('Deprecated name of `entry_action_id`'),
  exit_action_ids: agents.description('Actions whose events are returned to the calling action'),
  exit_agent_ids: agents.description('Deprecated name of `exit_action_ids`'),
  exit_agents: agents.description('Deprecated name of `exit_action_ids`'),
  api_entry_action_id: idField.allow(null).description('The only webhook that responds with the result'),
  api_entry_action_ids: agents.description('Webhooks that respond with the result; empty for all'),
  api_exit_action_ids: agents.description('Actions whose first event is that result; empty for the exits'),
  recipients: Joi.array()
    .items(addressField)
    .max(MOST_GIVEN)
    .single()
    .empty(null)
    .description('Mail addresses and HTTP or HTTPS addresses that receive failure notices'),
  monitor_failures: Joi.boolean()
    .allow(null)
    .description('Whether notices are sent for failures of all actions'),
  runbook: Joi.string()
    .allow('', null)
    .max(MOST_RUNBOOK_CHARACTERS)
    .description('Markdown: what to do on failures'),
  run_subject: oneLineField
    .trim()
    .allow('', null)
    .description('Template for the subject of runs; sees the first event only'),
  tests_on_publish: Joi.string()
    .valid(...TEST_POLICIES)
    .allow(null)
    .description(
      '`block`: failing tests refuse a publication, as they do where the tenant blocks; else they warn. Only a team admin changes it from `block`',
    ),
};

/** Returns the settings that the valid parts of a body ask for; newer names have precedence. */
export function settingsRequestIn(body: Usable<SettingsBody>): SettingsRequest {
  return {
    sendToStoryEnabled: body.send_to_story_enabled ?? undefined,
    accessSource: body.send_to_story_access_source ?? undefined,
    access: body.send_to_story_access,
    sharedTeamSlugs: listIn(body.shared_team_slugs),
    needsConfirmation: body.send_to_story_skill_use_requires_confirmation ?? undefined,
    entry: agentsIn(body, ['entry_action_id', 'entry_agent_id']),
    exits: agentsIn(body, ['exit_action_ids', 'exit_agent_ids', 'exit_agents']),
    apiEntries: agentsIn(body, ['api_entry_action_ids', 'api_entry_action_id']),
    apiExits: agentsIn(body, ['api_exit_action_ids']),
    tags: listIn(body.tags),
    addTags: listIn(body.add_tag_names),
    removeTags: listIn(body.remove_tag_names),
    recipients: listIn(body.recipients),
    monitorFailures: body.monitor_failures ?? undefined,
    runbook: body.runbook === null ? '' : body.runbook,
    runSubject: body.run_subject === '' ? null : body.run_subject,
    testsOnPublish: body.tests_on_publish,
  };
}

function listIn(list: readonly (string | undefined)[] | undefined): string[] | undefined {
  return list && [...new Set(list.filter((item) => item !== undefined))];
}

type AgentField = Extract<keyof SettingsBody, `${string}_id` | `${string}_ids` | 'exit_agents'>;

/** Returns the agents under the first of these names that the body has. */
function agentsIn(body: Usable<SettingsBody>, fields: AgentField[]): NamedAgents | undefined {
  const field = fields.find((each) => body[each] !== undefined);
  if (field === undefined) return undefined;
  const given = [body[field] ?? []].flat().filter((id) => id !== undefined);
  return { field, ids: [...new Set(given)] };
}
