import { cancelRun } from '../../src/engine/state/runs/cancel-run.js';
import { eventually } from '../support/eventually.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { env: { RUN_EVENT_LIMIT: '100' } });

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
    'The run was cancelled as a runaway, because it has more than 100 events',
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

/** A story that others may call, and that takes an hour. */
const waiting = storyOf(
  { Start: ['Webhook', {}], Wait: ['EventTransformation', { mode: 'delay', seconds: 3600 }] },
  ['Start > Wait'],
  { name: 'Waiting', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Wait'] },
);

const states = async () => {
  const rows = await stores.db.read((session) =>
    session.rows<{ state: string }>('SELECT state FROM deliveries ORDER BY state'),
  );
  return rows.map(({ state }) => state).join(' ');
};

const runs = () =>
  stores.db.read((session) =>
    session.rows<{ guid: string; cancelled: number }>(
      'SELECT guid, cancelled_at IS NOT NULL AS cancelled FROM story_runs ORDER BY id',
    ),
  );

test('a cancelled run stops, with what it waits for and what it has called', async () => {
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
  await eventually(async () => (await states()) === 'parked parked waiting');
  const guid = (await runs())[0]!.guid;
  expect(await cancelRun(stores.db, guid)).toBe(true);
  expect(await states()).toBe('');
  expect(await cancelRun(stores.db, guid)).toBe(false);
  expect((await runs()).map(({ cancelled }) => cancelled)).toEqual([1, 1]);
});

const asks = (name: string, story: string) =>
  storyOf(
    { Start: ['Webhook', {}], Ask: ['SendToStory', { story: `<<STORY.${story}>>`, payload: {} }] },
    ['Start > Ask'],
    { name, send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Ask'] },
  );

test('a cancel that broke off among the runs that were called is completed by the next', async () => {
  await fabula.importStory(waiting);
  await fabula.importStory(asks('Middle', 'waiting'));
  const { webhooks } = await fabula.importStory(asks('Outer', 'middle'));
  await fabula.fire(webhooks['Start']!);
  await eventually(async () => (await states()) === 'parked parked waiting');
  const [outer, middle] = (await runs()).map(({ guid }) => guid) as [string, string];
  // As a process leaves it that ends when it has marked the run that was called.
  await stores.sql('UPDATE story_runs SET cancelled_at = NOW(3) WHERE guid IN (?)', [[outer, middle]]);
  await stores.sql('DELETE FROM deliveries WHERE story_run_guid = ?', [outer]);
  expect(await cancelRun(stores.db, outer)).toBe(false);
  expect(await states()).toBe('');
  expect((await runs()).map(({ cancelled }) => cancelled)).toEqual([1, 1, 1]);
});
