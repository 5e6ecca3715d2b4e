import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  defineRoute,
  pageKeys,
  pageMeta,
  pageMetaSchema,
  type PageQuery,
  placesOf,
  windowOf,
} from '../../../api/face.js';
import { nameField } from '../../../people/face.js';
import { recordTypeExample } from '../record-examples.js';
import type { FieldInput } from './record-type-changes.js';
import { presentRecordType, recordTypeSchema } from './record-type-presenter.js';
import type { NewRecordType, RecordTypeChanges, RecordTypeService } from './record-type-service.js';
import { type RecordType, RESULT_TYPES } from './record-type.js';

interface Services {
  recordTypes: RecordTypeService;
}

interface ListQuery extends PageQuery {
  team_id?: number;
}

const PATH = '/api/v1/record_types';
const TAG = 'Record types';
const id = Joi.number().integer().positive();
const name = nameField;

const field = Joi.object<FieldInput>({
  id,
  name,
  result_type: Joi.string().valid(...RESULT_TYPES),
  fixed_values: Joi.array()
    .items(Joi.string().max(255))
    .unique()
    .max(1000)
    .description('Allowed values, for TEXT_ENUM'),
});

interface Echoed {
  editable?: true;
}

/** Clients send it with the default: a type that is created here can always be changed. */
const editable = Joi.boolean()
  .valid(true)
  .allow(null)
  .strip()
  .messages({ 'any.only': '{{#label}} must be true: record types can always be changed' })
  .description('Only `true`, without effect');

const KEPT = { ttl_days: 'records are kept until they are deleted' };

/** Keys of a type that clients send back with a change. */
const ECHOED = ['id', 'team_id', 'record_fields', 'default_record_fields'];

const newType = Joi.object<NewRecordType & Echoed>({
  name: name.required(),
  team_id: id.description(
    'Defaults to the key’s team, or else your first team, even if the key can access several teams',
  ),
  editable,
  fields: Joi.array()
    .items(field.keys({ id: Joi.forbidden() }))
    .max(500)
    .default([])
    .description('The fields of the type'),
});

const changes = Joi.object<RecordTypeChanges & Echoed>({
  name,
  editable,
  fields: Joi.array()
    .items(field)
    .max(500)
    .default([])
    .description('With `id`: a field to change; without `id`: a new field'),
  field_ids_to_delete: Joi.array().items(id).unique().max(500).default([]),
});

const listQuery = Joi.object<ListQuery>({ team_id: id, ...pageKeys });

const routes = crudRoutes<Services, RecordType>({
  tag: TAG,
  ...placesOf(PATH, 7),
  response: recordTypeSchema,
  example: recordTypeExample,
  present: presentRecordType,
});

/** Endpoints of record types (spec §6.1). */
export const recordTypeRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'List record types, newest first',
    query: listQuery,
    docs: {
      description: 'Types of all teams that the key can access, or of `team_id`, each with its fields.',
      tag: TAG,
      response: Joi.object({
        record_types: Joi.array().items(recordTypeSchema).required().description('Items of the page'),
        meta: pageMetaSchema.required(),
      }),
      example: {
        query: { team_id: 3, per_page: 50 },
        response: {
          record_types: [recordTypeExample],
          meta: pageMeta(
            { baseUrl: 'https://fabula.example.com', originalUrl: `${PATH}?team_id=3&per_page=50` },
            { page: 1, per_page: 50 },
            { total: 1 },
          ),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { recordTypes }) {
      const { items, total } = await recordTypes.list(actor, { teamId: query.team_id }, windowOf(query));
      return { record_types: items.map(presentRecordType), meta: pageMeta(request, query, { total }) };
    },
  }),

  routes.create<NewRecordType>({
    summary: 'Create a record type',
    description:
      'Every type also gets the default fields `Story name` and `Timestamp`, each with its own id.',
    unsupported: KEPT,
    body: newType,
    exampleBody: {
      name: 'Phishing report',
      team_id: 3,
      fields: [
        { name: 'Subject', result_type: 'TEXT' },
        { name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['clean', 'malicious'] },
      ],
    },
    errors: [403, 404, 409, 422],
    audit: 'record_type.create',
    check: ({ actor, body }, { recordTypes }) => recordTypes.checkCreate(actor, body),
    handle: ({ actor, body }, { recordTypes }) => recordTypes.create(actor, body),
  }),

  routes.get({
    summary: 'Get a record type',
    description: 'Includes its fields. Records, filters and sort orders refer to fields by id.',
    handle: ({ actor, params: { id: typeId } }, { recordTypes }) => recordTypes.get(actor, typeId),
  }),

  ...routes.update<RecordTypeChanges>({
    summary: 'Update a record type: rename it, and add, rename or delete fields',
    description:
      'Other fields are unchanged. The type of a field cannot be changed. Values of a deleted field are hidden immediately and removed in the background.',
    ignored: ECHOED,
    unsupported: KEPT,
    body: changes,
    exampleBody: { fields: [{ id: 24, name: 'Subject' }], field_ids_to_delete: [26] },
    errors: [403, 404, 409, 422],
    audit: 'record_type.update',
    check: ({ actor, params, body }, { recordTypes }) => recordTypes.checkUpdate(actor, params.id, body),
    handle: ({ actor, params: { id: typeId }, body }, { recordTypes }) =>
      recordTypes.update(actor, typeId, body),
  }),

  routes.delete({
    summary: 'Delete a record type with all of its records',
    description: 'Its records are hidden immediately, also in cases, and removed in the background.',
    audit: 'record_type.delete',
    handle: ({ actor, params: { id: typeId } }, { recordTypes }) => recordTypes.delete(actor, typeId),
  }),
];
