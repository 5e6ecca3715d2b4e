import { createHash, createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CredentialMode, ModeSettings } from '../../src/data/credentials/modes/credential-modes.js';
import { createTokenCache } from '../../src/data/credentials/tokens/token-cache.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { selfSigned } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import type { JsonObject } from '../../src/platform/json.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { recordingLogger } from '../support/recording-logger.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabulaHere } from '../support/use-fabula-here.js';

const SECRET = 'client-secret-of-the-team';
const log = recordingLogger();
const stores = useStores({ logger: log.logger });
let target: HttpTarget;
const fabula = useFabulaHere(stores, { env: { MAX_ATTEMPTS: '1', HTTP_TIMEOUT_MS: '5000' } });
let made = 0;

beforeEach(async () => {
  log.clear();
  target = await startHttpTarget({
    rules: {
      '/api': (request) => ({ body: { got: request.headers['authorization'] ?? '' } }),
      '/token': (_request, count) => ({ body: { access_token: `token-number-${count}`, expires_in: 3600 } }),
    },
  });
});
afterEach(() => target.close());

const sent = (path: string) => target.requests.filter((request) => request.path === path);
const tokens = () => sent('/api').map(({ headers }) => headers['authorization']);

async function credential(mode: CredentialMode, settings: Partial<ModeSettings>, more: JsonObject = {}) {
  const body = { name: 'Cred', mode, ...settings, ...more };
  const response = await fabula.api('POST', '/api/v1/user_credentials', body);
  expect(response.status).toBe(201);
}

/** A story with an HTTP request that sends the credential; gives the address of its webhook. */
async function story(options: JsonObject = {}, { failureLink = false } = {}) {
  made += 1;
  const request = {
    url: `${target.url}/api`,
    method: 'get',
    headers: { Authorization: 'Bearer {{ .CREDENTIAL.cred }}' },
    ...options,
  };
  const webhook = { path: `go${made}`, secret: 's3cret', verbs: 'post' };
  const { webhooks } = await fabula.importStory({
    schema_version: 3,
    name: `Sends ${made}`,
    guid: `${made}`.padStart(32, 'a'),
    agents: [
      agent('Agents::WebhookAgent', `${made}1`, webhook, { name: 'Receive' }),
      agent('Agents::HTTPRequestAgent', `${made}2`, request, { name: 'Tell' }),
      agent('Agents::EventTransformationAgent', `${made}3`, { mode: 'message_only', payload: {} }),
    ],
    links: [
      { source: 0, receiver: 1 },
      ...(failureLink ? [{ source: 1, receiver: 2, link_type: 'failure' }] : []),
    ],
  });
  return webhooks['Receive']!;
}

async function run(address: string, times = 1) {
  await Promise.all(Array.from({ length: times }, () => fabula.fire(address)));
  await fabula.settled();
}

async function everything() {
  const rows = await stores.db.read((session) =>
    session.rows('SELECT payload FROM events UNION ALL SELECT message FROM agent_logs'),
  );
  const response = await (await fabula.api('GET', '/api/v1/dead_letters')).text();
  return JSON.stringify([rows, response, log.lines()]);
}

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

const settings = (): Partial<ModeSettings> => ({
  http_request_options: {
    url: `${target.url}/token`,
    method: 'post',
    content_type: 'json',
    payload: { key: 'it is <<secret>>' },
  },
  http_request_secret: SECRET,
});

const oauth = (): Partial<ModeSettings> => ({
  oauth_grant_type: 'client_credentials',
  oauth_token_url: `${target.url}/token`,
  oauth_client_id: 'me',
  oauth_client_secret: SECRET,
  oauth_scope: 'a b',
});

test('OAUTH fetches a token once for many actions, and stores it encrypted', async () => {
  await credential('OAUTH', oauth());
  const address = await story();
  await run(address, 8);
  await run(await story());
  expect(new Set(tokens())).toEqual(new Set(['Bearer token-number-1']));
  expect(tokens()).toHaveLength(9);
  expect(sent('/token').map(({ text }) => Object.fromEntries(new URLSearchParams(text)))).toEqual([
    { grant_type: 'client_credentials', scope: 'a b', client_id: 'me', client_secret: SECRET },
  ]);
  const [row] = await stores.db.read((session) =>
    session.rows<{ token: Buffer; left: number }>(
      'SELECT encrypted_token AS token, TIMESTAMPDIFF(SECOND, NOW(3), expires_at) AS `left` FROM credential_tokens',
    ),
  );
  expect(row!.token.includes('token-number')).toBe(false);
  expect(row!.left).toBeGreaterThan(3_000);
  const held = await everything();
  expect(held).not.toContain('token-number');
  expect(held).not.toContain(SECRET);
  expect(held).toContain('[credential Cred]');
});

test('I14: OAUTH asks with an audience and a resource, and shows both', async () => {
  const purpose = { oauth_audience: 'https://api.example.com', oauth_resource: 'urn:x' };
  await credential('OAUTH', { ...oauth(), ...purpose });
  await run(await story());
  expect(tokenForms()).toMatchObject([
    {
      grant_type: 'client_credentials',
      audience: 'https://api.example.com',
      resource: 'urn:x',
      scope: 'a b',
    },
  ]);
});

test('OAUTH takes the secret of a client in a header where the body is refused', async () => {
  target.on('/token', (request) =>
    request.headers['authorization'] === undefined
      ? { status: 401, body: { error: 'invalid_client' } }
      : { body: { access_token: 'by-header' } },
  );
  await credential('OAUTH', oauth());
  await run(await story());
  expect(tokens()).toEqual(['Bearer by-header']);
  const basic = Buffer.from(`me:${SECRET}`).toString('base64');
  expect(sent('/token')[1]?.headers['authorization']).toBe(`Basic ${basic}`);
});

test('a token that its receiver refuses is fetched again once, unless it is new', async () => {
  await credential('OAUTH', oauth());
  const address = await story({ emit_failure_event: true });
  await run(address);
  target.on('/api', (request) => ({
    status: request.headers['authorization'] === 'Bearer token-number-1' ? 401 : 200,
    body: {},
  }));
  await run(address);
  expect(tokens()).toEqual(['Bearer token-number-1', 'Bearer token-number-1']);
  await stores.db.read((session) =>
    session.run('UPDATE credential_tokens SET fetched_at = NOW(3) - INTERVAL 2 MINUTE'),
  );
  await run(address);
  expect(tokens().slice(2)).toEqual(['Bearer token-number-1', 'Bearer token-number-2']);
});

test('a new secret takes the place of a token of the old one', async () => {
  await credential('OAUTH', oauth());
  await run(await story());
  const response = await fabula.api('GET', '/api/v1/user_credentials');
  const { user_credentials: list } = (await response.json()) as { user_credentials: { id: number }[] };
  const id = list[0]?.id;
  await fabula.api('PUT', `/api/v1/user_credentials/${id}`, { oauth_client_secret: 'another' });
  const rows = await stores.db.read((session) => session.rows('SELECT * FROM credential_tokens'));
  expect(rows).toEqual([]);
});

test('a token server that fails is named, and nothing that it says', async () => {
  target.on('/token', { status: 400, body: { error: `bad ${SECRET}` } });
  await credential('OAUTH', oauth());
  await run(await story());
  const held = await everything();
  expect(held).toContain(
    `The token of the credential \\"Cred\\" could not be fetched: 127.0.0.1:${target.port} answered 400`,
  );
  expect(held).not.toContain(SECRET);
  expect(sent('/api')).toEqual([]);
});

test('a token goes to the allowed hosts only, and its server leads to no other', async () => {
  const other = await startHttpTarget({ host: '127.0.0.2' });
  try {
    await credential(
      'HTTP_REQUEST_AGENT',
      {
        http_request_options: { url: `${target.url}/token`, method: 'get' },
        http_request_location_of_token: '=response.body.access_token',
      },
      { allowed_hosts: ['api.example'] },
    );
    await run(await story());
    expect([sent('/token').length, sent('/api')]).toEqual([1, []]);
    expect(await everything()).toContain('cannot be sent to 127.0.0.1');
    target.on('/token', { redirect: `${other.url}/token` });
    await run(await story());
    expect(other.requests).toEqual([]);
    expect(await everything()).toContain('redirects to a host that is not allowed');
  } finally {
    await other.close();
  }
});

test('JWT signs its claims when it is used, with the times', async () => {
  await credential('JWT', {
    jwt_payload: { iss: 'me' },
    jwt_hs256_secret: SECRET,
    jwt_auto_generate_time_claims: true,
  });
  await run(await story());
  const [header = '', claims = '', signature] = (tokens()[0] ?? '').replace('Bearer ', '').split('.');
  const expected = createHmac('sha256', SECRET).update(`${header}.${claims}`).digest('base64url');
  expect(signature).toBe(expected);
  expect(decoded(header)).toEqual({ typ: 'JWT', alg: 'HS256' });
  const { iss, iat, exp } = decoded(claims);
  expect([iss, exp - iat]).toEqual(['me', 3600]);
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
});

describe('HTTP_REQUEST_AGENT', () => {
  test.each([
    '=response.body.access_token',
    '\\=cred.body.access_token',
    '{{ .access_token }}',
    'body.access_token',
  ])('fetches a token for each run without a ttl, from %s', async (location) => {
    await credential('HTTP_REQUEST_AGENT', { ...settings(), http_request_location_of_token: location });
    const address = await story();
    await run(address);
    await run(address);
    expect(tokens()).toEqual(['Bearer token-number-1', 'Bearer token-number-2']);
    expect(sent('/token')[0]?.text).toBe(JSON.stringify({ key: `it is ${SECRET}` }));
  });

  test('uses a token for its time, then another', async () => {
    const location = { http_request_location_of_token: '=response.body.access_token', http_request_ttl: 600 };
    await credential('HTTP_REQUEST_AGENT', { ...settings(), ...location });
    const address = await story();
    await run(address, 4);
    expect(new Set(tokens())).toEqual(new Set(['Bearer token-number-1']));
    await stores.db.read((session) => session.run('UPDATE credential_tokens SET expires_at = NOW(3)'));
    await run(address);
    expect(tokens().at(-1)).toBe('Bearer token-number-2');
  });

  test('says which setting fails, without the secret', async () => {
    const location = { http_request_location_of_token: '=response.body.none' };
    await credential('HTTP_REQUEST_AGENT', { ...settings(), ...location });
    await run(await story());
    const held = await everything();
    expect(held).toContain('http_request_location_of_token does not refer to text');
    expect(held).not.toContain(SECRET);
  });

  test('MULTI_REQUEST shows each request the response before it', async () => {
    target.on('/session', (request) => ({ body: { token: `session of ${JSON.parse(request.text).user}` } }));
    const first = {
      url: `${target.url}/login`,
      method: 'post',
      content_type: 'json',
      payload: { p: '<<secret>>' },
    };
    target.on('/login', (request) => ({ body: { user: `user with ${JSON.parse(request.text).p}` } }));
    const second = {
      url: `${target.url}/session`,
      method: 'post',
      content_type: 'json',
      payload: { user: '<<response.body.user>>' },
    };
    await credential('MULTI_REQUEST', {
      credential_requests: [{ options: first, http_request_secret: 'pw' }, { options: second }],
      http_request_location_of_token: '=response.body.token',
    });
    await run(await story());
    expect(tokens()).toEqual(['Bearer session of user with pw']);
  });
});

test('processes at the same time fetch one token', async () => {
  const { credentials, database } = fabula.workers;
  let asked = 0;
  const counted = {
    read: <Result>(work: (session: Session) => Promise<Result>) => {
      asked += 1;
      return database.read(work);
    },
  };
  const cipher = () => credentials.cipher();
  const [first, second] = [
    createTokenCache({ database, cipher }),
    createTokenCache({ database: counted, cipher }),
  ];
  let fetched = 0;
  const fetch = async () => {
    fetched += 1;
    // Until the other has looked for the token, been refused the lease, and looked again.
    await eventually(() => asked >= 3);
    return { token: `token ${fetched}`, seconds: 60 };
  };
  const key = { id: 1, teamId: 1, name: 'Cred' };
  const started = first.get(key, fetch);
  await eventually(() => fetched === 1);
  const all = await Promise.all([
    started,
    first.get(key, fetch),
    second.get(key, fetch),
    second.get(key, fetch),
  ]);
  expect([all, fetched]).toEqual([Array(4).fill('token 1'), 1]);
});

test('MTLS shows the certificate to the server that its action names', async () => {
  const [own, servers] = [selfSigned('127.0.0.1'), selfSigned('127.0.0.1')];
  const server = createServer(
    { ...servers, ca: own.cert, requestCert: true, rejectUnauthorized: true },
    handle,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await credential('MTLS', {
      mtls_client_certificate: own.cert,
      mtls_client_private_key: own.key,
      mtls_root_certificate: servers.cert,
    });
    await run(await story({ url, headers: {}, mutual_tls: '{{ .CREDENTIAL.cred }}' }));
    expect(await responses()).toEqual([{ authorized: true }]);
    await run(await story({ url, headers: { 'X-Key': '{{ .CREDENTIAL.cred }}' } }));
    await run(await story({ url, headers: {}, mutual_tls: 'a certificate' }));
    const held = await everything();
    expect(held).toContain('mutual_tls: set exactly one credential of the mode MTLS');
    expect(held).not.toContain('PRIVATE KEY');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('I10: a private authority alone is trusted for the request that names it, and no certificate is shown', async () => {
  const servers = selfSigned('127.0.0.1');
  const server = createServer({ ...servers, requestCert: true, rejectUnauthorized: false }, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await credential('MTLS', { mtls_root_certificate: servers.cert });
    await run(await story({ url, headers: {}, mutual_tls: '{{ .CREDENTIAL.cred }}' }));
    await run(await story({ url, headers: {} }));
    expect(await responses()).toEqual([{ authorized: false }, expect.stringContaining('self-signed')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** Says whether the client's certificate is good. */
const handle: RequestListener = (request, response) => {
  const { authorized } = request.socket as TLSSocket;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ authorized }));
};

/** The bodies that HTTP actions got. */
async function responses(): Promise<unknown[]> {
  const events = await fabula.events();
  return events
    .filter(({ agent: name }) => name === 'Tell')
    .map(({ payload }) => (payload as { body: unknown }).body);
}

const personal = (): Partial<ModeSettings> => ({
  ...oauth(),
  oauth_grant_type: 'authorization_code',
  oauth_url: `${target.url}/authorize?prompt=consent`,
  oauthPkceCodeChallengeMethod: 'S256',
});
const callback = (query: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
  fetch(`${fabula.url}/oauth/callback?${new URLSearchParams(query).toString()}`, { method });
const tokenForms = () => sent('/token').map(({ text }) => Object.fromEntries(new URLSearchParams(text)));

async function connected(tokenResponse: JsonObject) {
  const body = { name: 'Cred', mode: 'OAUTH', ...personal() };
  return allow(await fabula.api('POST', '/api/v1/user_credentials', body), tokenResponse);
}

/** A person opens the address of the response, and allows the access. */
async function allow(response: Response, tokenResponse: JsonObject) {
  target.on('/token', (_request, count) => ({
    body: { access_token: `token-number-${count}`, ...tokenResponse },
  }));
  const { redirect_url: address } = (await response.json()) as { redirect_url: string };
  const asked = Object.fromEntries(new URL(address).searchParams);
  const finished = await callback({ code: 'the-code', state: asked['state'] ?? '' }, 'POST');
  return { asked, finished, text: await finished.text() };
}

/** The only credential, as the API shows it. */
async function shown(): Promise<JsonObject> {
  const response = await fabula.api('GET', '/api/v1/user_credentials');
  const [one = {}] = ((await response.json()) as { user_credentials: JsonObject[] }).user_credentials;
  return one;
}

const reconnect = async (tokenResponse: JsonObject) =>
  allow(
    await fabula.api('PUT', `/api/v1/user_credentials/${Number((await shown())['id'])}`, {}),
    tokenResponse,
  );

/** The deliveries that sleep. */
const waiting = () =>
  stores.db.read((session) =>
    session.rows<{ generation: number; attempts: number; error: string }>(
      "SELECT generation, attempts, error FROM deliveries WHERE state = 'waiting'",
    ),
  );

/** Calls the webhook, and waits until so many deliveries wait for a person. */
async function held(address: string, times = 1) {
  await fabula.fire(address);
  await eventually(async () => (await waiting()).length === times);
}

const wake = () =>
  stores.sql("UPDATE deliveries SET due_at = NOW(3), resume_at = NOW(3) WHERE state = 'waiting'");

const failure = async () => (await fabula.deadLetters()).at(-1)?.error ?? '';

describe('OAUTH that a person allows', () => {
  test('opens an address, exchanges its code with PKCE, and refreshes the token when it ends', async () => {
    const { asked, finished, text } = await connected({ expires_in: 3600, refresh_token: 'refresh-token-1' });
    expect([finished.status, text]).toEqual([
      200,
      'The credential "Cred" is connected. You can close this page.\n',
    ]);
    const redirectUri = `${fabula.url}/oauth/callback`;
    expect(asked).toMatchObject({
      prompt: 'consent',
      response_type: 'code',
      client_id: 'me',
      redirect_uri: redirectUri,
      scope: 'a b',
      code_challenge_method: 'S256',
    });
    const [{ code_verifier: verifier = '', ...form } = {}] = tokenForms();
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked['code_challenge']);
    expect(form).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: redirectUri,
      client_id: 'me',
      client_secret: SECRET,
    });
    const address = await story();
    await run(address, 3);
    expect(new Set(tokens())).toEqual(new Set(['Bearer token-number-1']));
    await stores.db.read((session) =>
      session.run('UPDATE credential_tokens SET fetched_at = NOW(3) - INTERVAL 2 MINUTE'),
    );
    target.on('/api', (request) => ({
      status: request.headers['authorization'] === 'Bearer token-number-1' ? 401 : 200,
      body: {},
    }));
    await run(address);
    expect(tokens().at(-1)).toBe('Bearer token-number-2');
    expect(tokenForms()[1]).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh-token-1' });
    const held = await everything();
    for (const secret of ['token-number', 'refresh-token', SECRET, verifier, 'the-code']) {
      expect(held).not.toContain(secret);
    }
  });

  test('keeps the refresh token where a server gives no new one', async () => {
    await connected({ expires_in: 1, refresh_token: 'refresh-token-1' });
    target.on('/token', { body: { access_token: 'short', expires_in: 1 } });
    const address = await story();
    await run(address);
    await run(address);
    const refreshes = tokenForms().slice(1);
    expect(refreshes.map(({ refresh_token: token }) => token)).toEqual([
      'refresh-token-1',
      'refresh-token-1',
    ]);
  });

  test('says that nobody has allowed it, also when it is deleted meanwhile', async () => {
    await credential('OAUTH', personal());
    await held(await story());
    expect(await everything()).toContain('access has not been authorized yet');
    expect(sent('/api')).toEqual([]);
    await stores.db.read((session) => session.run('DELETE FROM credentials'));
    await wake();
    await fabula.settled();
    expect(await everything()).not.toContain('error in this server');
  });

  test('I25: a refresh token that was used is not sent again, and the credential says what to do', async () => {
    await connected({ expires_in: 1, refresh_token: 'refresh-token-1' });
    target.on('/token', {
      status: 400,
      body: { error: 'invalid_grant', error_description: `refresh-token-1 of ${SECRET} was used` },
    });
    await held(await story());
    await held(await story(), 2);
    const [first, second] = (await fabula.logs()).map(({ message }) => message);
    expect(first).toMatch(/^Held: .*answered 400 \(invalid_grant\); reconnect the credential/);
    expect(second).toContain('there is no refresh token: reconnect the credential');
    expect(tokenForms().filter(({ grant_type: type }) => type === 'refresh_token')).toHaveLength(1);
    const host = new URL(target.url).host;
    expect(await shown()).toMatchObject({
      reconnect_needed: {
        since: expect.stringMatching(/^\d{4}-/),
        reason: `${host} answered 400 (invalid_grant)`,
      },
    });
    const status = (await (await fabula.api('GET', '/api/v1/status')).json()) as { reasons: JsonObject[] };
    expect(status.reasons).toContainEqual(
      expect.objectContaining({
        id: 'work.unconnected-credentials',
        text: '1 credential needs to be connected: "Cred".',
        since: expect.stringMatching(/^\d{4}-/),
      }),
    );
    const kept = await everything();
    for (const secret of ['refresh-token-1', SECRET]) expect(kept).not.toContain(secret);
  });

  test.each([
    [200, 'bad_refresh_token'],
    [200, 'invalid_refresh_token'],
    [400, 'interaction_required'],
    [401, 'invalid_grant'],
  ])('I25: status %d with %s ends the access too', async (status, error) => {
    await connected({ expires_in: 1, refresh_token: 'refresh-token-1' });
    target.on('/token', { status, body: { error } });
    await held(await story());
    expect(await shown()).toMatchObject({ reconnect_needed: { reason: expect.stringContaining(error) } });
    // A spent token that comes twice may end all access, also as a client that signs in another way.
    expect(tokenForms().filter(({ grant_type: type }) => type === 'refresh_token')).toHaveLength(1);
  });

  test('I25: an action waits until the credential is connected again, and its log tells so once', async () => {
    await connected({ expires_in: 1 });
    await held(await story());
    await wake();
    await eventually(async () => (await waiting())[0]?.generation === 3);
    expect(await fabula.logs()).toHaveLength(1);
    expect(await waiting()).toEqual([
      expect.objectContaining({ attempts: 0, error: expect.stringMatching(/^Held: /) }),
    ]);
    await reconnect({ expires_in: 3600 });
    expect(await shown()).toMatchObject({ reconnect_needed: null });
    await wake();
    await fabula.settled();
    expect(await fabula.deadLetters()).toEqual([]);
    expect(tokens()).toHaveLength(1);
  });

  test('I25: after three days it is a dead letter', async () => {
    await connected({ expires_in: 1 });
    await held(await story());
    await stores.sql('UPDATE credentials SET reconnect_since = NOW(3) - INTERVAL 73 HOUR');
    await wake();
    await fabula.settled();
    expect(await failure()).toContain('there is no refresh token: reconnect the credential');
  });

  test('I25: an action with a failure link does not wait', async () => {
    await connected({ expires_in: 1 });
    await run(await story({}, { failureLink: true }));
    expect((await fabula.events()).map(({ agent: name }) => name)).toContain('Tell');
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('I25: a new token ends the need', async () => {
    await connected({ expires_in: 1, refresh_token: 'refresh-token-1' });
    await stores.sql("UPDATE credentials SET reconnect_since = NOW(3), reconnect_reason = 'x'");
    await run(await story());
    expect(await shown()).toMatchObject({ reconnect_needed: null });
    expect(tokens()).toHaveLength(1);
  });

  test('says that it has ended', async () => {
    await connected({ expires_in: 1 });
    await held(await story());
    expect(await everything()).toContain('access has expired, and there is no refresh token');
  });

  test('knows no other state, and a refusal changes nothing', async () => {
    const { asked } = await connected({ expires_in: 3600 });
    const state = asked['state'] ?? '';
    const forged = state.replace(
      /^(.{40})./,
      (_, start: string) => `${start}${state[40] === 'A' ? 'B' : 'A'}`,
    );
    expect((await callback({ code: 'x', state: forged })).status).toBe(404);
    expect((await callback({ code: 'x' })).status).toBe(404);
    expect((await callback({ error: 'access_denied', state })).status).toBe(400);
    target.on('/token', { status: 400, body: { error: `bad ${SECRET}` } });
    const failed = await callback({ code: 'used', state }, 'POST');
    expect([failed.status, await failed.text()]).toEqual([502, expect.not.stringContaining(SECRET)]);
    await run(await story());
    expect(tokens()).toEqual(['Bearer token-number-1']);
    expect(JSON.stringify(log.lines())).not.toContain(state);
  });

  test('S17: is connected only after the person was told what it is for, and who asked', async () => {
    const body = { name: 'Cred', mode: 'OAUTH', ...personal() };
    const response = await fabula.api('POST', '/api/v1/user_credentials', body);
    const { redirect_url: address } = (await response.json()) as { redirect_url: string };
    const state = new URL(address).searchParams.get('state') ?? '';
    const page = await callback({ code: 'the-code', state });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    for (const part of ['Cred', fabula.account.user.email, '<form method="post">'])
      expect(text).toContain(part);
    expect(sent('/token')).toEqual([]);
    expect((await callback({ code: 'the-code', state: 'x' }, 'POST')).status).toBe(404);
  });

  test('is allowed anew for other rights', async () => {
    await connected({ expires_in: 3600 });
    const list = (await (await fabula.api('GET', '/api/v1/user_credentials')).json()) as {
      user_credentials: { id: number }[];
    };
    const path = `/api/v1/user_credentials/${list.user_credentials[0]?.id}`;
    const response = await fabula.api('PUT', path, { oauth_scope: 'more' });
    expect(
      new URL(((await response.json()) as { redirect_url: string }).redirect_url).searchParams.get('scope'),
    ).toBe('more');
    await eventually(async () => {
      await fabula.fire(await story());
      return (await everything()).includes('access has not been authorized yet');
    });
  });
});
