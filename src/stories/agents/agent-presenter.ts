import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { type AgentActivity, MAX_COUNTED } from './agent-activity-store.js';
import { descriptionIn, monitoringIn, reportingIn } from './write/agent-extra.js';
import { LINK_TYPE_NAMES } from './write/link-types.js';
import type { AgentView } from './agent-view.js';

const time = timeSchema.allow(null);
const count = Joi.number().integer().min(0);
const linkType = Joi.string()
  .valid(...LINK_TYPE_NAMES)
  .description('NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently');
const live = 'Returned for one action, and in lists with `include_live_activity`.';

/** The keys of an action that are present only if its activity was asked for, or in the response to a write. */
const activitySchema = {
  warnings: Joi.array()
    .items(Joi.string())
    .description('Returned by writes: parts that cannot work or have no effect; absent if none'),
  blended_events_count: count.description(`Stored events, up to ${MAX_COUNTED}. ${live}`),
  logs_count: count.description(`Log lines, up to ${MAX_COUNTED}. ${live}`),
  last_check_at: time.description(`When its schedule last started a run. ${live}`),
  last_receive_at: time.description(
    `When the inbound event of its newest event or log line was received. ${live}`,
  ),
  last_event_at: time.description(`When its newest stored event was emitted. ${live}`),
  last_error_log_at: time.description(`The newest error in its last ${MAX_COUNTED} log lines. ${live}`),
  pending_action_runs_count: count.description(
    'Waiting events, among the first 100,000 of the server. Present with `include_live_activity`.',
  ),
  not_working: Joi.boolean().description(
    'Whether it has a dead letter, among the first 100,000 of the server. Present with `include_live_activity`.',
  ),
  action_memory_contents: Joi.object()
    .unknown(true)
    .description(`State of modes such as throttle and deduplicate. ${live}`),
};

/** The keys of an action that are present only if it is one of a draft. */
const draftSchema = {
  draft_id: idSchema.description('Its draft. Only in drafts'),
  live_id: idSchema
    .allow(null)
    .description('The live action that it is a copy of; null if none. Only in drafts'),
};

/** An action in a response. */
export const agentResponse = component(
  'Action',
  responseSchema({
    id: idSchema,
    story_id: idSchema,
    team_id: idSchema,
    user_id: idSchema.description('The owner of the story'),
    type: Joi.string().description('Action type, such as `Agents::WebhookAgent`'),
    name: Joi.string().allow(''),
    description: Joi.string().allow('', null),
    guid: Joi.string().hex().length(32),
    disabled: Joi.boolean(),
    options: Joi.object().unknown(true),
    keep_events_for: Joi.number()
      .integer()
      .description('Event retention in seconds; 0 to use the setting of the story'),
    schedule: Joi.any().description('The schedule as imported or set; null if none'),
    position: responseSchema({
      x: Joi.number().description('Horizontal position'),
      y: Joi.number().description('Downwards'),
    })
      .allow(null)
      .description('Position on the canvas; null if none'),
    action_inputs: Joi.array()
      .items(Joi.any())
      .description('Template inputs, available to its templates as `INPUT`, each with `name` and `value`'),
    sources: Joi.array().items(idSchema).description('Ids of its source actions'),
    receivers: Joi.array().items(idSchema).description('Ids of its receivers'),
    links_to_sources: Joi.array()
      .items(responseSchema({ source_id: idSchema, type: linkType }))
      .description('Incoming links'),
    links_to_receivers: Joi.array()
      .items(responseSchema({ receiver_id: idSchema, type: linkType }))
      .description('Outgoing links'),
    monitor_all_events: Joi.boolean().description('Whether notices are sent for its events'),
    monitor_failures: Joi.boolean().description('Whether notices are sent for its permanent failures'),
    monitor_no_events_emitted: Joi.number()
      .integer()
      .allow(null)
      .description('Seconds without an event after which a notice is sent; null or 0 for never'),
    time_saved_value: Joi.number().description('The time that one event saves'),
    time_saved_unit: Joi.string().description('The unit of `time_saved_value`'),
    story_mode: Joi.string().valid('LIVE', 'TEST').description('TEST: in a draft'),
    group_id: Joi.valid(null).description('Action groups are not supported'),
    nested_group_id: Joi.valid(null).description('Action groups are not supported'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }).keys({ ...draftSchema, ...activitySchema }),
);

/** An action that `agentResponse` allows. */
export const agentExample = {
  id: 31,
  story_id: 12,
  team_id: 2,
  user_id: 3,
  type: 'Agents::EventTransformationAgent',
  name: 'Pick the host',
  description: 'The host that raised the alert',
  guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
  disabled: false,
  options: { mode: 'message_only', payload: { host: '{{ .receive_alert.body.host }}' } },
  keep_events_for: 0,
  schedule: null,
  position: { x: 30, y: 150 },
  action_inputs: [],
  sources: [30],
  receivers: [],
  links_to_sources: [{ source_id: 30, type: 'DEFAULT' }],
  links_to_receivers: [],
  monitor_all_events: false,
  monitor_failures: false,
  monitor_no_events_emitted: null,
  time_saved_value: 0,
  time_saved_unit: 'minutes',
  story_mode: 'LIVE',
  group_id: null,
  nested_group_id: null,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** An action with its activity. */
export const liveAgentExample = {
  ...agentExample,
  blended_events_count: 412,
  logs_count: 3,
  last_check_at: null,
  last_receive_at: '2026-11-21T10:02:11Z',
  last_event_at: '2026-11-21T10:02:11Z',
  last_error_log_at: null,
  action_memory_contents: {},
};

/** Presents an action. Options are given as stored, with a webhook's path and secret (spec §3.5). */
export function presentAgent(agent: AgentView) {
  return {
    id: agent.id,
    story_id: agent.storyId,
    team_id: agent.teamId,
    user_id: agent.userId,
    type: agent.type,
    name: agent.name,
    description: descriptionIn(agent.extra),
    guid: agent.guid,
    disabled: agent.disabled,
    options: agent.options,
    keep_events_for: agent.keepEventsForSeconds,
    schedule: agent.extra.schedule ?? null,
    position: agent.position ?? null,
    action_inputs: [...agent.inputs],
    sources: idsOf(agent.sources),
    receivers: idsOf(agent.receivers),
    links_to_sources: agent.sources.map(({ agentId, type }) => ({ source_id: agentId, type })),
    links_to_receivers: agent.receivers.map(({ agentId, type }) => ({ receiver_id: agentId, type })),
    ...monitoringIn(agent.extra),
    ...reportingIn(agent.extra),
    story_mode: agent.draftOf === null ? 'LIVE' : 'TEST',
    ...(agent.draftOf !== null && { draft_id: agent.storyId, live_id: agent.liveId ?? null }),
    group_id: null,
    nested_group_id: null,
    created_at: timestamp(agent.createdAt),
    updated_at: timestamp(agent.updatedAt),
    ...(agent.activity !== undefined && presentActivity(agent.type, agent.activity)),
    ...(agent.work !== undefined && {
      pending_action_runs_count: agent.work.pendingRuns,
      not_working: agent.work.notWorking,
    }),
    ...(agent.warnings !== undefined && agent.warnings.length > 0 && { warnings: agent.warnings }),
  };
}

/** Without duplicates, ascending. */
function idsOf(links: { agentId: number }[]): number[] {
  return [...new Set(links.map(({ agentId }) => agentId))].toSorted((a, b) => a - b);
}

function presentActivity(type: string, activity: AgentActivity) {
  // A webhook receives its calls, each of which it emits.
  const received = type === WEBHOOK_TYPE ? activity.lastEventAt : activity.lastReceiveAt;
  return {
    blended_events_count: activity.events,
    logs_count: activity.logs,
    last_check_at: timeOf(activity.lastCheckAt),
    last_receive_at: timeOf(received),
    last_event_at: timeOf(activity.lastEventAt),
    last_error_log_at: timeOf(activity.lastErrorLogAt),
    action_memory_contents: activity.memory,
  };
}

function timeOf(at: Date | undefined): string | null {
  return at === undefined ? null : timestamp(at);
}
