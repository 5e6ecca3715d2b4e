import { cancelRun } from '../src/events/cancel-run.js';
import { eventually } from './support/eventually.js';
import { startFabula, type TestFabula } from './support/fabula.js';
import { storyOf } from './support/stories.js';
import { useStores } from './support/stores.js';

const stores = useStores();
let fabula: TestFabula;

beforeEach(async () => {
  fabula = await startFabula(stores, { env: { RUN_EVENT_LIMIT: '100' } });
});

afterEach(() => fabula.close());

const count = (value: string) =>
  ['EventTransformation', { mode: 'message_only', payload: { n: value } }] as [
    string,
    { mode: string; payload: { n: string } },
  ];

test('a story that loops without end is stopped, and its log says why', async () => {
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Ping: count('=1'), Pong: count('=2') }, ['Hook > Ping > Pong > Ping']),
  );
  await fabula.fire(story.webhooks['Hook']!);
  await fabula.settled();
  const events = await fabula.events();
  expect(events.length).toBeGreaterThan(100);
  expect(events.length).toBeLessThan(1_000);
  expect((await fabula.logs()).map(({ message }) => message)).toContain(
    'The run was stopped: it has more than 100 events and is taken for one that never ends',
  );
});

test('a wide run that goes nowhere twice is left alone', async () => {
  const story = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        Split: ['EventTransformation', { mode: 'explode', path: '=RANGE(1, 400)', to: 'n' }],
        After: count('=split.n'),
      },
      ['Hook > Split > After'],
    ),
  );
  await fabula.fire(story.webhooks['Hook']!);
  await fabula.settled();
  expect(await fabula.events()).toHaveLength(801);
});

test('a run is cancelled together with what says why, or not at all', async () => {
  await stores.sql("INSERT INTO story_runs (guid, story_id, source) VALUES ('g', 1, 'webhook')");
  await expect(cancelRun(stores.db, 'g', () => Promise.reject(new Error('no reason')))).rejects.toThrow(
    'no reason',
  );
  let told = 0;
  const tell = () => Promise.resolve(void told++);
  expect([await cancelRun(stores.db, 'g', tell), await cancelRun(stores.db, 'g', tell)]).toEqual([
    true,
    false,
  ]);
  expect(told).toBe(1);
});

test('a cancelled run stops, with what it waits for and what it has called', async () => {
  const waiting = storyOf(
    { Start: ['Webhook', {}], Wait: ['EventTransformation', { mode: 'delay', seconds: 3600 }] },
    ['Start > Wait'],
    { name: 'Waiting', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Wait'] },
  );
  await fabula.importStory(waiting);
  const story = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: ['SendToStory', { story: '<<STORY.waiting>>', payload: {} }],
        Join: ['EventTransformation', { mode: 'implode', guid_path: 'x', size_path: 2 }],
      },
      ['Hook > Ask', 'Hook > Join'],
    ),
  );
  await fabula.fire(story.webhooks['Hook']!);
  const states = async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ state: string }>('SELECT state FROM deliveries ORDER BY state'),
    );
    return rows.map(({ state }) => state).join(' ');
  };
  await eventually(async () => (await states()) === 'parked parked waiting');
  const runs = await stores.db.read((session) =>
    session.rows<{ guid: string }>('SELECT guid FROM story_runs ORDER BY id'),
  );
  expect(await cancelRun(stores.db, runs[0]!.guid)).toBe(true);
  expect(await states()).toBe('');
  expect(await cancelRun(stores.db, runs[0]!.guid)).toBe(false);
  const cancelled = await stores.db.read((session) =>
    session.rows('SELECT id FROM story_runs WHERE cancelled_at IS NOT NULL'),
  );
  expect(cancelled).toHaveLength(2);
});
