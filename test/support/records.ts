import type { FieldValue } from '../../src/data/records/field-value.js';
import { createRecordServices, type RecordServices } from '../../src/data/records/record-services.js';
import { recordRoutes } from '../../src/data/records/record-routes.js';
import { recordTypeRoutes } from '../../src/data/records/types/record-type-routes.js';
import type { FieldInput } from '../../src/data/records/types/record-type-changes.js';
import type { RecordType } from '../../src/data/records/types/record-type.js';
import type { RecordDraft } from '../../src/data/records/record.js';
import { insertRecords } from '../../src/data/records/write/record-write-store.js';
import { request } from 'undici';
import { startTestApp } from './app.js';
import type { Account } from './builders.js';
import type { TestStores } from './stores.js';

export interface ApiResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body as it came; tests compare it. */
  body: ReturnType<typeof JSON.parse>;
}

/** The endpoints of records and record types over HTTP, on the test file's stores. */
export function useRecordApi(stores: TestStores) {
  let services: RecordServices | undefined;
  let url = '';
  beforeAll(async () => {
    services = createRecordServices({ database: stores.db });
    const app = await startTestApp<RecordServices>(stores, {
      routes: [...recordRoutes, ...recordTypeRoutes],
      services,
      config: { bodyLimitBytes: 1024 * 1024, publicUrl: 'https://fabula.example' },
    });
    url = app.url;
  });

  return {
    get services() {
      if (services === undefined) throw new Error('The API is open inside hooks and tests only');
      return services;
    },
    /** One call; `body` goes as JSON, also with GET. */
    async call(key: string | undefined, method: string, path: string, body?: unknown): Promise<ApiResponse> {
      const response = await request(url + path, {
        method: method as 'GET',
        headers: {
          'content-type': 'application/json',
          ...(key !== undefined && { 'x-user-token': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
  };
}

export type RecordApi = ReturnType<typeof useRecordApi>;

/** One field of each kind. */
export const ALL_FIELDS: FieldInput[] = [
  { name: 'Text', result_type: 'TEXT' },
  { name: 'Number', result_type: 'NUMBER' },
  { name: 'Time', result_type: 'TIMESTAMP' },
  { name: 'Flag', result_type: 'BOOLEAN' },
  { name: 'Choice', result_type: 'TEXT_ENUM', fixed_values: ['red', 'green', 'blue'] },
];

let named = 0;

/** A record type of the account's team; with one field of each kind unless told otherwise. */
export function buildRecordType(
  api: RecordApi,
  { actor, team }: Account,
  fields: FieldInput[] = ALL_FIELDS,
): Promise<RecordType> {
  named += 1;
  return api.services.recordTypes.create(actor, { name: `Type ${named}`, team_id: team.id, fields });
}

/** The id of the type's field of this name. */
export function fieldId(type: RecordType, name: string): number {
  const field = type.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`The type has no field ${name}`);
  return field.id;
}

/** Writes records without the API, many at a time; gives their ids. Values by field name. */
export async function insertMany(
  stores: TestStores,
  type: RecordType,
  rows: (Partial<Omit<RecordDraft, 'type' | 'values'>> & { values: Record<string, FieldValue> })[],
): Promise<number[]> {
  const drafts = rows.map(({ values, ...rest }) => ({
    story: null,
    storyRunGuid: null,
    testMode: false,
    parentId: null,
    ...rest,
    type,
    values: new Map(Object.entries(values).map(([name, value]) => [fieldId(type, name), value])),
  }));
  const ids: number[] = [];
  for (let start = 0; start < drafts.length; start += 1000) {
    ids.push(
      ...(await stores.db.transaction((session) =>
        insertRecords(drafts.slice(start, start + 1000), session),
      )),
    );
  }
  return ids;
}

/** The route of records or their types that answers this, for its schemas. */
export function routeOf(method: string, path: string) {
  const route = [...recordRoutes, ...recordTypeRoutes].find(
    (candidate) => candidate.method === method && candidate.path === path,
  );
  if (route === undefined) throw new Error(`No route ${method} ${path}`);
  return route;
}
