import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useManageApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { useStores } from '../support/stores.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();

describe('a server without workers', () => {
  const api = useManageApi(stores);

  it('tells what it is to any key', async () => {
    const { key } = await buildAccount(stores.db, { role: 'VIEWER' });
    const { body } = await api.call(key, 'GET /api/v1/info');
    const { hostname: name } = new URL(api.fabula().url);
    expect(body).toEqual({
      stack: { name, type: 'self-hosted', region: null, egress_ips: [] },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      public_url: api.fabula().url,
    });
  });

  it('says that no worker lives, and how long a job has waited', async () => {
    const { key } = await buildOperator(stores);
    const stats = async () => (await api.call(key, 'GET /api/v1/info/worker_stats')).body;
    expect(await stats()).toEqual({ current_workers: 0, max_workers: 0, queue_count: 0, queue_latency: 0 });
    const queue = queueOf(api.fabula(), 'trigger', stores);
    await queue.add('waits', {}, { timestamp: Date.now() - 60_000 });
    const seen = await eventually(async () => {
      const now = await stats();
      return now.queue_count === 1 && now;
    });
    expect(seen.queue_latency).toBeGreaterThanOrEqual(60);
    expect(Number.isInteger(seen.queue_latency)).toBe(true);
    await queue.drain();
  });
});

describe('a server with workers', () => {
  const api = useManageApi(stores, { queues: ['trigger', 'email'], relay: false });

  it('adds up the jobs that they can run at once', async () => {
    const { key } = await buildOperator(stores);
    const slots = await eventually(async () => {
      const { body } = await api.call(key, 'GET /api/v1/info/worker_stats');
      return body.max_workers > 0 && body.max_workers;
    });
    expect(slots % 4).toBe(0);
  });
});
