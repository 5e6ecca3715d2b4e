import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type OpenAPIClient, OpenAPIClientAxios } from 'openapi-client-axios';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let fabula: TestFabula;
let client: OpenAPIClient;

/** A client that knows of Fabula only what its published document says. */
beforeEach(async () => {
  fabula = await startFabula(stores);
  const document = (await (await fetch(`${fabula.url}/api/openapi.json`)).json()) as never;
  client = await new OpenAPIClientAxios({
    definition: document,
    axiosConfigDefaults: { baseURL: fabula.url, headers: { Authorization: `Bearer ${fabula.account.key}` } },
  }).init();
});

afterEach(() => fabula.close());

/** Calls an operation by the id the document gives it. */
async function call(operation: string, parameters?: Record<string, unknown> | null, body?: unknown) {
  const { status, data } = await client[operation]!(parameters as never, body);
  return { status, data: data as never };
}

describe('a client generated from the OpenAPI document', () => {
  test('does what the README does with curl: import the story, call it, list stories', async () => {
    const file = path.resolve(__dirname, '../../docs/build/examples/alert-story.json');
    const example = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const imported = await call('importStory', null, { ...example, team_id: fabula.account.team.id });
    expect(imported).toMatchObject({ status: 200, data: { name: 'Alert to ticket', disabled: false } });
    const alert = { severity: 'high', title: 'Ransomware note found', hosts: ['web-1', 'db-2'] };
    expect((await fabula.fire('alerts/open-sesame', alert)).status).toBe(201);
    await fabula.settled();
    expect(await call('listStories')).toMatchObject({ status: 200, data: [{ name: 'Alert to ticket' }] });
  });

  test('works with records and cases', async () => {
    const type = await call('createRecordType', null, {
      name: 'Alert',
      team_id: fabula.account.team.id,
      fields: [{ name: 'Severity', result_type: 'TEXT' }],
    });
    const { id, record_fields: fields } = type.data as { id: number; record_fields: { id: string }[] };
    const values = [{ field_id: fields[0]!.id, value: 'high' }];
    const record = await call('createRecord', null, { record_type_id: id, field_values: values });
    expect(record.status).toBe(201);
    const { id: recordId } = record.data as { id: number };
    const updated = await call(
      'updateRecord',
      { id: recordId },
      {
        field_values: [{ field_id: fields[0]!.id, value: 'low' }],
      },
    );
    expect(updated.status).toBe(200);
    const list = await call('listRecords', { record_type_id: id, per_page: 5 });
    expect(list.data).toMatchObject({
      record_results: [{ id: recordId, Severity: 'low' }],
      meta: { count: 1 },
    });
    const created = await call('createCase', null, { team_id: fabula.account.team.id, name: 'Ransomware' });
    expect(created).toMatchObject({
      status: 201,
      data: { name: 'Ransomware', status: 'OPEN', priority: 'LOW' },
    });
  });
});
