import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRunChainMarks } from '../../src/engine/calls/run-chain-marks.js';
import { createRunChains } from '../../src/web/webhooks/run-chains.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const MOST = 5;
let fabula: TestFabula;

beforeEach(async () => {
  fabula = await startFabula(stores, { env: { MAX_WEBHOOK_CHAIN: String(MOST) } });
});
afterEach(() => fabula.close());

const addressOf = (path: string) => `${fabula.url}/webhook/${path}/${'s'.repeat(32)}`;

const call = (url: string): Parameters<typeof storyOf>[0] => ({
  Call: [
    'HTTPRequest',
    { url, method: 'post', content_type: 'json', payload: {}, headers: { 'X-Fabula-Run': 'mine' } },
  ],
});

/** A story that calls the webhook at `target` with each event of its own. */
const calling = (path: string, target: string, options: Record<string, string | boolean> = {}) =>
  storyOf(
    { Hook: ['Webhook', { path, secret: 's'.repeat(32), verbs: 'post', ...options }], ...call(target) },
    ['Hook > Call'],
  );

const post = (path: string) =>
  fetch(addressOf(path), { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });

const statuses = async () =>
  (await fabula.events())
    .filter(({ agent }) => agent === 'Call')
    .map(({ payload }) => (payload as { status: number }).status);

test('I26: a story that calls its own webhook is stopped, and the response says why', async () => {
  const { webhooks } = await fabula.importStory(
    calling('self', addressOf('self'), { include_headers: true }),
  );
  expect(webhooks['Hook']).toBeDefined();
  expect((await post('self')).status).toBe(201);
  await fabula.settled();
  expect(await statuses()).toEqual([201, 201, 201, 201, 508]);
  const events = await fabula.events();
  expect(JSON.stringify(events.at(-1)!.payload)).toContain('5 runs in a row');
  expect(JSON.stringify(events.filter(({ agent }) => agent === 'Hook')).toLowerCase()).not.toContain(
    'x-fabula-run',
  );
  expect((await post('self')).status).toBe(201);
  await fabula.settled();
});

test('I26: two stories that call each other are one chain', async () => {
  await fabula.importStory(calling('ping', addressOf('pong')));
  await fabula.importStory(calling('pong', addressOf('ping')));
  await post('ping');
  await fabula.settled();
  expect(await statuses()).toHaveLength(MOST);
  expect((await statuses()).at(-1)).toBe(508);
});

test('I26: a called story goes on with the chain of its caller', async () => {
  await fabula.importStory(
    storyOf(
      { Entry: ['Webhook', { path: 'inner', secret: 's'.repeat(32) }], ...call(addressOf('outer')) },
      ['Entry > Call'],
      {
        name: 'Helper',
        send_to_story_enabled: true,
        entry_agent_guid: 'Entry',
        exit_agent_guids: ['Call'],
      },
    ),
  );
  await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', { path: 'outer', secret: 's'.repeat(32), verbs: 'post' }],
        Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }],
      },
      ['Hook > Ask'],
    ),
  );
  await post('outer');
  await fabula.settled();
  expect(await statuses()).toEqual([201, 201, 201, 201, 508]);
});

test('I26: a chain goes on through a redirect by another server, and in any letter case', async () => {
  const target = new URL(addressOf('self'));
  target.pathname = target.pathname.replace('webhook', 'WEBHOOK');
  const elsewhere = createServer((_request, response) =>
    response.writeHead(302, { Location: target.href }).end(),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = elsewhere.address() as AddressInfo;
    await fabula.importStory(calling('self', `http://127.0.0.1:${port}/`, { verbs: 'get,post' }));
    await post('self');
    await fabula.settled();
    expect(await statuses()).toEqual([201, 201, 201, 201, 508]);
  } finally {
    elsewhere.close();
  }
});

const guid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Chains of at most three runs, in a store of the test's own. */
function chainsIn(store: object) {
  const marks = createRunChainMarks(stores.db);
  const chains = createRunChains({
    redis: store as never,
    prefix: 'p',
    most: 3,
    marks,
    callerOf: async () => undefined,
    logger: createSilentLogger(),
  });
  return async (caller: number, next: number, tenantId = 1) => {
    const headers = await marks.headersFor(guid(caller))(new URL('http://x/webhook/a/b'));
    await chains.follow(headers, { guid: guid(next), tenantId });
  };
}

function memory() {
  const known = new Map<string, string>();
  const get = async (key: string) => known.get(key) ?? null;
  const set = async (key: string, value: string) => void known.set(key, value);
  return { known, get, set };
}

test('I26: a chain is forgotten with its last run, and nothing is counted without Redis', async () => {
  const redis = memory();
  const follow = chainsIn(redis);
  await follow(1, 2);
  await follow(2, 3);
  await expect(follow(3, 4)).rejects.toMatchObject({ status: 508 });
  redis.known.clear();
  await follow(3, 4);
  expect([...redis.known.keys()]).toEqual([`p:chain:${guid(4)}`]);
  const away = { get: () => Promise.reject(new Error('away')), set: () => Promise.reject(new Error('away')) };
  for (let n = 0; n < 5; n++) await chainsIn(away)(n, n + 1);
});

test('I26: the runs of a tenant count for itself, and a header that nobody has signed for none', async () => {
  const redis = memory();
  const follow = chainsIn(redis);
  await follow(1, 2, 1);
  await follow(2, 3, 1);
  await follow(3, 4, 2);
  await follow(4, 5, 2);
  await expect(follow(5, 6, 1)).rejects.toMatchObject({ status: 508 });
  redis.known.clear();
  const marks = createRunChainMarks(stores.db);
  const signed = await marks.headersFor(guid(1))(new URL('http://x/webhook/a/b'));
  expect(await marks.read(signed)).toBe(guid(1));
  for (const forged of ['', guid(1), `${guid(2)}.${signed['x-fabula-run']!.split('.')[1]}`, '../../x'])
    expect(await marks.read({ 'x-fabula-run': forged })).toBeUndefined();
  expect(await marks.headersFor(guid(1))(new URL('http://x/hooks'))).toEqual({});
});
