import { buildAccount } from '../support/builders.js';
import { selfSigned } from '../support/certificates.js';
import { credentialsOf } from '../support/credentials.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const CREDENTIALS = '/api/v1/user_credentials';
const HOSTS = ['a.example', '*.b.example:8443'];

const certificate = selfSigned('127.0.0.1');
const options = { url: 'https://a.example', payload: { key: '<<secret>>' } };

interface Sample {
  /** Its secrets: with another host they are all given again. */
  secrets: Record<string, unknown>;
  others: object;
  /** Changes of where a secret goes, or of what is signed with it. */
  moves: object[];
  /** Changes that move nothing. */
  free: object[];
}

/** With SECRET_EQUAL in a story it tells a token letter by letter. */
const LETTER = { http_request_location_of_token: '=SLICE(response.body.value, 0, 1)' };

const SAMPLES: Record<string, Sample> = {
  TEXT: { secrets: { value: 'x' }, others: {}, moves: [], free: [{ description: 'y' }] },
  JWT: {
    secrets: { jwt_private_key: 'x' },
    others: { jwt_payload: { aud: 'a' }, jwt_algorithm: 'HS256' },
    moves: [{ jwt_payload: { aud: 'b' } }],
    free: [{ jwt_payload: { aud: 'a' } }, { jwt_auto_generate_time_claims: true }],
  },
  HTTP_REQUEST_AGENT: {
    secrets: { http_request_secret: 'x', http_request_options: options },
    others: { http_request_location_of_token: '=response.body.value' },
    moves: [
      { http_request_options: { ...options, url: 'https://evil.example' } },
      { http_request_options: { ...options, headers: { a: '<<secret>>' } } },
      LETTER,
    ],
    free: [
      { http_request_options: options },
      { http_request_ttl: 60 },
      { http_request_location_of_token: '=response.body.value' },
    ],
  },
  MULTI_REQUEST: {
    secrets: { credential_requests: [{ options, http_request_secret: 'x' }] },
    others: { http_request_location_of_token: '=response.body.value' },
    moves: [LETTER],
    free: [{ http_request_ttl: 60 }],
  },
  OAUTH: {
    secrets: { oauth_client_secret: 'x' },
    others: {
      oauth_grant_type: 'client_credentials',
      oauth_token_url: 'https://a.example/token',
      oauth_client_id: 'me',
    },
    moves: [{ oauth_token_url: 'https://evil.example/token' }, { oauth_url: 'https://evil.example/' }],
    free: [{ oauth_scope: 'read' }, { oauth_token_url: 'https://a.example/token' }],
  },
  AWS: {
    secrets: { aws_secret_key: 'x' },
    others: { aws_access_key: 'foo' },
    moves: [{ aws_authentication_type: 'ROLE', aws_assumed_role_arn: 'arn:aws:iam::1:role/a' }],
    free: [{ aws_authentication_type: 'KEY' }],
  },
  MTLS: {
    secrets: { mtls_client_private_key: certificate.key },
    others: { mtls_client_certificate: certificate.cert },
    moves: [{ mtls_root_certificate: certificate.cert }],
    free: [{ mtls_client_certificate: certificate.cert }],
  },
};
const modes = Object.entries(SAMPLES);

async function make(mode: string, { secrets, others }: Sample) {
  const { key } = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const body = { name: 'Cred', mode, allowed_hosts: HOSTS, ...secrets, ...others };
  const made = await api.call(key, `POST ${CREDENTIALS}`, body);
  expect(made.status).toBe(201);
  const path = `${CREDENTIALS}/${made.body.id}`;
  const change = async (given: object, method = 'PATCH') => {
    const response = await api.call(key, `${method} ${path}`, given);
    return response.status === 200 ? 'changed' : [response.status, places(response)];
  };
  return { key, path, change, call: (request: string, given?: object) => api.call(key, request, given) };
}

it.each(modes)(
  'S6: a credential of mode %s gets another host only with all its secrets',
  async (mode, sample) => {
    const { change } = await make(mode, sample);
    const wider = [
      [...HOSTS, 'evil.example'],
      ['evil.example'],
      [],
      ['*.a.example'],
      ['x.b.example'],
      ['*.b.example'],
    ];
    const names = Object.keys(sample.secrets);
    for (const allowed_hosts of wider) {
      expect(await change({ allowed_hosts }, 'PUT')).toEqual([422, names]);
      expect(await change({ allowed_hosts })).toEqual([422, names]);
    }
    for (const name of names) {
      const { [name]: _, ...rest } = sample.secrets;
      expect(await change({ allowed_hosts: [], ...rest })).toEqual([422, [name]]);
    }
    expect(await change({ allowed_hosts: ['c.example'], ...sample.secrets })).toBe('changed');
  },
);

it.each(modes)(
  'S6: a credential of mode %s is sent elsewhere only with the secrets that go there',
  async (mode, sample) => {
    const { change } = await make(mode, sample);
    for (const each of sample.free) expect(await change(each)).toBe('changed');
    for (const move of sample.moves) {
      const wanted = Object.keys(sample.secrets).filter((name) => !Object.hasOwn(move, name));
      expect(await change(move)).toEqual([422, wanted]);
      expect(await change({ ...sample.secrets, ...move })).toBe('changed');
      expect(await change({ ...sample.secrets, ...sample.others })).toBe('changed');
    }
  },
);

it.each(modes)(
  'S6: hosts of a credential of mode %s are narrowed without its secret',
  async (mode, sample) => {
    const { change } = await make(mode, sample);
    expect(await change({ allowed_hosts: ['a.example:443', 'x.b.example:8443', '*.c.b.example:8443'] })).toBe(
      'changed',
    );
    expect(await change({ allowed_hosts: ['a.example:443'] })).toBe('changed');
  },
);

it('S6: a credential for any host gets hosts without its secret, and then keeps them', async () => {
  const { change } = await make('TEXT', SAMPLES['TEXT']!);
  expect(await change({ allowed_hosts: [], value: 'x' })).toBe('changed');
  expect(await change({ allowed_hosts: ['any.example'] })).toBe('changed');
  expect(await change({ allowed_hosts: [] })).toEqual([422, ['value']]);
});

it('S6: the older address of credentials holds to the same', async () => {
  const { path, call } = await make('TEXT', SAMPLES['TEXT']!);
  const older = path.replace('user_credentials', 'credentials');
  const refused = await call(`PUT ${older}`, { allowed_hosts: ['evil.example'] });
  expect([refused.status, places(refused)]).toEqual([422, ['value']]);
  expect((await call(`PUT ${older}`, { allowed_hosts: ['evil.example'], value: 'x' })).status).toBe(200);
});

it.each(modes)('S6: a test value of mode %s is no way round', async (mode, sample) => {
  const { path, call, change } = await make(mode, sample);
  expect(await change({ is_test: true, ...sample.secrets, ...sample.others })).toBe('changed');
  const names = Object.keys(sample.secrets);
  expect(await change({ is_test: true, allowed_hosts: ['evil.example'] })).toEqual([422, names]);
  for (const move of sample.moves) {
    const wanted = names.filter((name) => !Object.hasOwn(move, name));
    expect(await change({ is_test: true, ...move })).toEqual([422, wanted]);
  }
  const id = Number(path.split('/').at(-1));
  const body = { name: 'Cred', mode, allowed_hosts: ['evil.example'], live_credential_id: id };
  const made = await call(`POST ${CREDENTIALS}`, body);
  expect([made.status, places(made)]).toEqual([422, names]);
});

it('S6: an API key of this server in a credential goes to no other host', async () => {
  const { key } = await buildAccount(stores.db, { owner: true });
  const body = { name: 'Key', mode: 'fabula', key: { kind: 'team', role: 'VIEWER' }, allowed_hosts: HOSTS };
  const made = await api.call(key, 'POST /api/v1/credentials', body);
  for (const address of [`${CREDENTIALS}/${made.body.id}`, `/api/v1/credentials/${made.body.id}`]) {
    const refused = await api.call(key, `PATCH ${address}`, { allowed_hosts: [] });
    expect([refused.status, places(refused)]).toEqual([422, ['allowed_hosts']]);
    const narrowed = await api.call(key, `PATCH ${address}`, { allowed_hosts: ['a.example'] });
    expect(narrowed.status).toBe(200);
  }
});

it('S6: an access that a person has allowed ends with another host', async () => {
  const sample = SAMPLES['OAUTH']!;
  const others = {
    ...sample.others,
    oauth_grant_type: 'authorization_code',
    oauth_url: 'https://a.example/ask',
  };
  const { path, change } = await make('OAUTH', { ...sample, secrets: {}, others });
  const id = Number(path.split('/').at(-1));
  const credentials = credentialsOf(stores);
  const sealed = () =>
    stores.db.read(async (session) => {
      const [row] = await session.rows<{ name: string; teamId: number; mode: string; value: Buffer }>(
        'SELECT name, team_id AS teamId, mode, encrypted_value AS value FROM credentials WHERE id = ?',
        [id],
      );
      return row!;
    });
  const before = await sealed();
  const settings = JSON.parse(credentials.cipher().decrypt(before.value, before)) as object;
  const granted = JSON.stringify({ ...settings, grant: { accessToken: 'a-person-has-allowed' } });
  await stores.sql('UPDATE credentials SET encrypted_value = ? WHERE id = ?', [
    credentials.cipher().encrypt(granted, before),
    id,
  ]);
  const opened = async () => {
    const row = await sealed();
    return credentials.cipher().decrypt(row.value, row);
  };
  expect(await change({ allowed_hosts: ['a.example'] })).toBe('changed');
  expect(await opened()).toContain('a-person-has-allowed');
  expect(await change({ allowed_hosts: ['a.example', 'evil.example'] })).toBe('changed');
  expect(await opened()).not.toContain('a-person-has-allowed');
});

it('S6: another address gets signed digests only with their secret', async () => {
  const { key, team } = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const put = async (given: object) => {
    const response = await api.call(key, `PUT /api/v1/teams/${team.id}/digest`, given);
    return response.status === 200 ? response.body.signed : [response.status, places(response)];
  };
  const own = 'https://a.example/digest';
  const other = 'https://evil.example/';
  expect(await put({ recipients: [own], secret: 's'.repeat(16) })).toBe(true);
  expect(await put({ recipients: [own, other] })).toEqual([422, ['secret']]);
  expect(await put({ recipients: [own, 'a@b.example'], hour: 9 })).toBe(true);
  expect(await put({ recipients: [other], secret: null })).toBe(false);
});
