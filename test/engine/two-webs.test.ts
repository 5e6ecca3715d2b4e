import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let one: TestFabula;
let other: TestFabula;

beforeEach(async () => {
  const env = { QUEUE_PREFIX: `${stores.queuePrefix}-shared` };
  one = await startFabula(stores, { env });
  // Only its web process matters: the workers of the first do all the work.
  other = await startFabula(stores, { env, queues: [], relay: false });
});

afterEach(async () => {
  await other.close();
  await one.close();
});

interface Known {
  id: number;
  address: string;
  actionId: number;
}

async function importPair(): Promise<Known> {
  const { id, webhooks } = await one.importStory(
    storyOf(
      {
        Hook: ['Webhook', { include_headers: false }],
        Say: ['EventTransformation', { mode: 'message_only', payload: { said: 'before' } }],
      },
      ['Hook > Say'],
    ),
  );
  const list = (await (await one.api('GET', `/api/v1/actions?story_id=${id}`)).json()) as {
    agents: { id: number; name: string }[];
  };
  const actionId = list.agents.find(({ name }) => name === 'Say')!.id;
  return { id, address: webhooks['Hook']!, actionId };
}

async function change(method: string, path: string, body?: JsonObject): Promise<void> {
  const response = await one.api(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** Calls through the other process until it answers so; gives how many calls it has accepted meanwhile. */
async function callsUntil(address: string, status: number): Promise<number> {
  let accepted = 0;
  await eventually(async () => {
    const response = await other.fire(address);
    await response.body?.cancel();
    if (response.status === 201) accepted += 1;
    return response.status === status;
  });
  return accepted;
}

const runs = async () => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ runs: number }>('SELECT COUNT(*) AS runs FROM story_runs'),
  );
  return row!.runs;
};

test('a changed option counts for calls that the other process takes', async () => {
  const { address, actionId } = await importPair();
  expect(await callsUntil(address, 201)).toBe(1);
  await change('PUT', `/api/v1/actions/${actionId}`, {
    options: { mode: 'message_only', payload: { said: 'after' } },
  });
  let calls = 1;
  await eventually(async () => {
    calls += await callsUntil(address, 201);
    await one.settled();
    const said = (await one.events()).filter(({ agent }) => agent === 'Say').map(({ payload }) => payload);
    return JSON.stringify(said.at(-1)) === '{"said":"after"}';
  });
  expect(await runs()).toBe(calls);
});

test('a story that one process disables takes no calls at the other, until it is enabled', async () => {
  const { id, address } = await importPair();
  let accepted = await callsUntil(address, 201);
  await change('PUT', `/api/v1/stories/${id}`, { disabled: true });
  accepted += await callsUntil(address, 404);
  await change('PUT', `/api/v1/stories/${id}`, { disabled: false });
  accepted += await callsUntil(address, 201);
  await one.settled();
  expect(await runs()).toBe(accepted);
});

test('a story that one process locks is refused to change by the other', async () => {
  const { id, actionId } = await importPair();
  await change('PUT', `/api/v1/stories/${id}`, { locked: true });
  const response = await other.as(one.account).api('PUT', `/api/v1/actions/${actionId}`, { name: 'Changed' });
  expect(response.status).toBe(409);
});

test('a story that one process deletes is gone at the other', async () => {
  const { id, address } = await importPair();
  await callsUntil(address, 201);
  await change('DELETE', `/api/v1/stories/${id}`);
  await callsUntil(address, 404);
  expect((await other.as(one.account).api('GET', `/api/v1/stories/${id}`)).status).toBe(404);
});
