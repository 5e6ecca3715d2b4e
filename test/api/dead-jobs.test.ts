import { agentIds, call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useFabula } from '../support/use-fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const fabula = useFabula(stores);

/** A story with two actions, each with a dead letter. */
async function scene() {
  const { id: storyId } = await fabula.importStory(storyOf({ Ask: says({}), Tell: says({}) }, []));
  const { Ask, Tell } = await agentIds(fabula, storyId);
  for (const agentId of [Ask!, Tell!]) {
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, attempts, due_at, failed_at)
       VALUES (UUID(), ?, ?, 813, 'event-transformation', 1, 'failed', 'Too large', 10, NOW(3), '2026-11-21 10:42:07')`,
      [storyId, agentId],
    );
  }
  return { Ask: Ask!, Tell: Tell! };
}

const jobs = async (path: string) => (await call(fabula, `GET ${path}`)).body['admin/dead_jobs'];

it('clients: dead jobs are the dead letters, in the form that public clients read', async () => {
  const { Ask } = await scene();
  expect(await jobs(`/api/v1/admin/actions/${Ask}/dead_jobs`)).toEqual([
    {
      id: expect.any(Number),
      type: 'AgentReceiveJob',
      agent: { id: Ask, name: 'Ask' },
      events: 813,
      retry_count: 9,
      last_retry: Date.parse('2026-11-21T10:42:07Z') / 1000,
      error_class: 'Too large',
    },
  ]);
  expect(await jobs('/api/v1/admin/dead_jobs?per_page=10&page=1')).toHaveLength(2);
});

it('clients: dead jobs are dropped, of one action or all', async () => {
  const { Ask } = await scene();
  const before = (await jobs('/api/v1/admin/dead_jobs')).length;
  const one = await call(fabula, `DELETE /api/v1/admin/actions/${Ask}/delete_all_dead_jobs`);
  expect(one.body).toEqual({ dropped: 1, remaining: 0 });
  const all = await call(fabula, 'DELETE /api/v1/admin/delete_all_dead_jobs');
  expect(all.body).toEqual({ dropped: before - 1, remaining: 0 });
  expect(await jobs('/api/v1/admin/dead_jobs')).toEqual([]);
});
