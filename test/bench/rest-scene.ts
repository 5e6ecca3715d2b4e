import { apiKeyDigest } from '../../src/api/auth/api-key.js';
import { alertRecord, type AlertType, createAlertType } from './alert-records.js';
import type { ApiAccount } from './api-account.js';
import type { BenchStores } from './bench-stores.js';
import type { RestWorld } from './floor/rest-world.js';

/** A call that floor and product answer alike. */
export interface RestCall {
  what: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  status: number;
}

/** More than a page of a list. */
const RECORDS = 100;
const VALUES = {
  Host: 'web-1.example.test',
  Score: 17,
  Severity: 'high',
  Note: 'Two sign-ins within 20 minutes from places 4,000 km apart',
};

/** Data for the calls: a record type with some records. */
export async function buildRestScene(
  stores: Pick<BenchStores, 'rows'>,
  account: ApiAccount,
): Promise<{ world: RestWorld; calls: RestCall[] }> {
  const type = await createAlertType(account, 'Alerts');
  const record = alertRecord(type, VALUES);
  let lastId = 0;
  for (let made = 0; made < RECORDS; made += 1)
    lastId = (await account.call<{ id: number }>('POST', '/api/v1/records', record)).id;
  const newCase = {
    team_id: account.team.id,
    name: 'Impossible travel',
    description: 'Two sign-ins within 20 minutes from places 4,000 km apart',
    priority: 'high',
    metadata: { user: 'ada@example.test', sources: ['192.0.2.17', '198.51.100.23'] },
  };
  return {
    world: await worldOf(stores, account, type),
    calls: [
      get('get a record', `/api/v1/records/${lastId}`),
      get('list 20 records', `/api/v1/records?record_type_id=${type.id}`),
      post('create a record', '/api/v1/records', record),
      post('create a case', '/api/v2/cases', newCase),
    ],
  };
}

function get(what: string, path: string): RestCall {
  return { what, method: 'GET', path, status: 200 };
}

function post(what: string, path: string, body: object): RestCall {
  return { what, method: 'POST', path, body: JSON.stringify(body), status: 201 };
}

async function worldOf(
  { rows }: Pick<BenchStores, 'rows'>,
  { key, keyId, tenantId, team, user }: ApiAccount,
  { id: typeId, fieldIds }: AlertType,
): Promise<RestWorld> {
  const [storyName] = await rows<{ id: number }>(
    "SELECT id FROM record_fields WHERE record_type_id = ? AND source = 'story_name'",
    [typeId],
  );
  return {
    keyDigest: apiKeyDigest(key),
    tenantId,
    teamId: team.id,
    userId: user.id,
    userEmail: user.email,
    keyId,
    typeId,
    fieldIds: {
      storyName: storyName?.id ?? 0,
      host: fieldIds.Host,
      score: fieldIds.Score,
      severity: fieldIds.Severity,
      note: fieldIds.Note,
    },
  };
}
