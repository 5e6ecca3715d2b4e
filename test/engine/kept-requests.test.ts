import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { everyTable } from '../support/everything-kept.js';
import { type HttpTarget, type ReceivedRequest, startHttpTarget } from '../support/http-target.js';
import { agentIds, call, eventsIn, says } from '../support/run-api.js';
import { everythingShown, leaksOf } from '../support/secrets.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const SECRET = 'tok/en+with "odd" & Ünusual';
const stores = useStores();
const fabula = useFabula(stores, { env: { MAX_ATTEMPTS: '2', HTTP_TIMEOUT_MS: '3000' } });
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/ok': { body: { fine: true } },
      '/500': { status: 500, body: 'broken' },
      '/pages': ({ query }) => ({ body: { next: Number(query.get('page')) < 3 } }),
      '/moved': { redirect: '/ok' },
    },
  });
});
afterEach(() => target.close());

const asks = (path: string, options: JsonObject = {}): ShortAgent => [
  'HTTPRequest',
  {
    url: `${target.url}${path}`,
    method: 'post',
    content_type: 'json',
    payload: { host: '<<hook.body.host>>' },
    ...options,
  },
];

/** Runs a story of a webhook, an HTTP action `Ask` and what follows it. */
async function run(
  ask: ShortAgent,
  {
    links = ['Hook > Ask'],
    more = {},
    note = '',
  }: { links?: string[]; more?: Record<string, ShortAgent>; note?: string } = {},
) {
  const story = await fabula.importStory(storyOf({ Hook: ['Webhook', {}], Ask: ask, ...more }, links));
  await fabula.fire(story.webhooks['Hook']!, { host: 'web-1', note });
  await fabula.settled();
  const ids = await agentIds(fabula, story.id);
  return { storyId: story.id, ask: ids['Ask']!, ids };
}

type Kept = JsonObject & { headers: Record<string, string>; sent_at: string };
const requestAt = async (path: string): Promise<Kept> =>
  (await call(fabula, `GET ${path}`)).body.sent_request;
const ofEvent = (id: number) => requestAt(`/api/v1/events/${id}/request`);
const ofLine = (action: number, line: number) => requestAt(`/api/v1/actions/${action}/logs/${line}/request`);
const eventsOf = async (action: number) =>
  (await eventsIn(fabula, `?agent_id=${action}`)).toSorted((a, b) => a.id - b.id);
const logOf = async (action: number): Promise<{ id: number; severity: string; message: string }[]> =>
  (await call(fabula, `GET /api/v1/actions/${action}/logs`)).body.action_logs;

/** Headers that the HTTP client adds by itself. */
const OF_THE_CLIENT = ['host', 'connection', 'content-length', 'accept-encoding', 'user-agent'];

/** Checks that the kept request is the one that the target received. */
function expectSent(kept: Kept, received: ReceivedRequest): void {
  const headers = Object.entries(received.headers).filter(([name]) => !OF_THE_CLIENT.includes(name));
  expect(kept).toEqual({
    sent_at: expect.any(String),
    method: received.method,
    url: `${target.url}${received.url}`,
    headers: Object.fromEntries(headers),
    body: received.text === '' ? null : received.text,
    body_bytes: received.body.length,
    body_left_out: null,
    truncated: [],
  });
  expect(Math.abs(Date.now() - Date.parse(kept.sent_at))).toBeLessThan(10 * 60_000);
}

test('the event of an HTTP action has the request that the target received', async () => {
  const { ask, ids, storyId } = await run(
    asks('/ok', { headers: { 'x-a': 'b' }, query_params: { q: 'ü ?' } }),
  );
  const [event] = await eventsOf(ask);
  expectSent(await ofEvent(event!.id), target.requests[0]!);
  const [received] = await eventsOf(ids['Hook']!);
  expect(await ofEvent(received!.id)).toBeNull();
  const stored = await stores.db.read((session) =>
    session.rows<{ kept: number; agent: number }>(
      'SELECT request IS NOT NULL AS kept, agent_id AS agent FROM events WHERE story_id = ? ORDER BY id',
      [storyId],
    ),
  );
  expect(stored.filter(({ kept }) => kept === 1).map(({ agent }) => agent)).toEqual([ask]);
});

test('each attempt that fails has its own, also the one that left a dead letter', async () => {
  const { ask } = await run(asks('/500', { retry_on_status: ['500'], fail_on_status: ['500'] }));
  const lines = await logOf(ask);
  expect(lines.map(({ severity }) => severity)).toEqual(['error', 'warn']);
  expect(target.requests).toHaveLength(2);
  const [last, first] = await Promise.all(lines.map(({ id }) => ofLine(ask, id)));
  expectSent(first!, target.requests[0]!);
  expectSent(last!, target.requests[1]!);
  expect(Date.parse(last!.sent_at)).toBeGreaterThan(Date.parse(first!.sent_at));
});

test('L6: the number of attempts is that of the action, not of the server', async () => {
  const { ask } = await run(asks('/500', { retry_on_status: ['500'], fail_on_status: ['500'], retries: 2 }));
  const lines = await logOf(ask);
  expect(lines.map(({ severity }) => severity)).toEqual(['error', 'warn', 'warn']);
  expect(target.requests).toHaveLength(3);
});

test('a target that cannot be reached leaves the request that was tried', async () => {
  const gone = await startHttpTarget();
  await gone.close();
  const { ask } = await run(asks('/', { url: `${gone.url}/x`, fail_on_status: ['0'] }));
  const [line] = await logOf(ask);
  expect(await ofLine(ask, line!.id)).toMatchObject({
    url: `${gone.url}/x`,
    body: '{"host":"web-1"}',
  });
});

test('an address that the operator forbids got no request, so none is kept', async () => {
  const { ask } = await run(asks('/', { url: 'http://169.254.169.254/x', fail_on_status: ['0'] }));
  const [line] = await logOf(ask);
  expect(await ofLine(ask, line!.id)).toBeNull();
});

test('an action that fails without an event has it with the line of its log', async () => {
  const { ask } = await run(asks('/500', { fail_on_status: ['500'], emit_failure_event: false }));
  const line = (await logOf(ask)).find(({ severity }) => severity === 'error');
  expectSent(await ofLine(ask, line!.id), target.requests.at(-1)!);
});

test('the event of a failure link has it', async () => {
  const { ask } = await run(asks('/500', { fail_on_status: ['500'] }), {
    links: ['Hook > Ask # Tell'],
    more: { Tell: says({ text: 'It failed' }) },
  });
  const [event] = await eventsOf(ask);
  expectSent(await ofEvent(event!.id), target.requests.at(-1)!);
});

const paged = (pagination: JsonObject) =>
  run(
    asks('/pages', {
      method: 'get',
      payload: null,
      query_params: { page: '=PAGINATE.index + 1' },
      pagination: { has_more: '=PAGINATE.previous_response.body.next', ...pagination },
    }),
  );

test('each page has its own request, and a single event the one of the last page', async () => {
  const { ask } = await paged({});
  const events = await eventsOf(ask);
  expect(events).toHaveLength(3);
  for (const [at, { id }] of events.entries()) expectSent(await ofEvent(id), target.requests[at]!);
  const single = await paged({ output_as_single_event: true });
  const [event] = await eventsOf(single.ask);
  expectSent(await ofEvent(event!.id), target.requests.at(-1)!);
});

test('a loop keeps the request of its last round', async () => {
  const { ask } = await run(asks('/ok', { loop: [1, 2, 3], payload: { at: '<<LOOP.value>>' } }));
  const [event] = await eventsOf(ask);
  expect(target.requests).toHaveLength(3);
  expectSent(await ofEvent(event!.id), target.requests[2]!);
});

test('of redirects the first request is kept', async () => {
  const { ask } = await run(asks('/moved', { method: 'get', payload: null }));
  const [event] = await eventsOf(ask);
  expect(target.requests.map(({ path }) => path)).toEqual(['/moved', '/ok']);
  expectSent(await ofEvent(event!.id), target.requests[0]!);
});

test('a large body that a thread has written is kept by its beginning', async () => {
  const { ask } = await run(asks('/ok', { payload: { note: '<<hook.body.note>>' } }), {
    note: 'abc'.repeat(300_000),
  });
  const [event] = await eventsOf(ask);
  const [received] = target.requests;
  expect(await ofEvent(event!.id)).toMatchObject({
    body: received!.text.slice(0, 8 * 1024),
    body_bytes: received!.body.length,
    truncated: ['body'],
  });
});

const secretive = (path: string, options: JsonObject = {}): ShortAgent =>
  asks(path, {
    headers: {
      authorization: 'Bearer <<BASE64_ENCODE(CREDENTIAL.token)>>',
      'x-key': '<<CREDENTIAL.token>>',
    },
    query_params: { key: '=CREDENTIAL.token' },
    payload: {
      token: '=CREDENTIAL.token',
      encoded: '=BASE64_ENCODE(CREDENTIAL.token)',
      host: '<<hook.body.host>>',
    },
    ...options,
  });

describe('with credentials', () => {
  beforeEach(() => fabula.inner.setCredential(fabula.account.team.id, 'token', SECRET));

  test.each([
    ['an event', '/ok', {}],
    ['a failed attempt', '/500', { retry_on_status: ['500'], fail_on_status: ['500'] }],
    ['basic authentication', '/ok', { headers: {}, basic_auth: ['me', '=CREDENTIAL.token'] }],
  ] as [string, string, JsonObject][])(
    'the request of %s has markers in their place',
    async (_what, path, options) => {
      const { ask, storyId } = await run(secretive(path, options));
      const [received] = target.requests;
      expect(received!.query.get('key')).toBe(SECRET);
      expect(JSON.parse(received!.text)).toMatchObject({ token: SECRET });
      const [event] = await eventsOf(ask);
      const [line] = await logOf(ask);
      const kept = event === undefined ? await ofLine(ask, line!.id) : await ofEvent(event.id);
      expect(kept).toMatchObject({
        url: `${target.url}${path}?key=%5Bcredential%20token%5D`,
        body: '{"token":"[credential token]","encoded":"[credential token]","host":"web-1"}',
      });
      expect(kept.headers['authorization']).toBe(
        'basic_auth' in options ? '[hidden]' : 'Bearer [credential token]',
      );
      const stored = [...(await everyTable(stores))].filter(([table]) =>
        ['events', 'agent_logs'].includes(table),
      );
      expect(leaksOf(SECRET, stored.map(([, text]) => text).join('\n'))).toEqual([]);
      expect(JSON.stringify(stored)).not.toContain('fabula-secret');
      expect(leaksOf(SECRET, await everythingShown(fabula, storyId))).toEqual([]);
    },
  );
});

test('viewers see it as they see payloads: without what signs in, and without links', async () => {
  const { ask } = await run(
    asks('/ok', {
      headers: { cookie: 'session=1234', 'x-a': 'b' },
      payload: { to: 'https://f.example/webhook/a/0123456789' },
    }),
  );
  const [event] = await eventsOf(ask);
  const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
  const path = `GET /api/v1/events/${event!.id}/request`;
  expect((await call(fabula, path, { as: viewer })).body.sent_request).toMatchObject({
    headers: { cookie: '[hidden]', 'x-a': 'b' },
    body: '{"to":"https://f.example/webhook/a/[hidden]"}',
  });
  expect((await call(fabula, path)).body.sent_request).toMatchObject({ headers: { cookie: 'session=1234' } });
});

test('a line of another action is none of this one', async () => {
  const { ask, ids } = await run(asks('/500', { fail_on_status: ['500'] }));
  const [line] = await logOf(ask);
  const path = `/api/v1/agents/${ids['Hook']}/logs/${line!.id}/request`;
  expect((await call(fabula, `GET ${path}`)).status).toBe(404);
});

test('of a called run only the event of the HTTP action itself has it', async () => {
  const helper = storyOf({ Start: ['Webhook', {}], Ask: asks('/ok', { payload: {} }) }, ['Start > Ask'], {
    name: 'Helper',
    send_to_story_enabled: true,
    entry_agent_guid: 'Start',
    exit_agent_guids: ['Ask'],
  });
  const called = await agentIds(fabula, (await fabula.importStory(helper)).id);
  const { ask } = await run(['SendToStory', { story: '<<STORY.helper>>', payload: {} }]);
  const [event] = await eventsOf(ask);
  expect(await ofEvent(event!.id)).toBeNull();
  const [own] = await eventsOf(called['Ask']!);
  expectSent(await ofEvent(own!.id), target.requests[0]!);
});
