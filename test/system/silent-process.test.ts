import { readProcesses } from '../../src/engine/dispatch/figures/live-processes.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 90_000;

test('I21: a worker that stands still is named, with its role and process id, until it goes on', async () => {
  const env = fabulaEnvironment(stores, { QUEUE_PREFIX: stores.queuePrefix, LOG_LEVEL: 'info' });
  const worker = startProcess('workers/trigger', env);
  stores.onClose(() => worker.stop('SIGKILL'));
  await worker.said('worker is running');
  // One that has given no sign yet is not missed.
  await eventually(async () => String(await stores.redis.client('LIST')).includes(':trigger:'), PATIENCE_MS);
  const silent = async () => (await readProcesses(stores.redis, stores.queuePrefix)).silent;
  expect(await silent()).toEqual([]);
  process.kill(worker.pid, 'SIGSTOP');
  const [found] = await eventually(async () => {
    const all = await silent();
    return all.length > 0 && all;
  }, PATIENCE_MS);
  expect(found).toMatchObject({ role: 'trigger', pid: worker.pid, jobs: 0 });
  expect(found!.silentSeconds).toBeGreaterThanOrEqual(30);
  process.kill(worker.pid, 'SIGCONT');
  await eventually(async () => (await silent()).length === 0, PATIENCE_MS);
});
