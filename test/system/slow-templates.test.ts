import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { startHttpTarget } from '../support/http-target.js';
import { watchLoop } from '../support/loop-watch.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let fabula: TestFabulaHere;

beforeEach(async () => {
  fabula = await startFabulaHere(stores);
});
afterEach(() => fabula.close());

/** A tenth of a second each, or a few. */
const SLOW = '<<SIZE(MAP(RANGE(1, 100000), LAMBDA(x, x * x * x * x + 1)))>>';
const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, SLOW]));
const slowOptions = (): JsonObject => ({ mode: 'message_only', payload: many });
const SENDING = { url: 'http://127.0.0.1:9/', method: 'get', headers: many };
const RULES = Object.keys(many).map((path) => ({ type: 'field!=null', path: many[path] ?? '' }));

type Client = Pick<TestFabulaHere, 'importStory' | 'fire'>;
async function imported(client: Client, name: string, agent: [string, JsonObject]) {
  const story = storyOf({ Hook: ['Webhook', {}], Work: agent }, ['Hook > Work'], { name });
  const { id, webhooks } = await client.importStory(story, { new_name: name });
  return { id, call: () => client.fire(webhooks['Hook'] ?? '', { word: 'peace' }) };
}

const QUIET: [string, JsonObject] = [
  'EventTransformation',
  { mode: 'message_only', payload: { said: '<<hook.body.word>>' } },
];
const openOf = async (storyId: number) => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ n: number }>(
      "SELECT COUNT(*) AS n FROM deliveries WHERE story_id = ? AND state <> 'failed'",
      [storyId],
    ),
  );
  return row?.n ?? 0;
};
const doneBy = async (name: string, count: number) =>
  (await fabula.events()).filter(({ payload }) => JSON.stringify(payload) === JSON.stringify({ said: name }))
    .length >= count;

test.each([
  ['a transformation whose templates take their whole time', ['EventTransformation', slowOptions()]],
  ['a request whose headers do', ['HTTPRequest', SENDING]],
  ['a trigger whose formula does', ['Trigger', { rules: RULES }]],
] as const)('%s lets other tenants pass, and holds the event loop for moments only', async (_, agent) => {
  const hostile = fabula.as(await buildAccount(stores.db, { owner: true }));
  const slow = await imported(hostile, 'slow', agent as unknown as [string, JsonObject]);
  const quiet = await imported(fabula, 'quiet', QUIET);
  const loop = watchLoop();
  for (let call = 0; call < 12; call += 1) await slow.call();
  for (let call = 1; call <= 5; call += 1) {
    await quiet.call();
    await eventually(() => doneBy('peace', call));
  }
  const longestMs = loop.end();
  expect(await openOf(slow.id)).toBeGreaterThan(0);
  // One delivery alone takes longer.
  expect(longestMs).toBeLessThan(600);
  await fabula.api('DELETE', `/api/v1/stories/${slow.id}`);
  await hostile.api('DELETE', `/api/v1/stories/${slow.id}`);
});

test('a large response of any server is read in a thread, and still becomes the event', async () => {
  const list = Array.from({ length: 400_000 }, () => ({}));
  const target = await startHttpTarget({
    rules: { '/many': { headers: { 'content-type': 'application/json' }, body: JSON.stringify(list) } },
  });
  stores.onClose(() => target.close());
  const story = await imported(fabula, 'ask', ['HTTPRequest', { url: `${target.url}/many`, method: 'get' }]);
  await story.call();
  await target.waitForRequests(1);
  const loop = watchLoop();
  await fabula.settled();
  const longestMs = loop.end();
  const [row] = await stores.db.read((session) =>
    session.rows<{ length: number; payload: string }>(
      'SELECT LENGTH(payload) AS length, LEFT(payload, 200) AS payload FROM events ORDER BY id DESC LIMIT 1',
    ),
  );
  expect(row?.payload).toMatch(/^\{"status":200,"headers":\{.*"body":\[\{\},\{\},/);
  expect(row?.length).toBeGreaterThan(JSON.stringify(list).length);
  expect(longestMs).toBeLessThan(300);
});

test('a large body that is passed on is written in a thread, unchanged', async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(40) }));
  const target = await startHttpTarget();
  stores.onClose(() => target.close());
  const story = storyOf(
    {
      Hook: ['Webhook', { include_headers: false }],
      Send: ['HTTPRequest', { url: `${target.url}/in`, method: 'post', payload: '=hook' }],
    },
    ['Hook > Send'],
    { name: 'send' },
  );
  const { webhooks } = await fabula.importStory(story);
  await fabula.fire(webhooks['Hook'] ?? '', { rows });
  const loop = watchLoop();
  const [request] = await target.waitForRequests(1);
  const longestMs = loop.end();
  expect(JSON.parse(String(request?.body))).toEqual({ rows });
  expect(request?.headers['content-type']).toMatch(/^application\/json/);
  expect(longestMs).toBeLessThan(300);
});
