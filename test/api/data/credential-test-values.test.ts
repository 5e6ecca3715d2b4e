import { buildAccount, buildTeam } from '../../support/builders.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { credentialsOf } from '../../support/credentials.js';
import { places, TIME, useManageApi } from '../../support/manage-api.js';
import { agent, smallExport } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, {});
const CREDENTIALS = '/api/v1/user_credentials';
const TEST = 'secret-of-the-test';

let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget({ rules: {} });
});
afterAll(() => target.close());

async function withCredential(extra: object = {}) {
  const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const { key, team } = account;
  const call = (request: string, body?: object) => api.call(key, request, body);
  const text = { name: 'Api', mode: 'TEXT', value: 'live-secret', team_id: team.id, ...extra };
  const { id } = (await call(`POST ${CREDENTIALS}`, text)).body;
  const path = `${CREDENTIALS}/${id}`;
  /** The secrets that stories of the team get for their credentials. */
  const given = async (isTest: boolean, teamId = team.id) => {
    const credentials = credentialsOf(stores);
    const [references, secrets] = [
      await credentials.listReferences(teamId, isTest),
      await credentials.listSecrets(teamId),
    ];
    return references.map(({ name, value }) => {
      const named = secrets.find(
        (secret) => credentials.signer().sign({ team: teamId, credential: secret.name }) === value,
      );
      return [name, named?.open(), named?.allowedHosts];
    });
  };
  return { ...account, call, id, path, text, given };
}

it('are set with is_test, shown without their secret, and used by drafts alone', async () => {
  const { call, path, given } = await withCredential({ allowed_hosts: ['a.example'] });
  const put = await call(`PUT ${path}`, { mode: 'TEXT', value: TEST, is_test: true });
  expect([put.status, put.body]).toMatchObject([
    200,
    {
      name: 'Api',
      test_credential_enabled: true,
      test_credential: { allowed_hosts: ['a.example'], created_at: TIME, updated_at: TIME },
    },
  ]);
  expect(JSON.stringify(put.body)).not.toContain(TEST);
  expect(await given(false)).toEqual([['Api', 'live-secret', ['a.example']]]);
  expect(await given(true)).toEqual([['Api', TEST, ['a.example']]]);
  await call(`PUT ${path}`, { is_test: true, allowed_hosts: ['test.example'], value: TEST, name: 'Renamed' });
  expect(await given(false)).toEqual([['Renamed', 'live-secret', ['a.example']]]);
  expect(await given(true)).toEqual([['Renamed', TEST, ['test.example']]]);
  const sentBack = await call(`PUT ${path}`, (await call(`GET ${path}`)).body);
  expect(sentBack.body).toMatchObject({ test_credential: { allowed_hosts: ['test.example'] } });
  await call(`PUT ${path}`, { test_credential_enabled: false });
  expect(await given(true)).toEqual([['Renamed', 'live-secret', ['a.example']]]);
});

it('are set by a creation with live_credential_id, which makes no credential', async () => {
  const { call, id, path, text, given } = await withCredential();
  const made = await call(`POST ${CREDENTIALS}`, { ...text, value: TEST, live_credential_id: id });
  expect([made.status, made.body.id]).toEqual([201, id]);
  expect((await call(`GET ${CREDENTIALS}`)).body.meta.count).toBe(1);
  expect((await call('GET /api/v1/credentials')).body.meta.count).toBe(1);
  expect(await given(true)).toEqual([['Api', TEST, []]]);
  const [test] = await stores.db.read((session) =>
    session.rows<{ id: number }>('SELECT id FROM credentials WHERE live_credential_id = ?', [id]),
  );
  expect((await call(`GET ${CREDENTIALS}/${test!.id}`)).status).toBe(404);
  expect((await call(`DELETE ${CREDENTIALS}/${test!.id}`)).status).toBe(404);
  expect((await call(`DELETE ${path}`)).status).toBe(204);
  expect(await stores.db.read((session) => session.rows('SELECT id FROM credentials'))).toEqual([]);
});

it('have the mode of their credential, whole settings, and are of those who manage it', async () => {
  const { call, id, path, text, tenantId } = await withCredential();
  const jwt = { is_test: true, mode: 'JWT', jwt_payload: {} };
  const wrong = await call(`PUT ${path}`, jwt);
  expect([wrong.status, new Set(places(wrong))]).toEqual([422, new Set(['mode', 'jwt_payload'])]);
  const none = await call(`PUT ${path}`, { is_test: true, allowed_hosts: ['a.example'] });
  expect([none.status, places(none)]).toEqual([422, ['value']]);
  const nothing = await call(`PUT ${path}`, { is_test: true });
  expect(nothing.body).toMatchObject({ test_credential: null, test_credential_enabled: false });
  const made = await call(`POST ${CREDENTIALS}`, { ...text, name: 'Other', is_test: true });
  expect([made.status, places(made)]).toEqual([422, ['is_test']]);
  const team = await buildTeam(stores.db, { tenantId });
  const other = await buildAccount(stores.db, { team, role: 'TEAM_ADMIN' });
  const body = { ...text, team_id: team.id, live_credential_id: id };
  expect((await api.call(other.key, `POST ${CREDENTIALS}`, body)).status).toBe(404);
});

it('are what drafts of teams get that the credential is shared with', async () => {
  const { call, path, given, tenantId } = await withCredential({ read_access: 'GLOBAL' });
  const { id: other } = await buildTeam(stores.db, { tenantId });
  await call(`PUT ${path}`, { value: TEST, is_test: true });
  expect([await given(false, other), await given(true, other)]).toEqual([
    [['Api', 'live-secret', []]],
    [['Api', TEST, []]],
  ]);
});

it('are sent by the draft of a story, and the live value by the story', async () => {
  const { call, path, team } = await withCredential();
  await call(`PUT ${path}`, { value: TEST, is_test: true });
  const send = { url: target.url, method: 'post', headers: { 'X-Key': '{% credential Api %}' } };
  const data = smallExport({
    agents: [
      agent('Agents::WebhookAgent', '1', { path: 'tested', secret: 's' }),
      agent('Agents::HTTPRequestAgent', '2', send),
    ],
    links: [{ source: 0, receiver: 1 }],
  });
  const imported = { new_name: 'S', team_id: team.id, data };
  const story = (await call('POST /api/v1/stories/import', imported)).body.id;
  const draft = (await call(`POST /api/v1/stories/${story}/drafts`, { name: 'D' })).body.id;
  const keysOf = async (storyId: number) => {
    const { agents } = (await call(`GET /api/v1/stories/${storyId}/agents`)).body;
    const { path: address, secret } = agents[0].options;
    const before = target.requests.length;
    await api.fabula().fire(`${address}/${secret}`, {});
    await api.fabula().settled();
    return target.requests.slice(before).map(({ headers }) => headers['x-key']);
  };
  expect([await keysOf(story), await keysOf(draft)]).toEqual([['live-secret'], [TEST]]);
});
