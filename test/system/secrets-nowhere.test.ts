import type { ModeSettings } from '../../src/data/credentials/modes/credential-modes.js';
import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { selfSigned } from '../support/certificates.js';
import { everyKey, everyTable } from '../support/everything-kept.js';
import { clientOf } from '../support/fabula-client.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { leaksOf } from '../support/secrets.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });

/** Every secret that is given to the processes, and the tables that hold it in clear text on purpose. */
const secrets = new Map<string, { value: string; tables: string[] }>();
let count = 0;

/** Makes a secret that no other text contains. */
function secret(name: string, tables: string[] = []): string {
  count += 1;
  const value = `Zq${count}x-Wombat-${count * 7919}-QUOLL`;
  secrets.set(name, { value, tables });
  return value;
}

/** Options of actions are the story's own text, which its editors read and export. */
const OPTIONS = ['agents', 'story_versions'];
/** Content of tenants is in no log either. Errors of actions may quote it. */
const content = secret('content of a payload', ['events', 'deliveries', 'agent_logs']);
const boardPassword = secret('password of the board');
const wrongPassword = secret('wrong password of the board');
const smtpPassword = secret('password at the mail server');
const encryptionKey = 'c0ffee'.padEnd(64, '9');
secrets.set('encryption key', { value: encryptionKey, tables: [] });

let target: HttpTarget;
let web: FabulaProcess;
let worker: FabulaProcess;
let url = '';
let board = '';
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  const token = secret('token of a server');
  target = await startHttpTarget({
    rules: {
      '/ok': { body: { fine: true } },
      '/token': { body: { access_token: token, token, expires_in: 3600 } },
      '/token-refused': { status: 400, body: { error: 'refused' } },
      '/refused': { status: 500, body: { error: 'refused' } },
      '/cut': { reset: true },
    },
  });
  const env = fabulaEnvironment(stores, {
    LOG_LEVEL: 'debug',
    ENCRYPTION_KEY: encryptionKey,
    ADMIN_USER: 'admin',
    ADMIN_PASSWORD: boardPassword,
    ADMIN_PORT: '0',
    MAX_ATTEMPTS: '1',
    // Nothing listens there: each mail fails.
    SMTP_URL: `smtp://mailer:${smtpPassword}@127.0.0.1:9`,
  });
  web = startProcess('web', env);
  worker = startProcess('workers/all', env);
  stores.onClose(async () => {
    await Promise.all([web.stop('SIGKILL'), worker.stop('SIGKILL'), target.close()]);
  });
  await Promise.all([web.said('console and queue board are listening'), worker.said('worker is running')]);
  const portOf = (message: string) =>
    new RegExp(`"port":(\\d+)[^\\n]*${message}|${message}[^\\n]*"port":(\\d+)`).exec(web.output());
  const [, a, b] = portOf('web is listening') ?? [];
  const [, c, d] = portOf('console and queue board are listening') ?? [];
  board = `http://127.0.0.1:${c ?? d}`;
  const account = await buildAccount(stores.db, { owner: true });
  secrets.set('key of the API', { value: account.key, tables: [] });
  url = `http://127.0.0.1:${a ?? b}`;
  client = clientOf({ url, account, stores });
}, 180_000);

const settings = (): Record<string, Partial<ModeSettings>> => {
  const request = (path: string) => ({
    url: `${target.url}${path}`,
    method: 'post',
    payload: { key: '<<secret>>' },
  });
  const own = selfSigned('127.0.0.1');
  secrets.set('private key of a client', { value: own.key.split('\n')[3] ?? '', tables: [] });
  return {
    TEXT: { value: secret('text of a credential') },
    JWT: { jwt_payload: { sub: 'me' }, jwt_algorithm: 'HS256', jwt_hs256_secret: secret('key of a JWT') },
    HTTP_REQUEST_AGENT: {
      http_request_options: request('/token'),
      http_request_secret: secret('secret of a token request'),
      http_request_location_of_token: '=response.body.token',
    },
    MULTI_REQUEST: {
      credential_requests: [
        { options: request('/token-refused'), http_request_secret: secret('secret of several requests') },
      ],
      http_request_location_of_token: '=response.body.token',
    },
    OAUTH: {
      oauth_grant_type: 'client_credentials',
      oauth_token_url: `${target.url}/token`,
      oauth_client_id: 'me',
      oauth_client_secret: secret('secret of an OAuth client'),
    },
    AWS: { aws_access_key: 'AKIAEXAMPLE', aws_secret_key: secret('secret key of AWS') },
    MTLS: { mtls_client_certificate: own.cert, mtls_client_private_key: own.key },
  };
};

/** Requests with each credential: one that is served, one that is refused, one that is cut off. */
async function storyWithCredentials(): Promise<string> {
  const agents: Record<string, ShortAgent> = {
    Receive: [
      'Webhook',
      { path: 'all', secret: secret('secret of a webhook', OPTIONS), verbs: 'post', include_headers: true },
    ],
  };
  for (const [mode, given] of Object.entries(settings())) {
    const name = `c_${mode.toLowerCase()}`;
    const response = await client.api('POST', '/api/v1/user_credentials', { name, mode, ...given });
    expect([mode, response.status]).toEqual([mode, 201]);
    const auth: JsonObject =
      mode === 'MTLS'
        ? { mutual_tls: `<<CREDENTIAL.${name}>>` }
        : { headers: { Authorization: `<<CREDENTIAL.${name}>>` } };
    for (const path of ['ok', 'refused', 'cut'])
      agents[`${mode} ${path}`] = ['HTTPRequest', { url: `${target.url}/${path}`, method: 'get', ...auth }];
  }
  const inAddress = secret('password in an address', OPTIONS);
  agents['Address'] = [
    'HTTPRequest',
    { url: `http://me:${inAddress}@127.0.0.1:9/x?key=${inAddress}`, method: 'get' },
  ];
  agents['Basic'] = [
    'HTTPRequest',
    { url: `${target.url}/refused`, method: 'get', basic_auth: ['me', secret('basic password', OPTIONS)] },
  ];
  agents['Mail'] = [
    'Email',
    { recipients: ['ann@example.com'], subject: 'S', body: '<<CREDENTIAL.c_text>>' },
  ];
  agents['Broken'] = [
    'EventTransformation',
    { mode: 'message_only', payload: { x: '=DATE(UPCASE(CREDENTIAL.c_text))' } },
  ];
  agents['Quotes'] = [
    'EventTransformation',
    { mode: 'message_only', payload: { x: '=DATE(receive.body.note)', y: '=receive.body.note' } },
  ];
  const links = Object.keys(agents)
    .slice(1)
    .map((name) => `Receive > ${name}`);
  const story = await client.importStory(storyOf(agents, links));
  return story.webhooks['Receive'] ?? '';
}

const init = (headers: Record<string, string>) => ({
  headers: { 'content-type': 'application/json', ...headers },
});

/** Calls that hold a secret where a client may put one, right and wrong. */
async function callEverywhere(address: string): Promise<void> {
  const [path = ''] = address.split('/');
  await client.fire(
    address,
    { n: 1 },
    init({
      authorization: `Bearer ${secret('header of a webhook call')}`,
      cookie: `s=${secret('cookie of a webhook call')}`,
    }),
  );
  await client.fire(`${path}/${secret('wrong secret of a webhook')}`);
  await client.fire(`nothing/${secret('secret of an unknown webhook')}?key=${secret('query of a webhook')}`);
  const wrongKey = secret('wrong key of the API');
  const { origin } = new URL(board);
  await fetch(`${url}/api/v1/stories`, {
    headers: { authorization: `Bearer ${wrongKey}`, cookie: `k=${wrongKey}` },
  });
  await fetch(`${url}/api/v1/stories?user_token=${wrongKey}`);
  await fetch(`${url}/prompts/${secret('id of a prompt')}`);
  await fetch(`${url}/oauth/callback?code=${secret('code of a grant')}&state=${secret('state of a grant')}`);
  for (const password of [wrongPassword, boardPassword]) {
    const response = await fetch(`${board}/admin/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html', Origin: origin },
      body: new URLSearchParams({ user: 'admin', password }),
    });
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    if (cookie === '') continue;
    secrets.set('cookie of the board', { value: cookie.slice(cookie.indexOf('=') + 1), tables: [] });
    await fetch(`${board}/admin/queues`, { headers: { cookie } });
  }
  await client.api('PUT', '/api/v1/tenants/current/mail_settings', {
    smtp_url: 'smtps://u@127.0.0.1:9',
    mail_from: 'a@b.example',
    smtp_oauth: {
      token_url: 'https://127.0.0.1:9/token',
      client_id: 'me',
      client_secret: secret('client secret of a tenant at its mail server'),
      refresh_token: secret('refresh token of a tenant at its mail server'),
    },
  });
  await client.api('PUT', '/api/v1/tenants/current/mail_settings', {
    smtp_url: `smtps://u:${secret('password of a tenant at its mail server')}@127.0.0.1:9`,
    mail_from: 'a@b.example',
  });
  await client.fire(address, { n: 2, note: content });
}

test('no secret is in the output of a process, in Redis or in MySQL, but where it is kept on purpose', async () => {
  const address = await storyWithCredentials();
  await callEverywhere(address);
  await client.settled(120_000);
  expect((await client.deadLetters()).length).toBeGreaterThan(10);

  const output = web.output() + worker.output();
  const redis = await everyKey(stores.redis, stores.queuePrefix);
  const tables = await everyTable(stores);
  // A text that is no secret is found in each place, so the search would find a secret too.
  expect(redis).toContain('deliveryId');
  expect(output).toContain('/webhook/all');
  expect(leaksOf(secrets.get('secret of a webhook')?.value ?? '', tables.get('agents') ?? '')).not.toEqual(
    [],
  );
  for (const [name, { value, tables: allowed }] of secrets) {
    expect({ name, where: 'output', found: leaksOf(value, output) }).toEqual({
      name,
      where: 'output',
      found: [],
    });
    expect({ name, where: 'Redis', found: leaksOf(value, redis) }).toEqual({
      name,
      where: 'Redis',
      found: [],
    });
    const holding = [...tables].filter(
      ([table, text]) => !allowed.includes(table) && leaksOf(value, text).length > 0,
    );
    expect({ name, tables: holding.map(([table]) => table) }).toEqual({ name, tables: [] });
  }
  expect(secrets.size).toBeGreaterThan(25);
  expect(
    target.requests.some(
      ({ headers }) => headers['authorization'] === secrets.get('text of a credential')?.value,
    ),
  ).toBe(true);
}, 300_000);

test('every line has its process and component, and what belongs to a run or a request names it', async () => {
  const lines = (web.output() + worker.output())
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as JsonObject);
  const names = new Set(lines.flatMap((line) => Object.keys(line)));
  expect([...names].filter((name) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
  // On a busy machine a job may come twice, or be put back: those lines lack the action.
  const jobs = lines.filter(
    ({ message, outcome }) => message === 'job' && (outcome === 'done' || outcome === 'failed'),
  );
  const calls = lines.filter(
    ({ message, route, path }) => message === 'request' && route === null && path === '/webhook/all',
  );
  expect(new Set(jobs.map(({ outcome }) => outcome))).toEqual(new Set(['done', 'failed']));
  for (const job of jobs) {
    expect(job).toMatchObject({
      role: 'worker:all',
      component: 'jobs',
      story_run_guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      story_id: expect.any(Number),
      agent_type: expect.stringMatching(/^Agents::/),
      duration_ms: expect.any(Number),
      attempt: 1,
    });
  }
  const accepted = calls.filter(({ status }) => status === 201);
  expect(accepted).toHaveLength(2);
  for (const call of accepted) {
    expect(call).toMatchObject({
      role: 'web',
      component: 'requests',
      level: 'debug',
      request_id: expect.any(String),
    });
    expect(jobs.some(({ story_run_guid: guid }) => guid === call['story_run_guid'])).toBe(true);
  }
});
