import Joi from 'joi';
import { component } from '../../../api/face.js';
import { customFields, RESULT_TYPES, type RecordField, type RecordType } from './record-type.js';

/** A record type (spec §6.1). */
export function presentRecordType(type: RecordType) {
  return {
    id: type.id,
    name: type.name,
    team_id: type.teamId,
    editable: type.editable,
    ttl_days: type.ttlDays,
    record_fields: customFields(type).map(presentField),
    default_record_fields: type.fields.filter(({ source }) => source !== 'custom').map(presentField),
  };
}

function presentField({ id, name, resultType, fixedValues }: RecordField) {
  return { id, name, result_type: resultType, fixed_values: fixedValues };
}

const fieldSchema = component(
  'RecordField',
  Joi.object({
    id: Joi.number().integer().required(),
    name: Joi.string().required(),
    result_type: Joi.string()
      .valid(...RESULT_TYPES)
      .required(),
    fixed_values: Joi.array().items(Joi.string()).required(),
  }),
);

/** The schema of a type that `presentRecordType` returns. */
export const recordTypeSchema = component(
  'RecordType',
  Joi.object({
    id: Joi.number().integer().required(),
    name: Joi.string().required(),
    team_id: Joi.number().integer().required(),
    editable: Joi.boolean().required().description('Whether it can be changed through the API'),
    ttl_days: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('Always null; records are kept until they are deleted'),
    record_fields: Joi.array().items(fieldSchema).required().description('Custom fields of the type'),
    default_record_fields: Joi.array()
      .items(fieldSchema)
      .required()
      .description('Default fields of every type'),
  }),
);
