import Joi from 'joi';
import type { Problem } from '../../platform/errors.js';
import { component } from '../../api/face.js';
import { isJsonObject } from '../../platform/json.js';
import { mergedProblems } from '../../platform/validation/validate.js';
import { nameField, oneLineField, wholeTextField } from '../../people/face.js';
import { withoutEmptyStrangers } from '../../platform/validation/strangers.js';
import { inspect, type Usable } from '../../platform/validation/partial-input.js';
import type { StoryExport } from '../export/export-form.js';
import { foreignFormatOf } from './foreign-format.js';
import { exceedsDepth, LIMITS } from './import-limits.js';
import { jsonObject } from '../../platform/validation/json-object.js';

/** The body of an import (spec §3.3) with its structure checked. */
export interface ImportRequest {
  newName: string;
  data: StoryExport;
  teamId: number | undefined;
  folderId: number | undefined;
  mode: 'new' | 'versionReplace';
  /** Imports into a new draft of that name instead of into the story. */
  draftName?: string | undefined;
}

/** The body as the client sends it. */
export interface ImportBody {
  new_name: string;
  data: StoryExport;
  team_id?: number | null;
  folder_id?: number | null;
  mode: ImportRequest['mode'];
  draft_name?: string | null;
}

const position = Joi.number().integer().min(0);
const seconds = Joi.number().integer().min(0).max(4_294_967_295);

/** An agent of an export. */
export const exportedAgent = component(
  'ExportedAction',
  Joi.object({
    type: Joi.string()
      .max(64)
      .pattern(/^Agents::[A-Za-z0-9_:]+$/)
      .required()
      .messages({ 'string.pattern.base': '{{#label}} must be an agent type such as Agents::TriggerAgent' })
      .description('Action type; unsupported types are stored but do not run'),
    name: wholeTextField.required().description('Display name; templates use its slug'),
    guid: Joi.string().max(255).description('Id that is stable across exports'),
    disabled: Joi.boolean(),
    options: jsonObject().required().description('Options of the action type'),
    keep_events_for: seconds.allow(null).description('Seconds; 0 to use the setting of the story'),
  })
    .unknown(true)
    .description('An action of an exported story; unknown keys are kept'),
);

/** A link of an export. */
export const exportedLink = component(
  'ExportedLink',
  Joi.object({
    source: position.required().description('Position of the source action in `agents`, from 0'),
    receiver: position.required().description('Position of the receiver in `agents`, from 0'),
    link_type: Joi.string()
      .max(32)
      .pattern(/^[\x20-\x7e]+$/, 'printable ASCII')
      .allow(null)
      .description('Output of the source that the link carries'),
  })
    .unknown(true)
    .description('A link between two actions'),
);

const storyForm = Joi.object({
  schema_version: Joi.number()
    .integer()
    .min(1)
    .max(4_294_967_295)
    .required()
    .description('Format version, which sets the template language'),
  name: Joi.string().max(255).allow('', null),
  description: Joi.string()
    .allow('', null)
    .custom((text: string, helpers) =>
      Buffer.byteLength(text) > LIMITS.descriptionBytes ? helpers.error('description.size') : text,
    )
    .messages({ 'description.size': `{{#label}} can have at most ${LIMITS.descriptionBytes} bytes` }),
  guid: Joi.string().max(255).allow('', null),
  agents: Joi.array().items(exportedAgent).max(LIMITS.agents).required().description('The actions'),
  links: Joi.array().items(exportedLink).max(LIMITS.links).required().description('Links between actions'),
  keep_events_for: seconds.allow(null),
  disabled: Joi.boolean().allow(null),
  priority: Joi.boolean().allow(null).description('Whether its events have priority over other stories'),
  synchronous_webhooks_enabled: Joi.boolean().allow(null),
  standard_lib_version: Joi.any().description('Stored without effect'),
  send_to_stories: Joi.array()
    .items(component('EmbeddedStory', Joi.link('#embedded')))
    .max(LIMITS.subStories)
    .allow(null)
    .description('Stories called by its actions'),
})
  .unknown(true)
  .description('A story in the export format; unknown keys are kept');

/** The export form of a story, as an import takes it (spec §3.4). */
export const storyExportSchema = component('StoryExport', storyForm);

/** An embedded story keeps its name, because actions refer to it by name. */
const embedded = component('EmbeddedStory', storyForm.keys({ name: oneLineField.required() }).id('embedded'));

/** The body of an import (spec §3.3). */
export const importBody = Joi.object<ImportBody>({
  new_name: nameField.required().description('Name of the imported story'),
  data: storyExportSchema.required().description('The story'),
  team_id: Joi.number().integer().positive().allow(null),
  folder_id: Joi.number().integer().positive().allow(null),
  mode: Joi.string()
    .valid('new', 'versionReplace')
    .default('new')
    .description('`versionReplace` replaces the newest story with this name'),
  draft_name: nameField
    .allow(null)
    .description('Imports into a new draft with this name instead of the story; `new_name` is then optional'),
})
  .shared(embedded)
  .required();

/** The result of reading an import's body, complete or as far as it is usable. */
export interface InspectedImport {
  /** Undefined if there are problems. */
  request: ImportRequest | undefined;
  usable: Usable<ImportBody>;
  /** Faults of the structure, each with its path. */
  problems: Problem[];
}

/** Reads the body of an import. Numbers and booleans may be text. */
export function inspectImport(body: unknown): InspectedImport {
  if (exceedsDepth(body, LIMITS.depth)) return inspectTooDeep(body);
  const foreign = isJsonObject(body) ? foreignFormatOf(body.data) : undefined;
  if (foreign !== undefined) {
    const message = `is ${foreign}; only exports of stories can be imported`;
    return { request: undefined, usable: {}, problems: [{ message, details: 'data' }] };
  }
  const { value, usable, problems } = inspect(importBody, withoutEmptyStrangers(importBody, withName(body)));
  return { request: value && requestOf(value), usable, problems };
}

/** An import into a draft means the story of the name in `data`, unless it names one. */
function withName(body: unknown): unknown {
  if (!isJsonObject(body) || typeof body.draft_name !== 'string' || Object.hasOwn(body, 'new_name'))
    return body;
  return isJsonObject(body.data) ? { ...body, new_name: body.data.name ?? '' } : body;
}

/** Checks only the keys beside `data`, because `data` is too deep. */
function inspectTooDeep(body: unknown): InspectedImport {
  const problem = { message: `is nested deeper than ${LIMITS.depth} levels`, details: 'data' };
  const { data: _data, ...rest } = isJsonObject(body) ? body : {};
  const shallow = exceedsDepth(rest, LIMITS.depth) ? {} : rest;
  const { usable, problems } = inspect(importBody, withoutEmptyStrangers(importBody, shallow));
  return { request: undefined, usable, problems: mergedProblems([problem], problems) };
}

function requestOf({ new_name, data, team_id, folder_id, mode, draft_name }: ImportBody): ImportRequest {
  return {
    newName: new_name,
    data: { ...data, name: new_name },
    teamId: team_id ?? undefined,
    folderId: folder_id ?? undefined,
    mode,
    draftName: draft_name ?? undefined,
  };
}
