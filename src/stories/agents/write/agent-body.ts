import Joi from 'joi';
import { component } from '../../../api/face.js';
import { nameField } from '../../../people/face.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { jsonObject } from '../../../platform/validation/json-object.js';
import { LIMITS } from '../../import/import-limits.js';
import type { AgentSettings } from './agent-settings.js';
import type { RequestedLink } from './agent-links.js';
import type { Position } from './layout.js';
import { LINK_TYPE_NAMES, type LinkType } from './link-types.js';

interface SourceLink {
  source_id: number;
  type: LinkType;
}

interface ReceiverLink {
  receiver_id: number;
  type: LinkType;
}

/** The fields that a request may set of an action. */
export interface AgentBody {
  name?: string;
  description?: string | null;
  disabled?: boolean;
  options?: JsonObject;
  keep_events_for?: number;
  schedule?: JsonValue;
  position?: Position | null;
  action_inputs?: JsonValue[] | null;
  source_ids?: number[] | null;
  links_to_sources?: SourceLink[] | null;
  receiver_ids?: number[] | null;
  links_to_receivers?: ReceiverLink[] | null;
  monitor_all_events?: boolean | null;
  monitor_failures?: boolean | null;
  monitor_no_events_emitted?: number | null;
  time_saved_value?: number | null;
  time_saved_unit?: string | null;
  story_id?: number;
  type?: string;
  draft_id?: number | null;
}

/** The body of a new action. */
export interface NewAgentBody extends AgentBody {
  story_id: number;
  type: string;
  name: string;
  options: JsonObject;
}

const MAX_SECONDS = 4_294_967_295;
/** Links of one side of one action. */
const MAX_LINKS = 2_000;
const MAX_INPUTS = 500;
const FAR = 1_000_000_000;

const scheduleWord = Joi.string().allow('', null).max(255);
const cronObject = Joi.object({
  cron: Joi.string().max(255).required(),
  timezone: Joi.string().allow('', null).max(64),
});
const scheduleField = Joi.alternatives(
  scheduleWord,
  cronObject,
  Joi.array().items(scheduleWord, cronObject),
).description(
  'When the action starts runs on its own: a name such as every_1d, cron with a time zone, or a list of these',
);

/** A place on the board. */
export const positionField = Joi.object<Position>({
  x: Joi.number().min(-FAR).max(FAR).required().description('Horizontal position'),
  y: Joi.number().min(-FAR).max(FAR).required().description('Downwards'),
})
  .allow(null)
  .description('Position on the canvas; null if none');

const linkType = Joi.string()
  .uppercase()
  .valid(...LINK_TYPE_NAMES)
  .default('DEFAULT')
  .description('NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently');
const ids = (what: string) =>
  Joi.array()
    .items(idField)
    .max(MAX_LINKS)
    .allow(null)
    .description(`${what}; existing links keep their types`);
const links = (end: string, other: string) =>
  Joi.array()
    .items(Joi.object({ [end]: idField.required(), type: linkType }))
    .max(MAX_LINKS)
    .allow(null)
    .custom((value: unknown, { state, error }) =>
      Array.isArray((state.ancestors as AgentBody[])[0]?.[other as keyof AgentBody])
        ? error('links.both')
        : value,
    )
    .messages({ 'links.both': `{{#label}} and "${other}" cannot be combined` })
    .description(`Same as ${other}, with the type of each link`);

/** The template inputs of an action, as exports keep them. */
export const inputsField = Joi.array()
  .items(
    component(
      'ActionInput',
      Joi.object({
        name: Joi.string()
          .max(255)
          .required()
          .description('Templates refer to it by slug: `INPUT.channel_user_id`'),
        type: Joi.string()
          .max(64)
          .allow(null)
          .description('`TEXT`, `CREDENTIAL`, `NUMBER` …; informational only'),
        value: Joi.any().description(
          'JSON value of an option; text can contain templates. Defaults to empty text',
        ),
      })
        .unknown(true)
        .description('An input of the template; unknown keys are kept'),
    ),
  )
  .max(MAX_INPUTS)
  .allow(null)
  .description('Template inputs, available as `INPUT`; null for none');

/** The draft that a request means instead of the story. */
export const draftField = idField
  .allow(null)
  .empty('')
  .description('Draft of the story; null for the story itself');

const keys = {
  name: nameField,
  description: Joi.string().allow('', null).max(LIMITS.descriptionBytes, 'utf8'),
  disabled: Joi.boolean(),
  options: jsonObject().description('Replaces all options'),
  keep_events_for: Joi.number()
    .integer()
    .min(0)
    .max(MAX_SECONDS)
    .description('Seconds; 0 to use the setting of the story'),
  schedule: scheduleField,
  position: positionField,
  action_inputs: inputsField,
  source_ids: ids('Replaces all sources of the action'),
  links_to_sources: links('source_id', 'source_ids'),
  receiver_ids: ids('Replaces all receivers of the action'),
  links_to_receivers: links('receiver_id', 'receiver_ids'),
  monitor_all_events: Joi.boolean().allow(null).description('Whether notices are sent for its events'),
  monitor_failures: Joi.boolean()
    .allow(null)
    .description('Whether notices are sent for its permanent failures'),
  monitor_no_events_emitted: Joi.number()
    .integer()
    .min(0)
    .max(MAX_SECONDS)
    .allow(null)
    .description('Seconds without an event after which a notice is sent; null or 0 for never'),
  time_saved_value: Joi.number()
    .integer()
    .min(0)
    .max(MAX_SECONDS)
    .allow(null)
    .description('The time that one event saves'),
  draft_id: draftField,
  time_saved_unit: Joi.string()
    .valid('minutes', 'hours', 'days')
    .allow(null)
    .description('The unit of `time_saved_value`'),
};

/** A type of actions, also one that only imports know. */
export const typeField = Joi.string()
  .max(64)
  .pattern(/^Agents::[A-Za-z0-9_:]+$/)
  .messages({ 'string.pattern.base': '{{#label}} must be an agent type such as Agents::TriggerAgent' });

export const newAgentBody = component(
  'NewAction',
  Joi.object<NewAgentBody>({
    ...keys,
    story_id: idField.required().description('The story to add it to'),
    type: typeField.required().description('Action type, such as `Agents::WebhookAgent`'),
    name: keys.name.required(),
    options: jsonObject().default({}).description('Options of the action type; none by default'),
  }),
);

export const agentBody = component(
  'ActionChanges',
  Joi.object<AgentBody>({
    ...keys,
    story_id: idField.description('Must be the story of the action; it cannot be moved'),
    type: typeField.description('Must be the type of the action; it cannot be changed'),
  }),
);

/** Keys of a response that clients send back. */
export const ECHOED = [
  'id',
  'guid',
  'live_id',
  'user_id',
  'team_id',
  'story_mode',
  'nested_group_id',
  'sources',
  'receivers',
  'created_at',
  'updated_at',
  'warnings',
  'last_check_at',
  'last_receive_at',
  'last_event_at',
  'last_error_log_at',
  'logs_count',
  'blended_events_count',
  'action_memory_contents',
  'pending_action_runs_count',
  'not_working',
];

/** Names for what Fabula lacks. */
export const LACKING = {
  group_id: 'action groups are not supported',
};

/** Returns what the body sets. null means absent for links, and none for other fields. */
export function agentSettingsOf(body: AgentBody): AgentSettings {
  const { name, description, disabled, options, schedule, position } = body;
  return {
    name,
    description,
    disabled,
    options,
    schedule,
    position,
    inputs: body.action_inputs,
    keepEventsForSeconds: body.keep_events_for,
    monitoring: monitoringOf(body),
    reporting: reportingOf(body),
    links: { sources: sourcesOf(body), receivers: receiversOf(body) },
    is: { storyId: body.story_id, type: body.type },
    draftId: body.draft_id,
  };
}

function monitoringOf(body: AgentBody): AgentSettings['monitoring'] {
  const { monitor_all_events: all, monitor_failures: failures, monitor_no_events_emitted: none } = body;
  if (all === undefined && failures === undefined && none === undefined) return undefined;
  return {
    monitor_all_events: all ?? undefined,
    monitor_failures: failures ?? undefined,
    monitor_no_events_emitted: none,
  };
}

function reportingOf({
  time_saved_value: value,
  time_saved_unit: unit,
}: AgentBody): AgentSettings['reporting'] {
  if ((value ?? unit ?? undefined) === undefined) return undefined;
  return { time_saved_value: value ?? undefined, time_saved_unit: unit ?? undefined };
}

function sourcesOf({ source_ids: ids, links_to_sources: typed }: AgentBody): RequestedLink[] | undefined {
  const links = typed?.map(({ source_id, type }) => ({ agentId: source_id, type }));
  return idLinks('source_ids', ids) ?? placed(links, (index) => `links_to_sources[${index}].source_id`);
}

function receiversOf({
  receiver_ids: ids,
  links_to_receivers: typed,
}: AgentBody): RequestedLink[] | undefined {
  const links = typed?.map(({ receiver_id, type }) => ({ agentId: receiver_id, type }));
  return idLinks('receiver_ids', ids) ?? placed(links, (index) => `links_to_receivers[${index}].receiver_id`);
}

function idLinks(key: string, ids: number[] | null | undefined): RequestedLink[] | undefined {
  const links = ids?.map((agentId) => ({ agentId, type: undefined }));
  return placed(links, (index) => `${key}[${index}]`);
}

function placed(
  links: Omit<RequestedLink, 'place'>[] | undefined,
  placeOf: (index: number) => string,
): RequestedLink[] | undefined {
  return links?.map((link, index) => ({ ...link, place: placeOf(index) }));
}
