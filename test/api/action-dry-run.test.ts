import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { agentIds, call, eventsIn, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const SECRET = 's3cr3t-of-the-target';
const stores = useStores();
const fabula = useFabula(stores, { queues: [], relay: false });
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/echo': ({ headers, text }) => ({
        status: 200,
        body: { got: headers['authorization'] ?? null, text },
      }),
      '/hangs': { hang: true },
      '/refuses': { status: 418, body: 'short and stout' },
    },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];

async function imported(agents: Record<string, ShortAgent>, links: string[], overrides: JsonObject = {}) {
  const story = await fabula.importStory(storyOf({ Hook: HOOK, ...agents }, links, overrides));
  return { id: story.id, webhooks: story.webhooks, agents: await agentIds(fabula, story.id) };
}

const tryIt = async (id: number, body: JsonObject = {}) => {
  const response = await call(fabula, `POST /api/v1/actions/${id}/dry_run`, { body });
  return { status: response.status, ...response.body };
};

const TABLES = ['story_runs', 'events', 'deliveries', 'agent_logs', 'agent_memory', 'records', 'event_marks'];
const rowCounts = async () =>
  stores.db.read(async (session) => {
    const counts: number[] = [];
    for (const table of TABLES) {
      const [row] = await session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
      counts.push(row?.n ?? 0);
    }
    return counts;
  });

test('shows the rendered options, the events and who would receive them, and stores nothing', async () => {
  const { agents } = await imported({ Say: says({ n: '=hook.n + 1' }), After: says({}) }, [
    'Hook > Say > After',
  ]);
  const before = await rowCounts();
  expect(await tryIt(agents['Say']!, { event: { hook: { n: 4 } } })).toEqual({
    status: 200,
    options: { mode: 'message_only', payload: { n: 5 } },
    request: null,
    requests: [],
    mails: [],
    outputs: [{ payload: { n: 5 }, port: 'default', receivers: [agents['After']] }],
    effect: null,
    logs: [],
    error: null,
    left_out: [],
    took_ms: expect.any(Number),
  });
  expect(await rowCounts()).toEqual(before);
});

test('takes other options than the stored ones, a disabled action, and an error in a template', async () => {
  const { agents } = await imported({ Say: [...says({ n: 1 }), { disabled: true }] }, ['Hook > Say']);
  const options = { mode: 'message_only', payload: { twice: '=hook.n * 2' } };
  expect(await tryIt(agents['Say']!, { event: { hook: { n: 4 } }, options })).toMatchObject({
    outputs: [{ payload: { twice: 8 } }],
  });
  const wrong = await tryIt(agents['Say']!, { options: { mode: 'message_only', payload: '=NO_SUCH(1' } });
  expect(wrong).toMatchObject({
    options: null,
    outputs: [],
    error: expect.stringContaining('payload') as string,
  });
  expect(wrong.logs).toMatchObject([{ level: 4, severity: 'error' }]);
  const stored = await call(fabula, `GET /api/v1/actions/${agents['Say']}`);
  expect(stored.body.options).toEqual({ mode: 'message_only', payload: { n: 1 } });
});

test('sees what a stored event brings along, but only one of its own story', async () => {
  await fabula.runWith({});
  const { agents, webhooks } = await imported(
    { Say: says({ n: '=hook.n' }), Sum: says({ sum: '=hook.n + say.n' }) },
    ['Hook > Say > Sum'],
  );
  await fabula.fire(webhooks['Hook']!, { n: 21 });
  await fabula.settled();
  const [event] = await eventsIn(fabula, `?agent_id=${agents['Say']}`);
  expect(await tryIt(agents['Sum']!, { event_id: event!.id })).toMatchObject({
    outputs: [{ payload: { sum: 42 } }],
  });
  const other = await imported({ Say: says({ n: '=hook.n' }) }, ['Hook > Say'], { name: 'Other' });
  expect((await tryIt(other.agents['Say']!, { event_id: event!.id })).status).toBe(422);
  expect((await tryIt(agents['Hook']!, { event_id: event!.id })).status).toBe(422);
  expect((await tryIt(agents['Sum']!, { event_id: 99_999_999 })).status).toBe(404);
  expect((await tryIt(agents['Sum']!, { event_id: event!.id, event: {} })).status).toBe(422);
});

const asks = (options: JsonObject): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}/echo`, method: 'post', content_type: 'json', ...options },
];
const withSecret = async (allowedHosts: string[] = []) => {
  const body = {
    name: 'target',
    value: SECRET,
    team_id: fabula.account.team.id,
    ...(allowedHosts.length > 0 && { allowed_hosts: allowedHosts }),
  };
  expect((await fabula.api('POST', '/api/v1/credentials', body)).status).toBe(201);
};

const signedIn = () =>
  asks({
    headers: { authorization: 'Bearer <<CREDENTIAL.target>>' },
    basic_auth: ['user', '<<CREDENTIAL.target>>'],
    payload: { n: '=hook.n', key: '<<CREDENTIAL.target>>' },
  });

describe('a request', () => {
  test('is shown and not sent; secrets are markers in every part of the response', async () => {
    await withSecret();
    const { agents } = await imported({ Ask: signedIn() }, ['Hook > Ask']);
    const response = await tryIt(agents['Ask']!, { event: { hook: { n: 3 } } });
    expect(response).toMatchObject({
      status: 200,
      options: { payload: { n: 3, key: '[credential target]' } },
      request: {
        method: 'POST',
        url: `${target.url}/echo`,
        body: { n: 3, key: '[credential target]' },
        status: null,
      },
      outputs: [],
      error: null,
    });
    expect(target.requests).toEqual([]);
    expect(JSON.stringify(response)).not.toContain(SECRET);
    expect(JSON.stringify(response)).not.toContain('~fabula-secret~');
  });

  test('is sent when it is asked to; what comes back has no secret', async () => {
    await withSecret();
    const { agents } = await imported({ Ask: signedIn() }, ['Hook > Ask']);
    const response = await tryIt(agents['Ask']!, { event: { hook: { n: 3 } }, send: true });
    expect(target.requests).toHaveLength(1);
    expect(target.requests[0]?.headers['authorization']).toBe(`Bearer ${SECRET}`);
    expect(response).toMatchObject({
      request: { status: 200, headers: { authorization: '●●●' } },
      outputs: [{ payload: { status: 200, body: { got: 'Bearer [credential target]' } } }],
    });
    expect(JSON.stringify(response)).not.toContain(SECRET);
  });

  test('obeys the rules of outbound requests and the hosts of a credential', async () => {
    await withSecret(['elsewhere.example']);
    const { agents } = await imported({ Ask: signedIn(), Inside: asks({ url: 'http://10.0.0.1/' }) }, [
      'Hook > Ask',
      'Hook > Inside',
    ]);
    const bound = await tryIt(agents['Ask']!, { send: true });
    expect(bound).toMatchObject({ outputs: [], error: expect.stringContaining('cannot be sent') as string });
    const inside = await tryIt(agents['Inside']!, { send: true });
    expect(inside.outputs).toMatchObject([{ payload: { status: 0 } }]);
    expect(target.requests).toEqual([]);
  });

  test('that fails for good shows its error, and the event for the failure links', async () => {
    const ask = asks({ url: `${target.url}/refuses`, fail_on_status: true });
    const { agents } = await imported({ Ask: ask, Rescue: says({}) }, ['Hook > Ask # Rescue']);
    expect(await tryIt(agents['Ask']!, { send: true })).toMatchObject({
      error: expect.stringContaining('418') as string,
      outputs: [{ payload: { error: { status: 418 } }, receivers: [agents['Rescue']] }],
      logs: [{ severity: 'error' }],
    });
  });
});

test('shows what is not an event: a mail, a pause, a group, a call, a record', async () => {
  await imported({}, [], { name: 'Helper', send_to_story_enabled: true, entry_agent_guid: 'Hook' });
  const { agents } = await imported(
    {
      Mail: ['Email', { recipients: ['a@example.test'], subject: 'Hi <<hook.n>>', body: 'there' }],
      Wait: ['EventTransformation', { mode: 'delay', seconds: 60 }],
      All: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 3, item_path: '=hook.n' }],
      Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: { n: '=hook.n' } }],
      Once: ['EventTransformation', { mode: 'deduplicate', path: '=hook.n' }],
    },
    ['Hook > Mail', 'Hook > Wait', 'Hook > All', 'Hook > Ask', 'Hook > Once'],
  );
  const before = await rowCounts();
  const tried = (name: string) => tryIt(agents[name]!, { event: { hook: { n: 2 } } });
  expect(await tried('Mail')).toMatchObject({
    mails: [{ to: ['a@example.test'], subject: 'Hi 2' }],
    outputs: [{ payload: { subject: 'Hi 2' } }],
  });
  expect(await tried('Wait')).toMatchObject({ effect: { kind: 'sleep', seconds: 60 }, outputs: [] });
  expect(await tried('All')).toMatchObject({ effect: { kind: 'gather', size: 3, item: 2 } });
  expect(await tried('Ask')).toMatchObject({ effect: { kind: 'call', event: { body: { n: 2 } } } });
  expect(await tried('Once')).toMatchObject({
    effect: { kind: 'deduplicate' },
    outputs: [{ payload: { unique_event: true } }],
  });
  expect(await rowCounts()).toEqual(before);
});

test('ends a template without end in time, and one tenant tries few at once', async () => {
  const { agents } = await imported({ Say: says({}) }, ['Hook > Say']);
  const options = {
    mode: 'message_only',
    payload: {
      x: '=MAP_LAMBDA(RANGE(1, 100000), LAMBDA(a, SUM(MAP_LAMBDA(RANGE(1, 100000), LAMBDA(b, b)))))',
    },
  };
  const responses = await Promise.all(Array.from({ length: 8 }, () => tryIt(agents['Say']!, { options })));
  const statuses = new Set(responses.map(({ status }) => status as number));
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503]);
  expect(responses.find(({ status }) => status === 200)).toMatchObject({ outputs: [] });
}, 60_000);

test('a viewer may not try actions', async () => {
  const { agents } = await imported({ Say: says({}) }, ['Hook > Say']);
  const { tenantId, team } = fabula.account;
  const viewer = await buildAccount(stores.db, { tenantId, team, role: 'VIEWER' });
  const path = `POST /api/v1/agents/${agents['Say']}/dry_run`;
  expect((await call(fabula, path, { body: {}, as: viewer })).status).toBe(403);
});

test('its request ends when the caller leaves, and stands in the audit log', async () => {
  const { agents } = await imported({ Ask: asks({ url: `${target.url}/hangs`, payload: {} }) }, [
    'Hook > Ask',
  ]);
  const caller = new AbortController();
  const asked = fetch(`${fabula.url}/api/v1/actions/${agents['Ask']}/dry_run`, {
    method: 'POST',
    headers: { 'x-user-token': fabula.account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ send: true }),
    signal: caller.signal,
  }).catch(() => 'left');
  await target.waitForRequests(1, 60_000);
  expect(target.abandoned()).toBe(0);
  caller.abort();
  expect(await asked).toBe('left');
  await eventually(() => target.abandoned() === 1);
  const entry = await eventually(async () => {
    const { body } = await call(fabula, 'GET /api/v1/audit_logs');
    return (body.audit_logs as JsonObject[]).find(({ action }) => action === 'agent.dry_run');
  });
  expect(entry).toMatchObject({ target_id: agents['Ask'] });
});
