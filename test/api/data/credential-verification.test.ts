import { generateKeyPairSync } from 'node:crypto';
import type { CredentialMode, ModeSettings } from '../../../src/data/credentials/modes/credential-modes.js';
import { createOauthGrants } from '../../../src/data/credentials/oauth/oauth-grants.js';
import { buildAccount } from '../../support/builders.js';
import { selfSigned } from '../../support/certificates.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { credentialsOf } from '../../support/credentials.js';
import { places, TIME, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const SECRET = 'client-secret-of-the-team';
const stores = useStores();
const env = { HTTP_TIMEOUT_MAX_SECONDS: '1', REQUIRE_CREDENTIAL_HOSTS: 'false' };
const api = useManageApi(stores, { queues: [], relay: false, env });
const CREDENTIALS = '/api/v1/user_credentials';

let target: HttpTarget;
beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/token': (_request, count) => ({ body: { access_token: `token-number-${count}`, expires_in: 3600 } }),
    },
  });
});
afterEach(() => target.close());

/** A TEAM_ADMIN with a credential, and the test of it. */
async function withCredential(mode: CredentialMode, settings: Partial<ModeSettings>) {
  const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const call = (request: string, body?: object) => api.call(account.key, request, body);
  const made = await call(`POST ${CREDENTIALS}`, { name: 'Cred', mode, ...settings });
  expect(made.status).toBe(201);
  const path = `${CREDENTIALS}/${made.body.id}`;
  const tested = async (body: object = {}) => {
    const response = await call(`POST ${path}/test`, body);
    expect(response.status).toBe(200);
    for (const secret of [SECRET, 'token-number', 'refresh-token']) {
      expect(JSON.stringify(response.body)).not.toContain(secret);
    }
    return response.body;
  };
  return { ...account, call, path, id: made.body.id as number, tested };
}

const oauth = (): Partial<ModeSettings> => ({
  oauth_grant_type: 'client_credentials',
  oauth_token_url: `${target.url}/token`,
  oauth_client_id: 'me',
  oauth_client_secret: SECRET,
});
const host = () => new URL(target.url).host;
const NOT_FETCHED = 'The token of the credential "Cred" could not be fetched:';

it('fetches a token anew each time, and keeps it for actions', async () => {
  const { id, team, tested } = await withCredential('OAUTH', oauth());
  const worked = {
    works: true,
    message: `A token came from ${host()}.`,
    host: host(),
    status: 200,
    expires_at: TIME,
    took_ms: expect.any(Number),
  };
  expect(await tested()).toEqual(worked);
  const { expires_at: end } = await tested();
  const leftMs = new Date(end).getTime() - Date.now();
  expect(leftMs).toBeGreaterThan(3_400_000);
  expect(leftMs).toBeLessThan(3_600_000);
  expect(target.requests).toHaveLength(2);
  const [kept, ...others] = await stores.db.read((session) =>
    session.rows<{ token: Buffer }>(
      'SELECT encrypted_token AS token FROM credential_tokens WHERE credential_id = ? AND expires_at > NOW(3)',
      [id],
    ),
  );
  expect(others).toEqual([]);
  const cipher = credentialsOf(stores).cipher();
  expect(cipher.decrypt(kept!.token, { teamId: team.id, name: 'Cred', mode: 'token' })).toBe(
    'token-number-2',
  );
});

it('tells the status and the code of a refusal, and keeps the token that is there', async () => {
  const { id, tested } = await withCredential('OAUTH', oauth());
  await tested();
  target.on('/token', {
    status: 401,
    body: { error: 'invalid_client', error_description: `${SECRET} is wrong` },
  });
  expect(await tested()).toEqual({
    works: false,
    message: `${NOT_FETCHED} ${host()} answered 401 (invalid_client)`,
    host: host(),
    status: 401,
    expires_at: null,
    took_ms: expect.any(Number),
  });
  const rows = await stores.db.read((session) =>
    session.rows('SELECT lease FROM credential_tokens WHERE credential_id = ? AND expires_at > NOW(3)', [id]),
  );
  expect(rows).toEqual([{ lease: null }]);
});

it('tells that a server gives no response in time, or refuses the connection', async () => {
  const { tested } = await withCredential('OAUTH', oauth());
  target.on('/token', { hang: true });
  const { works, message, host: asked, status } = await tested();
  expect([works, asked, status]).toEqual([false, host(), null]);
  expect(message).toContain(`${host()} did not respond`);
  expect(message).toContain('there was no response in time');
  const port = host();
  await target.close();
  expect((await tested()).message).toBe(
    `${NOT_FETCHED} ${port} did not respond (${port}: the connection was refused)`,
  );
});

it('asks no address that the operator forbids', async () => {
  const { tested } = await withCredential('OAUTH', {
    ...oauth(),
    oauth_token_url: 'http://169.254.169.254/latest',
  });
  const { works, message, status } = await tested();
  expect([works, status]).toEqual([false, null]);
  expect(message).toMatch(/169\.254\.169\.254 did not respond \(.*private or reserved network.*\)/);
});

it('hides a secret of which a host is made', async () => {
  const { tested } = await withCredential('HTTP_REQUEST_AGENT', {
    http_request_options: { url: `http://<<secret>>.invalid/token`, method: 'get' },
    http_request_location_of_token: '=response.body.token',
    http_request_secret: SECRET,
  });
  const { works, message, host: asked } = await tested();
  expect([works, asked]).toEqual([false, '[credential Cred].invalid']);
  expect(message).toContain('[credential Cred].invalid did not respond');
});

it('sends the requests of a credential, and tells that runs fetch a token of their own', async () => {
  target.on('/key', { body: { token: 'token-number-9' } });
  const { tested } = await withCredential('HTTP_REQUEST_AGENT', {
    http_request_options: {
      url: `${target.url}/key`,
      method: 'post',
      content_type: 'json',
      payload: { key: '<<secret>>' },
    },
    http_request_location_of_token: '=response.body.token',
    http_request_secret: SECRET,
  });
  expect(await tested()).toMatchObject({
    works: true,
    message: `A token came from ${host()}. Each run of an action fetches its own.`,
    expires_at: null,
  });
  expect(target.requests[0]?.text).toBe(JSON.stringify({ key: SECRET }));
  target.on('/key', { body: { other: 'token-number-9' } });
  expect(await tested()).toMatchObject({
    works: false,
    message: `${NOT_FETCHED} http_request_location_of_token does not refer to text`,
    status: 200,
  });
});

it('refreshes the access that a person has allowed, although its token has not ended', async () => {
  const { id, tested } = await withCredential('OAUTH', {
    ...oauth(),
    oauth_grant_type: 'authorization_code',
    oauth_url: `${target.url}/authorize`,
  });
  expect((await tested()).message).toContain('access has not been authorized yet');
  const credentials = credentialsOf(stores);
  const grants = createOauthGrants({ database: stores.db, cipher: () => credentials.cipher() });
  const held = { accessToken: 'token-number-0', expiresAtMs: Date.now() + 3_600_000 };
  await grants.connect(id, held);
  expect(await tested()).toMatchObject({
    works: true,
    message: 'The authorized token is stored. There is no refresh token, so no token was fetched.',
    host: null,
    status: null,
  });
  await grants.connect(id, { ...held, refreshToken: 'refresh-token-1' });
  expect(await tested()).toMatchObject({ works: true, message: `A token came from ${host()}.` });
  expect(target.requests.map(({ text }) => new URLSearchParams(text).get('refresh_token'))).toEqual([
    'refresh-token-1',
  ]);
  expect((await grants.settings(id))?.grant).toMatchObject({
    accessToken: 'token-number-1',
    refreshToken: 'refresh-token-1',
  });
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const { cert, key } = selfSigned('127.0.0.1');

it.each<[string, CredentialMode, Partial<ModeSettings>, object]>([
  ['a text', 'TEXT', { value: SECRET }, { works: true, message: 'It has a value, which is sent unchanged.' }],
  [
    'a key that signs',
    'JWT',
    { jwt_payload: { iss: SECRET }, jwt_private_key: PEM, jwt_auto_generate_time_claims: true },
    { works: true, message: 'It signs tokens.', expires_at: TIME },
  ],
  [
    'a key that cannot be read',
    'JWT',
    { jwt_payload: { iss: 'me' }, jwt_private_key: SECRET },
    {
      works: false,
      message: 'The credential "Cred" cannot sign: the key is not a private key in PEM form',
      expires_at: null,
    },
  ],
  [
    'a certificate',
    'MTLS',
    { mtls_client_certificate: cert, mtls_client_private_key: key },
    { works: true, message: 'The certificate is valid and matches its key.', expires_at: TIME },
  ],
  [
    'keys of AWS',
    'AWS',
    { aws_access_key: 'AKIDEXAMPLE', aws_secret_key: SECRET },
    { works: true, message: expect.stringContaining('It signs requests.') },
  ],
])('reads what is stored, without a request: %s', async (_, mode, settings, result) => {
  const { tested } = await withCredential(mode, settings);
  expect(await tested()).toMatchObject({ host: null, status: null, ...result });
  expect(target.requests).toEqual([]);
});

it('tells whether the key of this server that it holds is valid', async () => {
  const { key, team } = await buildAccount(stores.db, { owner: true, role: 'TEAM_ADMIN' });
  const call = (request: string, body?: object) => api.call(key, request, body);
  const body = { name: 'Own', mode: 'fabula', team_id: team.id, key: { role: 'VIEWER' } };
  const { id, api_key_id: keyId } = (await call('POST /api/v1/credentials', body)).body;
  const test = async () => (await call(`POST ${CREDENTIALS}/${id}/test`, {})).body;
  expect(await test()).toMatchObject({ works: true, message: expect.stringContaining('a valid API key') });
  await call(`DELETE /api/v1/api_keys/${keyId}`);
  expect(await test()).toMatchObject({
    works: false,
    message: expect.stringContaining('was revoked or has expired'),
  });
});

it('tests the test value with is_test, by the name of the credential', async () => {
  const { call, path, tested } = await withCredential('OAUTH', oauth());
  const without = await call(`POST ${path}/test`, { is_test: true });
  expect([without.status, places(without)]).toEqual([422, ['is_test']]);
  target.on('/sandbox', { status: 500 });
  await call(`PUT ${path}`, { ...oauth(), oauth_token_url: `${target.url}/sandbox`, is_test: true });
  expect(await tested({ is_test: true })).toMatchObject({
    works: false,
    message: `${NOT_FETCHED} ${host()} answered 500`,
    status: 500,
  });
  expect(await tested()).toMatchObject({ works: true });
});

it('is for those who may change the credential, and is recorded without what it found', async () => {
  const { call, path, id, team, tested } = await withCredential('OAUTH', oauth());
  const editor = await buildAccount(stores.db, { team, role: 'EDITOR' });
  const stranger = await buildAccount(stores.db, { role: 'TEAM_ADMIN', owner: true });
  expect((await api.call(editor.key, `POST ${path}/test`, {})).status).toBe(403);
  expect((await api.call(stranger.key, `POST ${path}/test`, {})).status).toBe(404);
  expect((await call(`POST ${path}/test`, { value: SECRET })).status).toBe(422);
  expect(target.requests).toEqual([]);
  await tested();
  target.on('/token', { status: 401, body: { error: SECRET } });
  await tested();
  const owner = await buildAccount(stores.db, { team, owner: true });
  const listed = await api.call(owner.key, 'GET /api/v1/audit_logs?action=credential.test');
  const entries = listed.body.audit_logs as { action: string; target_id: number; path: string }[];
  expect(entries.filter(({ target_id: target }) => target === id)).toMatchObject(
    Array.from({ length: 2 }, () => ({ action: 'credential.test', path: `${path}/test`, inputs: null })),
  );
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});
