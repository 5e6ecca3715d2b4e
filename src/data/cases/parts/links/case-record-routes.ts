import Joi from 'joi';
import {
  type AnyRoute,
  defineRoute,
  exampleMeta,
  listSchema,
  pageMeta,
  type PageQuery,
  windowOf,
} from '../../../../api/face.js';
import { idField, type IdParams, idParams } from '../../../../platform/http/address/path-id.js';
import { exampleOneRecord, exampleRecordGroup } from '../../view/case-examples.js';
import { presentOneRecord, presentRecordGroups } from '../../view/case-presenter.js';
import { addedRecordSchema, oneRecordSchema, recordGroupSchema } from '../../view/case-schemas.js';
import type { CaseRecordService } from './case-record-service.js';
import { CASE_PATH, type PartParams, partParams, partQuery } from '../part-params.js';

interface Services {
  cases: { records: CaseRecordService };
}

interface AddBody {
  record_id: number;
}

const TAG = 'Case records';
const RECORDS = `${CASE_PATH}/records`;

/** Records of a case (spec §7.4). */
export const caseRecordRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: RECORDS,
    summary: 'List the records of a case, grouped by record type',
    params: idParams,
    query: partQuery,
    docs: {
      tag: TAG,
      description: 'Pages count records, not groups.',
      response: listSchema('records', recordGroupSchema),
      example: {
        params: { id: 42 },
        response: { records: [exampleRecordGroup], meta: exampleMeta('/api/v2/cases/42/records') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.records.list(actor, params.id, windowOf(query));
      return { records: presentRecordGroups(items), meta: pageMeta(request, query, { total }) };
    },
  }),

  defineRoute<PartParams<'record_id'>, unknown, unknown, Services>({
    method: 'get',
    path: `${RECORDS}/:record_id`,
    summary: 'Get a record of a case',
    params: partParams('record_id'),
    docs: {
      description: 'Includes its record type and all values. Records not attached to the case return 404.',
      tag: TAG,
      response: oneRecordSchema,
      example: { params: { id: 42, record_id: 1204 }, response: exampleOneRecord },
      errors: [404],
    },
    handle: async ({ actor, params }, { cases }) =>
      presentOneRecord(await cases.records.get(actor, params.id, params.record_id)),
  }),

  defineRoute<IdParams, unknown, AddBody, Services>({
    method: 'post',
    path: RECORDS,
    summary: 'Add a record to a case',
    status: 201,
    params: idParams,
    body: Joi.object<AddBody>({ record_id: idField.required() }),
    audit: 'case_record.create',
    docs: {
      tag: TAG,
      description:
        'Adding a record that is already in the case changes nothing. The response contains its record type with this record, and `record`, the record as returned by a read.',
      response: addedRecordSchema,
      example: {
        params: { id: 42 },
        body: { record_id: 1204 },
        response: { ...exampleRecordGroup, ...exampleOneRecord },
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { cases }) => cases.records.check(actor, params.id, body.record_id),
    async handle({ actor, params, body }, { cases }) {
      const record = await cases.records.add(actor, params.id, body.record_id);
      return { ...presentRecordGroups([record])[0], ...presentOneRecord(record) };
    },
  }),

  defineRoute<PartParams<'record_id'>, unknown, unknown, Services>({
    method: 'delete',
    path: `${RECORDS}/:record_id`,
    summary: 'Remove a record from a case',
    status: 204,
    params: partParams('record_id'),
    audit: 'case_record.delete',
    docs: {
      tag: TAG,
      description: 'The record itself is not deleted.',
      example: { params: { id: 42, record_id: 1204 } },
      errors: [403, 404],
    },
    handle: ({ actor, params }, { cases }) => cases.records.remove(actor, params.id, params.record_id),
  }),
];
