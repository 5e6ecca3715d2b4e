import Joi from 'joi';
import { type PageQuery, pageKeys, pageMeta, pageMetaSchema, windowOf } from '../../api/page-meta.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { nameField } from '../../access/tenants/name-field.js';
import { recordTypeExample } from '../record-examples.js';
import type { FieldInput } from './record-type-changes.js';
import { presentRecordType, recordTypeSchema } from './record-type-presenter.js';
import type { NewRecordType, RecordTypeChanges, RecordTypeService } from './record-type-service.js';
import { RESULT_TYPES } from './record-type.js';

interface Services {
  recordTypes: RecordTypeService;
}

interface ListQuery extends PageQuery {
  team_id?: number;
}

const PATH = '/api/v1/record_types';
const TAG = 'Record types';
const id = Joi.number().integer().positive();
const params = Joi.object<{ id: number }>({ id: id.required() });
const name = nameField;

const field = Joi.object<FieldInput>({
  id,
  name,
  result_type: Joi.string().valid(...RESULT_TYPES),
  fixed_values: Joi.array()
    .items(Joi.string().max(255))
    .unique()
    .max(1000)
    .description('For TEXT_ENUM: what it may be'),
});

const newType = Joi.object<NewRecordType>({
  name: name.required(),
  team_id: id.description('Without it: the key’s team, else your first one'),
  fields: Joi.array()
    .items(field.keys({ id: Joi.forbidden() }))
    .max(500)
    .default([]),
});

const changes = Joi.object<RecordTypeChanges>({
  name,
  fields: Joi.array()
    .items(field)
    .max(500)
    .default([])
    .description('With `id`: a field to change; without: a new one'),
  field_ids_to_delete: Joi.array().items(id).unique().max(500).default([]),
});

const listQuery = Joi.object<ListQuery>({ team_id: id, ...pageKeys });

/** Endpoints of record types (spec §6.1). */
export const recordTypeRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'List record types, newest first',
    query: listQuery,
    docs: {
      tag: TAG,
      response: Joi.object({
        record_types: Joi.array().items(recordTypeSchema).required(),
        meta: pageMetaSchema.required(),
      }),
      example: {
        query: { team_id: 3, per_page: 50 },
        response: {
          record_types: [recordTypeExample],
          meta: pageMeta(
            { baseUrl: 'https://fabula.example.com', originalUrl: `${PATH}?team_id=3&per_page=50` },
            { page: 1, per_page: 50 },
            1,
          ),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { recordTypes }) {
      const { items, total } = await recordTypes.list(actor, { teamId: query.team_id }, windowOf(query));
      return { record_types: items.map(presentRecordType), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<unknown, unknown, NewRecordType, Services>({
    method: 'post',
    path: PATH,
    summary: 'Create a record type',
    status: 201,
    body: newType,
    audit: 'record_type.create',
    docs: {
      tag: TAG,
      description:
        'Every type also gets the default fields `Story name` and `Timestamp`, with ids of their own.',
      response: recordTypeSchema,
      example: {
        body: {
          name: 'Phishing report',
          team_id: 3,
          fields: [
            { name: 'Subject', result_type: 'TEXT' },
            { name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['clean', 'malicious'] },
          ],
        },
        response: recordTypeExample,
      },
      errors: [403, 404, 409, 422],
    },
    check: ({ actor, body }, { recordTypes }) => recordTypes.checkCreate(actor, body),
    async handle({ actor, body }, { recordTypes }) {
      return presentRecordType(await recordTypes.create(actor, body));
    },
  }),

  defineRoute<{ id: number }, unknown, unknown, Services>({
    method: 'get',
    path: `${PATH}/:id`,
    summary: 'Get a record type',
    params,
    docs: {
      tag: TAG,
      response: recordTypeSchema,
      example: { params: { id: 7 }, response: recordTypeExample },
      errors: [404],
    },
    async handle({ actor, params: { id: typeId } }, { recordTypes }) {
      return presentRecordType(await recordTypes.get(actor, typeId));
    },
  }),

  defineRoute<{ id: number }, unknown, RecordTypeChanges, Services>({
    method: 'put',
    path: `${PATH}/:id`,
    summary: 'Change a record type: its name, and fields to add, rename and delete',
    params,
    body: changes,
    audit: 'record_type.update',
    docs: {
      tag: TAG,
      description:
        'Fields that are not named stay as they are. A field’s type cannot be changed. The values of a deleted field are gone at once for every reader, and removed in the background.',
      response: recordTypeSchema,
      example: {
        params: { id: 7 },
        body: { fields: [{ id: 24, name: 'Subject' }], field_ids_to_delete: [26] },
        response: recordTypeExample,
      },
      errors: [403, 404, 409, 422],
    },
    check: ({ actor, params, body }, { recordTypes }) => recordTypes.checkUpdate(actor, params.id, body),
    async handle({ actor, params: { id: typeId }, body }, { recordTypes }) {
      return presentRecordType(await recordTypes.update(actor, typeId, body));
    },
  }),

  defineRoute<{ id: number }, unknown, unknown, Services>({
    method: 'delete',
    path: `${PATH}/:id`,
    summary: 'Delete a record type with all of its records',
    status: 204,
    params,
    audit: 'record_type.delete',
    docs: { tag: TAG, example: { params: { id: 7 } }, errors: [403, 404] },
    async handle({ actor, params: { id: typeId } }, { recordTypes }) {
      await recordTypes.delete(actor, typeId);
    },
  }),
];
