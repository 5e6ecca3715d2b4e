import { StoredMailProgress } from '../../src/engine/execute/call/mail-progress.js';
import { createSecretSigner } from '../../src/platform/secrets/secret-signer.js';
import type { CallDeps, Work } from '../../src/engine/execute/call/call.js';
import { undone } from '../../src/engine/execute/to-outcome.js';
import { createOpenedSecrets } from '../../src/engine/secrets/opened-secrets.js';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { recordingLogger } from '../support/recording-logger.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabulaHere } from '../support/use-fabula-here.js';
import { queueNamed } from '../support/queue-named.js';

/** With what URLs, JSON and HTML write otherwise. */
const SECRET = 'tok/en+with "odd" & Ünusual';
/** One that stands in an address. */
const HOST = 'secret-tenant-name';
const log = recordingLogger();
const stores = useStores({ logger: log.logger });

let target: HttpTarget;
const fabula = useFabulaHere(stores, { env: { MAX_ATTEMPTS: '2', HTTP_TIMEOUT_MS: '3000' } });

beforeEach(async () => {
  log.clear();
  target = await startHttpTarget({
    rules: {
      '/500': { status: 500, body: 'broken' },
      '/echo': (request) => ({
        body: {
          headers: request.headers,
          url: request.url,
          parsed: [...request.query.values()],
          sent: request.text,
        },
      }),
      '/away': (request) => ({ redirect: `http://10.1.2.3/${request.url}` }),
    },
  });
  await fabula.workers.credentials.set(fabula.account.team.id, 'token', SECRET);
  await fabula.workers.credentials.set(fabula.account.team.id, 'host', HOST);
});
afterEach(() => target.close());

/** An HTTP request that names the credential in its address, headers and payload. */
const request = (url: string, options: Record<string, unknown> = {}) => ({
  url: `${url}?key={{ .CREDENTIAL.token | url_encode }}`,
  method: 'post',
  content_type: 'json',
  payload: { token: '{% credential token %}', basic: '{{ .CREDENTIAL.token | base64_encode }}' },
  headers: { 'X-Token': '{{ .CREDENTIAL.token | url_encode }}' },
  ...options,
});

const CASES: [string, () => [type: string, options: Record<string, unknown>]][] = [
  ['a refused connection', () => ['HTTPRequest', request('http://127.0.0.1:9')]],
  [
    'a 500 that is retried',
    () => [
      'HTTPRequest',
      request(`${target.url}/500`, { retry_on_status: ['500'], fail_on_status: ['500'] }),
    ],
  ],
  ['a private address', () => ['HTTPRequest', request('http://169.254.169.254/latest')]],
  ['a redirect to a private address', () => ['HTTPRequest', request(`${target.url}/away`)]],
  ['an answer that says it back', () => ['HTTPRequest', request(`${target.url}/echo`)]],
  [
    'a host name that is the credential',
    () => ['HTTPRequest', request('http://{% credential host %}.invalid')],
  ],
  ['an address that is none', () => ['HTTPRequest', { url: '{% credential token %}', method: 'get' }]],
  [
    'a header that may not be sent',
    () => ['HTTPRequest', request(target.url, { headers: { 'X-Token': '{% credential token %}\n' } })],
  ],
  [
    'a header name that may not be sent',
    () => ['HTTPRequest', request(target.url, { headers: { '{% credential token %}': 'x' } })],
  ],
  ['a bad method', () => ['HTTPRequest', request(target.url, { method: '{% credential token %}' })]],
  ['a bad number', () => ['HTTPRequest', request(target.url, { timeout: '{% credential token %}' })]],
  [
    'a bad status list',
    () => ['HTTPRequest', request(target.url, { fail_on_status: '{% credential token %}' })],
  ],
  [
    'a filter that fails',
    () => ['HTTPRequest', request(target.url, { payload: '{{ .CREDENTIAL.token | divided_by: 0 }}' })],
  ],
  [
    'a transformation',
    () => [
      'EventTransformation',
      { mode: 'message_only', payload: { t: 'x {% credential token %} y', '{% credential token %}': 1 } },
    ],
  ],
  ['a bad mode', () => ['EventTransformation', { mode: '{% credential token %}' }]],
  [
    'a pattern that is none',
    () => [
      'Trigger',
      { rules: [{ type: 'regex', value: '(({% credential token %}', path: '{% credential token %}' }] },
    ],
  ],
  [
    'a bad recipient',
    () => ['Email', { recipients: ['{% credential token %}'], subject: '{% credential token %}', body: 'x' }],
  ],
];

test.each(CASES)('a credential is stored and logged nowhere after %s', async (_what, options) => {
  const [type, given] = options();
  const { webhooks } = await fabula.importStory({
    schema_version: 3,
    name: 'Secretive',
    guid: 'd'.repeat(32),
    agents: [
      agent(
        'Agents::WebhookAgent',
        '1',
        { path: 'go', secret: 's3cret', verbs: 'post' },
        { name: 'Receive' },
      ),
      agent(`Agents::${type}Agent`, '2', given as never, { name: 'Tell' }),
      agent(
        'Agents::EventTransformationAgent',
        '3',
        { mode: 'message_only', payload: { copy: '{{ .tell }}' } },
        { name: 'Copy' },
      ),
    ],
    links: [0, 1].map((source) => ({ source, receiver: source + 1 })),
  });
  await fabula.fire(webhooks['Receive']!);
  await fabula.settled();
  const queue = queueNamed(fabula.workers.queues, 'trigger');
  await eventually(async () => (await queue.getActiveCount()) === 0);

  const held = [
    ...(await everythingInTheDatabase()),
    ...(await everythingInRedis()),
    JSON.stringify(log.lines()),
  ].join('\n');
  const leaks = [...formsOf(SECRET), HOST].filter((form) => held.includes(form));
  expect(leaks).toEqual([]);
});

test('an error that nobody expected does not give a credential away either', async () => {
  const signer = createSecretSigner(Buffer.alloc(32));
  const secret = { name: 'token', allowedHosts: [], open: () => SECRET };
  const secrets = createOpenedSecrets({
    teamId: 1,
    secrets: { find: () => Promise.resolve(secret) },
    verify: (body) => signer.verify(body),
    requireHosts: false,
  });
  await secrets.open(signer.sign({ team: 1, credential: 'token' }));
  const outcome = undone(
    { delivery: { id: 1, attempts: 0 }, agent: { id: 2, type: 'Agents::Test' } } as Work,
    {
      error: new TypeError(`Invalid value "${SECRET}"`),
      deps: { logger: log.logger, limits: { maxAttempts: 3, maxDepth: 9 } } as CallDeps,
      stop: new Cancellation(),
      logs: [{ level: 'info', message: `sent ${SECRET}` }],
      secrets: () => secrets,
      prompts: new Map(),
      mailProgress: new StoredMailProgress(null),
    },
  );
  expect(log.lines().filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'agent crashed', stack: expect.stringContaining('[credential token]') as string },
  ]);
  expect(JSON.stringify([outcome, log.lines()])).not.toContain(JSON.stringify(SECRET).slice(1, -1));
  expect(outcome).toMatchObject({
    kind: 'retry',
    error: 'The action failed because of an error in this server',
  });
});

/** As it is and as URLs, JSON (stored once and twice) and base64 write it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    Buffer.from(secret).toString('base64'),
  ];
}

async function everythingInTheDatabase(): Promise<string[]> {
  return stores.db.read(async (session) => {
    const tables = ['events', 'agent_logs', 'deliveries', 'story_runs'];
    const rows = [];
    for (const table of tables) rows.push(await session.rows<object>(`SELECT * FROM ${table}`));
    return rows.flat().flatMap((row) => Object.values(row).map(String));
  });
}

async function everythingInRedis(): Promise<string[]> {
  const parts: string[] = [];
  for await (const keys of stores.redis.scanStream({
    match: `*${fabula.config.queuePrefix}*`,
    count: 1000,
  })) {
    for (const key of keys as string[]) {
      const type = await stores.redis.type(key);
      if (type === 'hash') parts.push(...Object.values(await stores.redis.hgetall(key)));
      if (type === 'string') parts.push((await stores.redis.get(key)) ?? '');
      if (type === 'stream') parts.push(JSON.stringify(await stores.redis.xrange(key, '-', '+')));
    }
  }
  return parts;
}
