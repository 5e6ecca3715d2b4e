import { createRunChains } from '../../src/webhooks/run-chains.js';
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

/** A story that calls the webhook at `target` with each event of its own. */
const calling = (path: string, target: string, options: Record<string, string | boolean> = {}) =>
  storyOf(
    {
      Hook: ['Webhook', { path, secret: 's'.repeat(32), verbs: 'post', ...options }],
      Call: [
        'HTTPRequest',
        {
          url: target,
          method: 'post',
          content_type: 'json',
          payload: {},
          headers: { 'X-Fabula-Run': 'mine' },
        },
      ],
    },
    ['Hook > Call'],
  );

const post = (path: string) =>
  fetch(addressOf(path), { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });

const statuses = async () =>
  (await fabula.events())
    .filter(({ agent }) => agent === 'Call')
    .map(({ payload }) => (payload as { status: number }).status);

test('I26: a story that calls its own webhook is stopped, and the answer says why', async () => {
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

const guid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const chains = (store: object) =>
  createRunChains({ redis: store as never, prefix: 'p', most: 3, logger: createSilentLogger() });

test('I26: a chain is forgotten with its last run, and nothing is counted without Redis', async () => {
  const known = new Map<string, string>();
  const redis = {
    get: async (key: string) => known.get(key) ?? null,
    set: async (key: string, value: string | number) => void known.set(key, String(value)),
  };
  const follow = (store: object, caller: number, next: number) =>
    chains(store).follow({ 'x-fabula-run': guid(caller) }, guid(next));
  await follow(redis, 1, 2);
  await follow(redis, 2, 3);
  await expect(follow(redis, 3, 4)).rejects.toMatchObject({ status: 508 });
  known.clear();
  await follow(redis, 3, 4);
  const away = { get: () => Promise.reject(new Error('away')), set: () => Promise.reject(new Error('away')) };
  for (let n = 0; n < 5; n++) await follow(away, n, n + 1);
  await chains(redis).follow({ 'x-fabula-run': '../../x' }, guid(9));
  expect([...known.keys()]).toEqual([`p:chain:${guid(4)}`]);
});
