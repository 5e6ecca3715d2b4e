import { startFabula, type TestFabula } from '../support/fabula.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let fabula: TestFabula;

beforeAll(async () => {
  fabula = await startFabula(stores);
});

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fabula.api(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

test('a draft sees the test value of a resource, its story the live one', async () => {
  const { id } = await call<{ id: number }>('POST', '/api/v1/global_resources', {
    name: 'Target',
    value: 'live',
  });
  await call('PUT', `/api/v1/global_resources/${id}`, { is_test: true, value: 'test' });
  const data = storyOf(
    {
      Receive: ['Webhook', { path: 'with-resources', secret: 'open', verbs: 'post' }],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { to: '<<RESOURCE.target>>' } }],
    },
    ['Receive > Mark'],
  );
  const team = fabula.account.team.id;
  const story = await call<{ id: number }>('POST', '/api/v1/stories/import', {
    new_name: 'S',
    team_id: team,
    data,
  });
  const draft = await call<{ id: number }>('POST', `/api/v1/stories/${story.id}/drafts`, { name: 'Try' });
  for (const storyId of [story.id, draft.id]) {
    const { agents } = await call<{ agents: { name: string; options: { path: string; secret: string } }[] }>(
      'GET',
      `/api/v1/stories/${storyId}/agents`,
    );
    const { path, secret } = agents.find(({ name }) => name === 'Receive')!.options;
    await fabula.fire(`${path}/${secret}`);
    await fabula.settled();
  }
  const marks = (await fabula.events()).filter(({ agent }) => agent === 'Mark');
  expect(marks.map(({ payload }) => payload)).toEqual([{ to: 'live' }, { to: 'test' }]);
});
