import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { agentIds, call, runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const SECRET = 's3cr3t-of-the-target';
const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/risk': ({ headers, text }, count) => ({
        status: 200,
        body: {
          risk: count,
          asked: JSON.parse(text || 'null') as JsonValue,
          got: headers['authorization'] ?? null,
        },
      }),
      '/later': { status: 200, body: { kept: SECRET, base64: Buffer.from(SECRET).toString('base64') } },
      '/fails': { status: 500, body: 'no' },
      '/large': ({ headers }) => ({
        status: 200,
        body: { got: headers['authorization'] ?? null, filler: 'x'.repeat(400_000) },
      }),
      '/hangs': { hang: true },
    },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const asks = (path: string, options: JsonObject = {}): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}${path}`, method: 'post', content_type: 'json', ...options },
];
const withSecret = async (more: JsonObject = {}) => {
  const body = { name: 'target', value: SECRET, team_id: fabula.account.team.id, ...more };
  expect((await fabula.api('POST', '/api/v1/credentials', body)).status).toBe(201);
};
const SIGNED = { headers: { authorization: 'Bearer <<CREDENTIAL.target>>' } };

async function ran(data: JsonObject, payload: JsonObject = { host: 'web-1' }) {
  const story = await fabula.importStory(data);
  await fabula.fire(story.webhooks['Hook']!, payload);
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  return { id: story.id, guid: run!.guid, agents: await agentIds(fabula, story.id) };
}

const tryIt = async (body: JsonObject, more: Parameters<typeof call>[2] = {}) => {
  const response = await call(fabula, 'POST /api/v1/trials', { body: { send: true, ...body }, ...more });
  return { http: response.status, ...(response.body as JsonObject) } as JsonObject & { http: number };
};
const tryStory = (agents: Record<string, ShortAgent>, links: string[], more: JsonObject = {}) =>
  tryIt({ story: storyOf({ Hook: HOOK, ...agents }, links), event: {}, action: 'Hook', ...more });
const containing = (text: string) => expect.stringContaining(text) as string;

test('sends each request once, also beside a past run, with the credential that nobody else sees', async () => {
  await withSecret();
  const { id, guid } = await ran(
    storyOf(
      {
        Hook: HOOK,
        Ask: asks('/risk', { ...SIGNED, payload: { host: '=hook.host', at: '=NOW()' } }),
        Grade: says({ risk: '=ask.body.risk' }),
      },
      ['Hook > Ask > Grade'],
    ),
  );
  expect(target.requests).toHaveLength(1);
  const trial = await tryIt({ story_id: id, run_guid: guid });
  expect(target.requests).toHaveLength(2);
  const [first, second] = target.requests;
  expect(second?.headers['authorization']).toBe(`Bearer ${SECRET}`);
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  expect(trial).toMatchObject({ http: 200, ok: true, unanswered: [] });
  expect(trial.requests).toMatchObject([
    { status: 200, response_from: 'sent', headers: { authorization: 'Bearer [credential target]' } },
  ]);
  expect(trial.events).toMatchObject([
    {},
    { payload: { status: 200, body: { risk: 2, got: 'Bearer [credential target]' } } },
    { payload: { risk: 2 } },
  ]);
  expect(trial.difference).toMatchObject({
    actions: [
      {
        action: { name: 'Ask' },
        changed: [
          { changes: expect.arrayContaining([{ path: 'body.risk', before: 1, after: 2 }]) as unknown },
        ],
      },
      { action: { name: 'Grade' }, changed: [{ changes: [{ path: 'risk', before: 1, after: 2 }] }] },
    ],
  });
  expect(JSON.stringify(trial)).not.toContain(SECRET);
  expect(JSON.stringify(trial)).not.toContain('~fabula-secret~');
});

test('says of each request where its response came from; a rule is used before sending', async () => {
  const links = ['Hook > A > B'];
  const story = { Hook: HOOK, A: asks('/risk', { payload: {} }), B: asks('/fails', { payload: {} }) };
  const responses = [{ action: 'A', url: '*', answer: { risk: 5 } }];
  const sent = await tryStory(story, links, { responses });
  expect(sent.requests).toMatchObject([
    { status: 200, response_from: 'rule' },
    { status: 500, response_from: 'sent' },
  ]);
  expect(target.requests.map(({ path }) => path)).toEqual(['/fails']);
  const { id, guid } = await ran(storyOf(story, links));
  const count = target.requests.length;
  expect((await tryIt({ story_id: id, run_guid: guid, send: false })).requests).toMatchObject([
    { response_from: 'recorded' },
    { response_from: 'recorded' },
  ]);
  expect((await tryStory(story, links, { send: false })).requests).toMatchObject([
    { status: 0, response_from: 'none' },
    { status: 0, response_from: 'none' },
  ]);
  expect(target.requests).toHaveLength(count);
});

test('a secret that one server learned is hidden in what another one says, also in a large response', async () => {
  await withSecret();
  const trial = await tryStory(
    {
      Tell: asks('/risk', { ...SIGNED, basic_auth: ['user', '=CREDENTIAL.target'], payload: {} }),
      Later: asks('/later', { payload: {} }),
      Large: asks('/large', { ...SIGNED, payload: {} }),
    },
    ['Hook > Tell > Later > Large'],
  );
  expect(trial).toMatchObject({ http: 200, ok: true });
  expect(trial.events).toMatchObject([
    {},
    {},
    { payload: { body: { kept: '[credential target]', base64: '[credential target]' } } },
    { payload: { body: { got: 'Bearer [credential target]' } } },
  ]);
  expect(target.requests).toHaveLength(3);
  expect(JSON.stringify(trial)).not.toContain(SECRET);
});

test('a text in an event that looks like a reference of a trial is no credential', async () => {
  await withSecret();
  const shown = await tryStory({ Say: says({ key: '=CREDENTIAL.target' }) }, ['Hook > Say']);
  expect(JSON.stringify(shown)).toContain('[credential target]');
  const { createSecretSigner } = await import('../../src/platform/secrets/secret-signer.js');
  const forged = createSecretSigner(Buffer.alloc(32, 'trial')).sign({
    team: fabula.account.team.id,
    credential: 'target',
  });
  const trial = await tryStory({ Ask: asks('/risk', { payload: { key: '=hook.key' } }) }, ['Hook > Ask'], {
    event: { key: forged },
  });
  expect(trial).toMatchObject({ http: 200 });
  expect(target.requests[0]?.text).not.toContain(SECRET);
});

test('obeys the rules of outbound requests and the hosts of a credential', async () => {
  await withSecret({ allowed_hosts: ['elsewhere.example'] });
  const trial = await tryStory(
    {
      Bound: asks('/risk', { ...SIGNED, payload: {} }),
      Inside: asks('', { url: 'http://10.0.0.1/', payload: {} }),
    },
    ['Hook > Bound', 'Hook > Inside'],
  );
  expect(trial.errors).toMatchObject([{ action: { name: 'Bound' }, error: containing('cannot be sent') }]);
  expect(trial.requests).toMatchObject([{ status: 0, response_from: 'none', url: 'http://10.0.0.1/' }]);
  expect(trial).toMatchObject({ ok: false, unanswered: ['POST http://10.0.0.1/'] });
  expect(target.requests).toEqual([]);
});

test('a time-out is named, and a request that fails is not sent for each attempt', async () => {
  const trial = await tryStory(
    {
      Slow: asks('/hangs', { payload: {}, timeout: 0.2 }),
      Again: asks('/fails', { payload: {}, retry_on_status: ['500'] }),
    },
    ['Hook > Slow', 'Hook > Again'],
  );
  expect(trial.requests).toContainEqual(
    expect.objectContaining({
      status: 0,
      response_from: 'sent',
      reason: containing('there was no response in time'),
    }),
  );
  expect(target.requests.filter(({ path }) => path === '/fails')).toHaveLength(1);
});

test('a trial sends a limited number of requests, and says so', async () => {
  const trial = await tryStory(
    {
      Each: ['EventTransformation', { mode: 'explode', path: '=hook.list', to: 'item' }],
      Ask: asks('/risk', { payload: { n: '=each.item' } }),
    },
    ['Hook > Each > Ask'],
    { event: { list: Array.from({ length: 53 }, (_, index) => index) } },
  );
  expect(target.requests).toHaveLength(50);
  const requests = trial.requests as JsonObject[];
  expect(requests.slice(49)).toMatchObject([
    { response_from: 'sent' },
    ...Array.from({ length: 3 }, () => ({
      response_from: 'none',
      status: 0,
      reason: 'a trial sends at most 50 requests',
    })),
  ]);
  expect(trial.ok).toBe(false);
});

test('mails are shown and never sent', async () => {
  const mail: ShortAgent = ['Email', { recipients: ['a@example.test'], subject: 'Hi', body: 'there' }];
  const trial = await tryStory({ Mail: mail }, ['Hook > Mail']);
  expect(trial).toMatchObject({ http: 200, ok: true, mails: [{ to: ['a@example.test'], subject: 'Hi' }] });
});

test('a request in flight is aborted when the caller leaves', async () => {
  const story = storyOf({ Hook: HOOK, Slow: asks('/hangs', { payload: {} }) }, ['Hook > Slow']);
  const caller = new AbortController();
  const asked = fetch(`${fabula.url}/api/v1/trials`, {
    method: 'POST',
    headers: { 'x-user-token': fabula.account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ story, event: {}, action: 'Hook', send: true }),
    signal: caller.signal,
  }).catch(() => 'left');
  // On a busy machine, the first thread takes long to load its code.
  await eventually(() => target.requests.length === 1, 60_000);
  expect(target.abandoned()).toBe(0);
  caller.abort();
  expect(await asked).toBe('left');
  await eventually(() => target.abandoned() === 1);
});

test('whoever may only read may try a story, and not send; the audit log names who sent', async () => {
  const { id, guid } = await ran(
    storyOf({ Hook: HOOK, Ask: asks('/risk', { payload: {} }) }, ['Hook > Ask']),
  );
  const { tenantId, team } = fabula.account;
  const viewer = await buildAccount(stores.db, { tenantId, team, role: 'VIEWER' });
  const of = { story_id: id, run_guid: guid };
  const count = target.requests.length;
  expect((await tryIt(of, { as: viewer })).http).toBe(403);
  expect((await tryIt({ ...of, send: false }, { as: viewer })).http).toBe(200);
  const own = storyOf({ Hook: HOOK }, []);
  expect((await tryIt({ story: own, team_id: team.id, send: false }, { as: viewer })).http).toBe(403);
  expect(target.requests).toHaveLength(count);
  expect((await tryIt(of)).http).toBe(200);
  expect((await tryIt({ ...of, action: 'Nobody' })).http).toBe(422);
  const { body } = await call(fabula, 'GET /api/v1/audit_logs');
  const entries = (body as { audit_logs: JsonObject[] }).audit_logs;
  expect(entries.map(({ operation_name: name }) => name)).toEqual(
    expect.arrayContaining(['story.try_send', 'story.try']),
  );
});
