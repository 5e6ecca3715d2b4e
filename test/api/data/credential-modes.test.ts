import { buildAccount, buildTeam } from '../../support/builders.js';
import { selfSigned } from '../../support/certificates.js';
import { credentialsOf } from '../../support/credentials.js';
import { places, TIME, useManageApi } from '../../support/manage-api.js';
import { agent, smallExport } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const CREDENTIALS = '/api/v1/user_credentials';
const SECRET = 'very-secret-value';

const admin = () => buildAccount(stores.db, { role: 'TEAM_ADMIN' });
const named = { name: 'Cred' };
const certificate = selfSigned('127.0.0.1');

const MODES: Record<string, object> = {
  TEXT: { value: SECRET },
  JWT: { jwt_payload: { iss: 'me' }, jwt_algorithm: 'HS256', jwt_private_key: SECRET },
  HTTP_REQUEST_AGENT: {
    http_request_options: JSON.stringify({ url: 'https://a.example', payload: { key: '<<secret>>' } }),
    http_request_location_of_token: '=response.body.value',
    http_request_secret: SECRET,
    http_request_ttl: 60,
  },
  MULTI_REQUEST: {
    credential_requests: [{ options: { url: 'https://a.example' }, http_request_secret: SECRET }],
    http_request_location_of_token: '=response.body.value',
  },
  OAUTH: {
    oauth_grant_type: 'client_credentials',
    oauth_token_url: 'https://a.example/token',
    oauth_client_id: 'me',
    oauth_client_secret: SECRET,
  },
  AWS: { aws_authentication_type: 'KEY', aws_access_key: 'foo', aws_secret_key: SECRET },
  MTLS: { mtls_client_certificate: certificate.cert, mtls_client_private_key: certificate.key },
};

describe('credentials in the form of public clients', () => {
  it.each(Object.keys(MODES))('%s are made and given without their secrets, key by key', async (mode) => {
    const { key, team } = await admin();
    const body = { ...named, mode, team_id: team.id, ...MODES[mode] };
    const made = await api.call(key, `POST ${CREDENTIALS}`, body);
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        id: expect.any(Number),
        name: 'Cred',
        mode,
        team_id: team.id,
        folder_id: null,
        read_access: 'TEAM',
        shared_team_slugs: [],
        slug: 'cred',
        description: '',
        allowed_hosts: [],
        metadata: {},
        restriction_type: 'UNRESTRICTED',
        test_credential_enabled: false,
        test_credential: null,
        created_at: TIME,
        updated_at: TIME,
      },
    ]);
    const got = await api.call(key, `GET ${CREDENTIALS}/${made.body.id}`);
    expect(got.body).toEqual(made.body);
    expect(JSON.stringify(got.body)).not.toContain(SECRET);
    expect(JSON.stringify(got.body)).not.toContain('PRIVATE KEY');
    const renamed = await api.call(key, `PUT ${CREDENTIALS}/${made.body.id}`, {
      ...made.body,
      name: 'Other',
    });
    expect([renamed.status, renamed.body.slug]).toEqual([200, 'other']);
    expect((await api.call(key, `DELETE ${CREDENTIALS}/${made.body.id}`)).status).toBe(204);
  });

  it('are listed with filters', async () => {
    const { key, team } = await admin();
    const make = async (body: object) =>
      (await api.call(key, `POST ${CREDENTIALS}`, { mode: 'TEXT', value: SECRET, ...body })).body.name;
    await make({ name: 'free' });
    await make({ name: 'bound', allowed_hosts: ['*.a.example'] });
    const payload = { text: '{{ .CREDENTIAL.free }}' };
    const agents = [agent('Agents::EventTransformationAgent', '1', { mode: 'message_only', payload })];
    const data = smallExport({ agents, links: [] });
    const imported = await api.call(key, 'POST /api/v1/stories/import', {
      new_name: 'S',
      team_id: team.id,
      data,
    });
    const list = async (query: string) =>
      (await api.call(key, `GET ${CREDENTIALS}?${query}`)).body.user_credentials.map(
        ({ name }: { name: string }) => name,
      );
    expect(await list(`team_id=${team.id}`)).toEqual(['free', 'bound']);
    expect(await list('filter=RESTRICTED')).toEqual(['bound']);
    expect(await list('filter=UNRESTRICTED')).toEqual(['free']);
    expect(await list('filter=UNUSED_IN_ACTIONS')).toEqual(['bound']);
    expect(await list('search=OUN')).toEqual(['bound']);
    expect(await list('folder_id=1')).toEqual([]);
    const { body: all } = await api.call(key, `GET ${CREDENTIALS}`);
    const usedBy = all.user_credentials.map(async ({ id }: { id: number }) => {
      const { body } = await api.call(key, `GET ${CREDENTIALS}/${id}?include_referencing_action_ids=true`);
      return body.referencing_action_ids;
    });
    const agentsOf = await api.call(key, `GET /api/v1/stories/${imported.body.id}/agents`);
    const ids = agentsOf.body.agents.map(({ id }: { id: number }) => id);
    expect(await Promise.all(usedBy)).toEqual([ids, []]);
  });

  it('take a new secret, and keep what a request does not name', async () => {
    const { key, team } = await admin();
    const { body: made } = await api.call(key, `POST ${CREDENTIALS}`, {
      ...named,
      mode: 'TEXT',
      value: 'one',
    });
    const path = `${CREDENTIALS}/${made.id}`;
    const values = async () => (await api.fabula().inner.credentialValues(team.id)).map((c) => c.value);
    await api.call(key, `PATCH ${path}`, { mode: 'TEXT', value: 'two', description: 'x' });
    expect(await values()).toEqual(['two']);
    const body = { metadata: { a: 1 }, allowed_hosts: ['b.example'], value: null, aws_access_key: null };
    expect((await api.call(key, `PATCH ${path}`, body)).body).toMatchObject({
      description: 'x',
      metadata: { a: 1 },
      allowed_hosts: ['b.example'],
      restriction_type: 'RESTRICTED',
    });
    expect(await values()).toEqual(['two']);
    expect((await api.call(key, `PUT ${path}?name=Query`)).body.name).toBe('Query');
    expect((await api.call(key, `GET /api/v1/credentials/${made.id}`)).body).toMatchObject({ mode: 'text' });
  });

  it('of other modes are no texts at the older address', async () => {
    const { key } = await admin();
    const body = { ...named, mode: 'JWT', ...MODES['JWT'] };
    const { body: made } = await api.call(key, `POST ${CREDENTIALS}`, body);
    expect((await api.call(key, `GET /api/v1/credentials/${made.id}`)).body.mode).toBe('jwt');
    const response = await api.call(key, `PUT /api/v1/credentials/${made.id}`, { value: 'x' });
    expect([response.status, places(response)]).toEqual([422, ['value']]);
  });

  it('A15 clients: name both ways to sign, where a JWT has none', async () => {
    const { key } = await admin();
    const body = { ...named, mode: 'JWT', jwt_payload: '{}' };
    const { status, body: response } = await api.call(key, `POST ${CREDENTIALS}`, body);
    const message = '"jwt_private_key" or "jwt_hs256_secret" is required with the mode "JWT"';
    expect([status, response.errors]).toEqual([422, [{ message, details: 'jwt_private_key' }]]);
  });

  it.each<[object, string[]]>([
    [{}, ['mode']],
    [{ mode: 'TEXT' }, ['value']],
    [{ mode: 'TEXT', value: SECRET, jwt_algorithm: 'HS256' }, ['jwt_algorithm']],
    [{ mode: 'JWT', jwt_payload: {} }, ['jwt_private_key']],
    [
      { mode: 'JWT', jwt_payload: SECRET, jwt_private_key: 'x', jwt_algorithm: 'none' },
      ['jwt_algorithm', 'jwt_payload'],
    ],
    [{ mode: 'HTTP_REQUEST_AGENT' }, ['http_request_options', 'http_request_location_of_token']],
    [
      { mode: 'OAUTH', oauth_token_url: 'ftp://x' },
      ['oauth_token_url', 'oauth_client_id', 'oauth_grant_type'],
    ],
    [{ mode: 'OAUTH', ...MODES['OAUTH'], oauth_client_secret: null }, ['oauth_client_secret']],
    [{ mode: 'OAUTH', ...MODES['OAUTH'], oauth_grant_type: 'authorization_code' }, ['oauth_url']],
    [{ mode: 'AWS', ...MODES['AWS'], aws_authentication_type: 'ROLE' }, ['aws_assumed_role_arn']],
    [
      { mode: 'MTLS', mtls_client_certificate: SECRET, mtls_client_private_key: SECRET },
      ['mtls_client_certificate'],
    ],
    [{ mode: 'MTLS' }, ['mtls_client_certificate', 'mtls_client_private_key']],
    [{ mode: 'MTLS', mtls_root_certificate: SECRET }, ['mtls_root_certificate']],
    [{ mode: 'TEXT', value: SECRET, read_access: 'SPECIFIC_TEAMS' }, ['shared_team_slugs']],
    [{ mode: 'TEXT', value: SECRET, is_test: true }, ['is_test']],
    [{ mode: 'TEXT', value: SECRET, unknown: SECRET }, ['unknown']],
  ])('refuse %j without repeating a secret', async (body, wrong) => {
    const { key } = await admin();
    const response = await api.call(key, `POST ${CREDENTIALS}`, { ...named, ...body });
    expect([response.status, new Set(places(response))]).toEqual([422, new Set(wrong)]);
    expect(JSON.stringify(response.body)).not.toContain(SECRET);
  });

  it('keep their mode and their team', async () => {
    const { key, tenantId } = await admin();
    const other = await buildTeam(stores.db, { tenantId });
    const { body: made } = await api.call(key, `POST ${CREDENTIALS}`, { ...named, mode: 'TEXT', value: 'x' });
    const body = { mode: 'JWT', team_id: other.id };
    const response = await api.call(key, `PUT ${CREDENTIALS}/${made.id}`, body);
    expect([response.status, places(response)]).toEqual([422, ['team_id', 'mode']]);
  });

  it('are shared with teams that use them, and managed by their own alone', async () => {
    const boss = await admin();
    const blue = await buildTeam(stores.db, { tenantId: boss.tenantId, name: 'Blue' });
    const friend = await buildAccount(stores.db, { team: blue, role: 'TEAM_ADMIN' });
    const stranger = await buildAccount(stores.db, { owner: true });
    const body = { mode: 'TEXT', value: SECRET, read_access: 'SPECIFIC_TEAMS', shared_team_slugs: ['blue'] };
    const { body: made } = await api.call(boss.key, `POST ${CREDENTIALS}`, { ...named, ...body });
    const path = `${CREDENTIALS}/${made.id}`;
    expect((await api.call(friend.key, `GET ${path}`)).body).toEqual(made);
    expect((await api.call(friend.key, `PUT ${path}`, { value: 'mine' })).status).toBe(403);
    expect((await api.call(friend.key, `DELETE ${path}`)).status).toBe(403);
    expect((await api.call(stranger.key, `GET ${path}`)).status).toBe(404);
    const credentials = credentialsOf(stores);
    const secrets = await credentials.listSecrets(blue.id);
    expect(secrets.map((secret) => secret.open())).toEqual([SECRET]);
    expect(await credentials.listSecrets(stranger.team.id)).toEqual([]);
    await api.call(boss.key, `PUT ${path}`, { read_access: 'TEAM' });
    expect(await credentials.listSecrets(blue.id)).toEqual([]);
  });

  it('a version without modes cannot read a credential of one', async () => {
    const { key, team } = await admin();
    await api.call(key, `POST ${CREDENTIALS}`, { ...named, mode: 'AWS', ...MODES['AWS'] });
    const credentials = credentialsOf(stores);
    const [row] = await stores.db.read((session) =>
      session.rows<{ value: Buffer }>('SELECT encrypted_value AS value FROM credentials WHERE team_id = ?', [
        team.id,
      ]),
    );
    expect(() => credentials.cipher().decrypt(row!.value, { teamId: team.id, name: 'Cred' })).toThrow(
      'cannot be decrypted',
    );
  });
});
