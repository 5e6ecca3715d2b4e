import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type PrivateStores, startPrivateStores } from '../support/private-stores.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const shared = useStores();
let stores: PrivateStores;
let target: HttpTarget;
beforeAll(async () => {
  stores = await startPrivateStores(shared, { redis: true });
  target = await startHttpTarget({ rules: { '/beat': { body: { ok: true } } } });
});
afterAll(() => target.close());
beforeEach(() => target.clear());

let running: TestFabula[] = [];
afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
});
async function start(options: Parameters<typeof startFabula>[1] = {}) {
  const fabula = await startFabula(stores, options);
  running.push(fabula);
  return fabula;
}

/** Asks the target every five minutes, and makes an event of the response. */
const heartbeat = (overrides: JsonObject = {}) =>
  storyOf(
    {
      Beat: [
        'HTTPRequest',
        {
          url: `${target.url}/beat`,
          method: 'post',
          payload: { run: '=META.story_run.guid', none: '=INPUT.x' },
        },
        { schedule: [{ cron: '*/5 * * * *', timezone: 'Europe/Dublin' }] },
      ],
      Note: ['EventTransformation', { mode: 'message_only', payload: { ok: '=beat.body.ok' } }],
    },
    ['Beat > Note'],
    overrides,
  );

test('a scheduled action does its work, and what it emits goes on as ever', async () => {
  const fabula = await start();
  await fabula.importStory(heartbeat());
  await stores.sql('UPDATE schedules SET next_at = NOW(3)');
  expect(await fabula.inner.startDue()).toBe(1);
  await fabula.settled();
  const events = await fabula.events();
  expect(events.map(({ agent, payload }) => [agent, payload])).toEqual([
    ['Beat', expect.objectContaining({ status: 200, body: { ok: true } })],
    ['Note', { ok: true }],
  ]);
  expect(Object.keys(events[1]!.lineage)).toEqual(['beat', 'note']);
  const [{ guid } = { guid: '' }] = await stores.db.read((session) =>
    session.rows<{ guid: string }>('SELECT guid FROM story_runs'),
  );
  expect(target.requests.map(({ text }) => JSON.parse(text) as unknown)).toEqual([{ run: guid, none: null }]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('a start whose job is lost with all that Redis held is worked on all the same, once', async () => {
  const before = await start({ queues: [], relay: false });
  await before.importStory(heartbeat());
  await stores.sql('UPDATE schedules SET next_at = NOW(3)');
  await before.inner.startDue();
  await eventually(async () => (await stores.redis.dbsize()) > 1);
  await before.close();
  await stores.redis.flushall();
  // Long enough ago for its job not to be on its way any more.
  await stores.sql('UPDATE deliveries SET created_at = NOW(3) - INTERVAL 20 SECOND');
  const fabula = await start();
  await fabula.settled();
  expect((await fabula.events()).map(({ agent }) => agent)).toEqual(['Beat', 'Note']);
  expect(target.requests).toHaveLength(1);
});
