import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { places } from '../support/manage-api.js';
import { agentIds, call, eventsIn, runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const chain = storyOf({ Hook: HOOK, Say: says({ n: '=hook.n' }), After: says({ m: '=say.n' }) }, [
  'Hook > Say > After',
]);

async function imported(data = chain) {
  const story = await fabula.importStory(data);
  return { id: story.id, agents: await agentIds(fabula, story.id) };
}

const start = (id: number, body: JsonObject = {}, word = 'actions') =>
  call(fabula, `POST /api/v1/${word}/${id}/run`, { body });
const outputs = async (query: string) =>
  (await eventsIn(fabula, query)).map(({ agent_name: agent, payload }) => [agent, payload]).toReversed();

it.each(['actions', 'agents'])(
  'an action under /%s receives the event, as if it came from those before it',
  async (word) => {
    const { id, agents } = await imported();
    const { status, body } = await start(agents['Say']!, { event: { hook: { n: 5 } } }, word);
    expect([status, body]).toEqual([
      201,
      {
        story_run_guid: expect.any(String),
        story_id: id,
        agent_id: agents['Say'],
        event_id: expect.any(Number),
      },
    ]);
    await fabula.settled();
    expect(await outputs(`?story_run_guid=${body.story_run_guid}`)).toEqual([
      ['Say', { n: 5 }],
      ['After', { m: 5 }],
    ]);
    expect(await runsOf(fabula, id)).toMatchObject([{ guid: body.story_run_guid, source: 'api' }]);
  },
);

it('a webhook emits the event at once, which has the id of the response', async () => {
  const { agents } = await imported();
  const { body } = await start(agents['Hook']!, { payload: { n: 6 } });
  expect((await call(fabula, `GET /api/v1/events/${body.event_id}`)).body.payload).toEqual({
    hook: { n: 6 },
  });
  await fabula.settled();
  expect(await outputs(`?story_run_guid=${body.story_run_guid}`)).toEqual([
    ['Hook', { n: 6 }],
    ['Say', { n: 6 }],
    ['After', { m: 6 }],
  ]);
});

it('without an event an action starts as a schedule would start it', async () => {
  const { agents } = await imported();
  const { body } = await start(agents['Say']!);
  await fabula.settled();
  expect(await outputs(`?story_run_guid=${body.story_run_guid}`)).toEqual([
    ['Say', { n: null }],
    ['After', { m: null }],
  ]);
});

it('the run is stored before the response: a worker that starts later does the work', async () => {
  await fabula.runWith({ queues: [], relay: false });
  const { agents } = await imported();
  const { body } = await start(agents['Say']!, { event: { hook: { n: 7 } } });
  const rows = await stores.db.read((session) =>
    session.rows('SELECT 1 FROM deliveries WHERE story_run_guid = ? AND event_id = ?', [
      body.story_run_guid,
      body.event_id,
    ]),
  );
  expect(rows).toHaveLength(1);
});

it('an action that is disabled, does not run here or is out of sight starts nothing', async () => {
  const { agents } = await imported(
    storyOf(
      {
        Hook: HOOK,
        Off: ['EventTransformation', { mode: 'message_only' }, { disabled: true }],
        Form: ['Form', {}],
      },
      ['Hook > Off'],
    ),
  );
  expect((await start(agents['Off']!)).status).toBe(409);
  expect((await start(agents['Form']!)).status).toBe(422);
  const both = await start(agents['Hook']!, { event: {}, payload: {}, odd: 1 });
  expect(both.status).toBe(422);
  expect(places(both)).toContain('odd');
  expect((await start(agents['Hook']!, { event: 5 })).status).toBe(422);
  expect((await start(agents['Hook']!, { dry_run: true })).status).toBe(422);
  const { tenantId, team } = fabula.account;
  const viewer = await buildAccount(stores.db, { tenantId, team, role: 'VIEWER' });
  const stranger = await buildAccount(stores.db, { owner: true });
  for (const path of ['run', 'dry_run']) {
    const request = `POST /api/v1/actions/${agents['Hook']}/${path}`;
    expect((await call(fabula, request, { body: {}, as: viewer })).status).toBe(403);
    expect((await call(fabula, request, { body: {}, as: stranger })).status).toBe(404);
  }
  expect(await stores.db.read((session) => session.rows('SELECT 1 FROM story_runs'))).toEqual([]);
});
