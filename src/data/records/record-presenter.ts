import Joi from 'joi';
import { component } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { type FieldValue, valueText } from './field-value.js';
import { customFields, type RecordField, type RecordType } from './types/record-type.js';
import { type RecordView, type StoredRecord, valueIn } from './record.js';

/** The Record shape (spec §6.2). */
export function presentRecord({ record, type, children, caseIds }: RecordView) {
  return {
    id: record.id,
    created_at: timestamp(record.createdAt),
    updated_at: timestamp(record.updatedAt),
    story: record.storyId === null ? null : { id: record.storyId, name: record.storyName ?? '' },
    story_run_guid: record.storyRunGuid,
    record_type: { id: type.id, name: type.name },
    records: presentValues(record, type),
    child_records: children.map((child) => ({
      id: child.record.id,
      records: presentValues(child.record, child.type),
    })),
    test_mode: record.testMode,
    parent_id: record.parentId,
    case_ids: caseIds,
  };
}

function presentValues(record: StoredRecord, type: RecordType) {
  return type.fields.map((field) => ({
    field_id: String(field.id),
    name: field.name,
    value: valueText(valueIn(record, field)),
  }));
}

/**
 * A record in a list: a flat object with one key for each of `columns` (spec §6.4). `fromEntries` makes a field named
 * `__proto__` an ordinary key.
 */
export function presentListedRecord(record: StoredRecord, type: RecordType, columns: readonly RecordField[]) {
  const defaults = type.fields.filter(({ source }) => source !== 'custom');
  const entries: [string, FieldValue][] = [...defaults, ...columns].map((field) => [
    field.name,
    valueIn(record, field),
  ]);
  return Object.fromEntries<FieldValue>([['id', record.id], ...entries]);
}

/** Returns the type's own fields among the chosen ones, in the type's order; all of them if none are chosen. */
export function chosenColumns(type: RecordType, fieldIds: readonly number[] | undefined): RecordField[] {
  const own = customFields(type);
  return fieldIds === undefined ? own : own.filter(({ id }) => fieldIds.includes(id));
}

const id = Joi.number().integer().required();
const time = Joi.string().isoDate().required();
const named = Joi.object({ id, name: Joi.string().allow('').required() });
const values = Joi.array()
  .items(
    Joi.object({
      field_id: Joi.string().required(),
      name: Joi.string().required(),
      value: Joi.string().allow(null).required().description('The value as text; null if empty'),
    }),
  )
  .required()
  .description('The values of its fields');

/** The schema of a record that `presentRecord` returns. */
export const recordSchema = component(
  'Record',
  Joi.object({
    id,
    created_at: time,
    updated_at: time,
    story: named.allow(null).required().description('The story that wrote it; null if none'),
    story_run_guid: Joi.string().guid().allow(null).required(),
    record_type: named.required().description('Its record type'),
    records: values,
    child_records: Joi.array()
      .items(Joi.object({ id, records: values }))
      .required()
      .description('Child records'),
    test_mode: Joi.boolean().required(),
    parent_id: Joi.number().integer().allow(null).required(),
    case_ids: Joi.array().items(Joi.number().integer()).required(),
  }),
);

/** The schema of a record that `presentListedRecord` returns: besides the three keys, one key for each field name. */
export const listedRecordSchema = component(
  'ListedRecord',
  Joi.object({
    id,
    'Story name': Joi.string().allow(null).required().description('The story that wrote it; null if none'),
    Timestamp: Joi.string()
      .pattern(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      .required()
      .description('When it was created, in UTC'),
  }).pattern(Joi.string(), Joi.alternatives(Joi.string(), Joi.number(), Joi.boolean()).allow(null)),
);
