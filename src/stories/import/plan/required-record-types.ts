import Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { RESULT_TYPES, type RequiredRecordType } from '../../../data/face.js';
import { nameField } from '../../../people/face.js';
import type { ExportAgent, StoryExport } from '../../export/export-form.js';
import { RECORD_TYPE, withRecordSettings } from '../../settings/record-settings.js';

/** For one import: they are created one by one while the team is locked. */
const MAX_TYPES = 100;
const MAX_FIELDS = 500;

interface ExportedField {
  name: string;
  result_type: (typeof RESULT_TYPES)[number];
  fixed_values: string[];
}

interface ExportedType {
  record_type: { name: string; record_fields: ExportedField[] };
  record_writers: { record_field: ExportedField }[];
}

const field = Joi.object({
  name: nameField.required(),
  result_type: Joi.string()
    .valid(...RESULT_TYPES)
    .required(),
  fixed_values: Joi.array().items(Joi.string().max(255)).unique().max(1_000).default([]),
});

const settings = Joi.object<ExportedType>({
  record_type: Joi.object({
    name: nameField.required(),
    record_fields: Joi.array().items(field).max(MAX_FIELDS).default([]),
  }).required(),
  record_writers: Joi.array()
    .items(Joi.object({ record_field: field.required() }))
    .max(MAX_FIELDS)
    .empty(Joi.valid('', null))
    .default([]),
}).prefs({ stripUnknown: true, errors: { wrap: { label: false, array: false } } });

/** Returns the record types that the actions of these stories write, by name, and warnings for invalid ones. */
export function requiredRecordTypes(stories: StoryExport[]): {
  types: RequiredRecordType[];
  warnings: string[];
} {
  const types = new Map<string, RequiredRecordType>();
  const warnings: string[] = [];
  for (const agent of stories.flatMap(({ agents }) => agents)) {
    const given = givenSettings(agent);
    if (given === undefined) continue;
    const { value, error } = settings.validate(given);
    if (error === undefined) merge(value, types);
    else warnings.push(`No record type was created for "${agent.name}": ${error.message}`);
  }
  const all = [...types.values()];
  if (all.length > MAX_TYPES) {
    warnings.push(`The import uses ${all.length} record types; only ${MAX_TYPES} were created`);
  }
  return { types: all.slice(0, MAX_TYPES), warnings };
}

/** Returns undefined for other actions, and for an action without a record type, which fails when it runs. */
function givenSettings(agent: ExportAgent): JsonObject | undefined {
  if (agent.type !== RECORD_TYPE) return undefined;
  const given = withRecordSettings(agent, agent);
  return isJsonObject(given.record_type) ? given : undefined;
}

/** Merges the fields, because several actions may write one type. */
function merge({ record_type, record_writers }: ExportedType, types: Map<string, RequiredRecordType>): void {
  const { name, record_fields: ownFields } = record_type;
  const type = types.get(name) ?? { name, fields: [], written: new Set<string>() };
  types.set(name, type);
  const writtenFields = record_writers.map(({ record_field }) => record_field);
  for (const wanted of [...ownFields, ...writtenFields]) {
    if (!type.fields.some((known) => known.name === wanted.name)) type.fields.push(wanted);
  }
  for (const wanted of writtenFields) type.written.add(wanted.name);
}
