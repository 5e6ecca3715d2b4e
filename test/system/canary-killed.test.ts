import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startHttpTarget } from '../support/http-target.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const LETTERS = 120;
const stores = useStores();

test('a canary retry survives the death of the web process and of each worker: every dead letter is retried once', async () => {
  const target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
  stores.onClose(() => target.close());
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const env = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    MAX_ATTEMPTS: '1',
    LOG_LEVEL: 'info',
  });
  const start = async (file: string, said: string) => {
    const started = startProcess(file, env);
    stores.onClose(() => started.stop('SIGKILL'));
    await started.said(said);
    return started;
  };
  const startWorker = () => start('workers/all', 'worker is running');
  /** As if the locks of a killed worker had run out already. */
  const freeLocks = async () => {
    for (const lock of await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`))
      await stores.redis.del(lock);
    for (const duty of await stores.redis.keys(`${fabula.config.queuePrefix}:duty:*`))
      await stores.redis.del(duty);
  };
  const ask = { url: `${target.url}/ask`, method: 'post', payload: '=hook.body', fail_on_status: ['500'] };
  const { id: storyId, webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', ask] }, ['Hook > Ask']),
  );

  const first = await startWorker();
  for (let n = 1; n <= LETTERS; n++) await fabula.fire(webhooks['Hook']!, { n });
  await eventually(async () => (await fabula.deadLetters()).length === LETTERS, 60_000);
  await first.stop('SIGKILL');
  await freeLocks();
  target.clear();
  target.on('/ask', { status: 200, delayMs: 100 });

  // The web process dies as soon as it has answered: it may not have added the first job.
  const web = await start('web', 'web is listening');
  const port = /"port":(\d+)/.exec(web.output())?.[1];
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/dead_letters/canaries`, {
    method: 'POST',
    headers: { 'x-user-token': fabula.account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ story_id: storyId }),
  });
  expect(response.status).toBe(201);
  await web.stop('SIGKILL');

  const second = await startWorker();
  await eventually(() => target.requests.length > 15, 90_000);
  await second.stop('SIGKILL');
  expect(target.requests.length).toBeLessThan(LETTERS);
  await freeLocks();

  const third = await startWorker();
  const canary = async () =>
    (await fabula.api('GET', '/api/v1/dead_letters/canaries')).json() as Promise<{
      canaries: { ended_at: string | null }[];
    }>;
  await eventually(async () => (await canary()).canaries[0]?.ended_at !== null, 120_000);
  expect((await canary()).canaries).toEqual([
    expect.objectContaining({
      state: 'completed',
      dead_letters: LETTERS,
      passed: LETTERS,
      failed: 0,
      skipped: 0,
      running: 0,
      waiting: 0,
    }),
  ]);
  // A request under way at the kill is sent again with the same key: each dead letter has one key, so it was retried once.
  const keys = new Map<string, Set<string>>();
  for (const { text, headers } of target.requests) {
    keys.set(text, (keys.get(text) ?? new Set()).add(headers['idempotency-key'] ?? ''));
  }
  expect(keys.size).toBe(LETTERS);
  expect([...keys.values()].filter(({ size }) => size !== 1)).toEqual([]);
  expect(await fabula.deadLetters()).toEqual([]);
  const events = (await fabula.events()).filter(({ agent }) => agent === 'Ask');
  expect(events).toHaveLength(LETTERS);
  expect(await third.stop('SIGTERM')).toBe(0);
});
