import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  cursorKey,
  defineRoute,
  pageKeys,
  pageMeta,
  pageMetaSchema,
  type PageQuery,
  placesOf,
  windowOf,
} from '../../api/face.js';
import { timeField } from '../../platform/http/time-field.js';
import { newRecordExample, recordExample, recordListExample } from './record-examples.js';
import { OPERATORS, type RequestedFilter } from './search/record-filter.js';
import { listOrNone, type RecordListQuery } from './search/record-list.js';
import {
  chosenColumns,
  listedRecordSchema,
  presentListedRecord,
  presentRecord,
  recordSchema,
} from './record-presenter.js';
import type { RecordView } from './record.js';
import type { RecordChanges, RecordInput } from './write/record-check.js';
import type { RecordService } from './record-service.js';
import type { FieldValueInput } from './write/record-values.js';

interface Services {
  records: RecordService;
}

type ListQuery = PageQuery & RecordListQuery;

const PATH = '/api/v1/records';
const TAG = 'Records';
const id = Joi.number().integer().positive();
const ids = Joi.array().items(id);

const filter = Joi.object<RequestedFilter>({
  field_id: id.required(),
  operator: Joi.string()
    .valid(...OPERATORS)
    .required(),
  value: Joi.any().description('Text or number, depending on the operator; absent for IS_…'),
});

const listQuery = Joi.object<ListQuery>({
  record_type_id: id.description('Required unless `record_field_ids` is set'),
  record_field_ids: ids.single().max(500).description('Columns to return; all must belong to one type'),
  range_start: timeField.description('Records created at this time or later'),
  range_end: timeField.description('Records created before this time'),
  story_ids: ids.single().max(500),
  order_direction: Joi.string().valid('ASC', 'DESC').insensitive().description('Default: DESC'),
  order_field_id: id.description('Empty values sort last; defaults to the order of creation'),
  filters: Joi.array()
    .items(filter)
    .single()
    .max(20)
    .description(
      'Records must match all filters, written as `filters[0][field_id]=25&filters[0][operator]=EQUAL`',
    ),
  test_mode: Joi.boolean().description('true for records of test runs; otherwise live records'),
  ...pageKeys,
  ...cursorKey('time'),
});

const fieldValues = Joi.array()
  .items(
    Joi.object<FieldValueInput>({
      field_id: id.required(),
      value: Joi.any().required().description('Value in the type of the field'),
    }),
  )
  .max(500)
  .default([])
  .description('null and "" clear the field');
const children = ids.max(1000).default([]);

const newRecord = Joi.object<RecordInput>({
  record_type_id: id.required(),
  field_values: fieldValues,
  parent_record_id: id.allow(null),
  case_ids: ids.max(100).default([]),
  test_mode: Joi.boolean().default(false),
});

const changes = Joi.object<RecordChanges>({
  field_values: fieldValues,
  add_child_records: children,
  remove_child_records: children,
});

const CASES_APART = 'use /api/v2/cases/{id}/records';

/** Keys of a record that clients send back with an update. */
const ECHOED = [
  'id',
  'created_at',
  'updated_at',
  'story',
  'story_run_guid',
  'record_type',
  'record_type_id',
  'records',
  'child_records',
  'test_mode',
  'parent_id',
  'case_ids',
];

const routes = crudRoutes<Services, RecordView>({
  tag: TAG,
  ...placesOf(PATH, 4711),
  response: recordSchema,
  example: recordExample,
  present: presentRecord,
});

/** Endpoints of records (spec §6). */
export const recordRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'List records of one type',
    query: listQuery,
    limit: 'records-list',
    docs: {
      tag: TAG,
      description:
        'Each record is a flat object: `id`, `Story name`, `Timestamp`, and one key for each field name. ' +
        'Parameters can also be sent in a JSON body with the same names.',
      response: Joi.object({
        record_results: Joi.array().items(listedRecordSchema).required().description('Items of the page'),
        meta: pageMetaSchema.required(),
      }),
      example: {
        query: {
          record_type_id: 7,
          filters: [{ field_id: '25', operator: 'EQUAL', value: 'malicious' }],
          range_start: '2026-11-01T00:00:00Z',
          per_page: 1,
        },
        response: recordListExample,
      },
      errors: [404, 422],
    },
    check: ({ actor, query }, { records }) => records.checkList(actor, query),
    async handle({ actor, query, request }, { records }) {
      const { type, records: found, ...page } = await records.list(actor, query, windowOf(query));
      const columns = chosenColumns(type, listOrNone(query.record_field_ids));
      return {
        record_results: found.map((record) => presentListedRecord(record, type, columns)),
        meta: pageMeta(request, query, page),
      };
    },
  }),

  routes.create<RecordInput>({
    summary: 'Create a record',
    description: 'The record type must belong to the team. Omitted fields are empty.',
    body: newRecord,
    exampleBody: {
      record_type_id: 7,
      field_values: [
        { field_id: '24', value: 'Your invoice' },
        { field_id: '25', value: 'malicious' },
      ],
      case_ids: [31],
    },
    exampleResponse: newRecordExample,
    errors: [403, 404, 422],
    audit: 'record.create',
    check: ({ actor, body }, { records }) => records.checkCreate(actor, body),
    handle: ({ actor, body }, { records }) => records.create(actor, body),
  }),

  routes.get({
    summary: 'Get a record',
    description: 'Includes all fields of its type, its children, its parent and the ids of its cases.',
    handle: ({ actor, params: { id: recordId } }, { records }) => records.get(actor, recordId),
  }),

  ...routes.update<RecordChanges>({
    summary: 'Update the values and children of a record',
    description:
      'Atomic. Adding an existing child, or removing a record that is not a child, changes nothing.',
    ignored: ECHOED,
    unsupported: { add_team_case_ids: CASES_APART, remove_team_case_ids: CASES_APART },
    body: changes,
    exampleBody: { field_values: [{ field_id: '25', value: 'malicious' }], add_child_records: [4712] },
    errors: [403, 404, 422],
    audit: 'record.update',
    check: ({ actor, params, body }, { records }) => records.checkUpdate(actor, params.id, body),
    handle: ({ actor, params: { id: recordId }, body }, { records }) => records.update(actor, recordId, body),
  }),

  routes.delete({
    summary: 'Delete a record, keeping its children',
    description: 'Also removes the record from its cases. Its children no longer have a parent.',
    audit: 'record.delete',
    handle: ({ actor, params: { id: recordId } }, { records }) => records.delete(actor, recordId),
  }),
];
