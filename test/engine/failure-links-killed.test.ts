import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const RUNS = 300;
const stores = useStores();

/** Every run fails at its second action; the failure link leads to the third. */
const story = storyOf(
  {
    Hook: ['Webhook', { path: 'failing', secret: 's3cret', include_headers: false }],
    Fail: ['EventTransformation', { mode: 'delay' }],
    Rescue: ['EventTransformation', { mode: 'message_only', payload: { n: '=hook.n' } }],
  },
  ['Hook > Fail # Rescue'],
);

test(`a worker killed among ${RUNS} failures loses none and sends none twice`, async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const env = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    LOG_LEVEL: 'info',
  });
  const startWorker = async () => {
    const worker = startProcess('workers/all', env);
    stores.onClose(() => worker.stop('SIGKILL'));
    await worker.said('worker is running');
    return worker;
  };
  const rescued = async () =>
    (await fabula.events()).flatMap(({ agent, payload }) =>
      agent === 'Rescue' ? [(payload as { n: number }).n] : [],
    );
  const { webhooks } = await fabula.importStory(story);

  const first = await startWorker();
  // A busy machine may refuse some of so many at once (503): their callers call again.
  const send = async (n: number): Promise<number> => {
    const { status } = await fabula.fire(webhooks['Hook']!, { n });
    return status === 503 ? send(n) : status;
  };
  const responses = Promise.all(Array.from({ length: RUNS }, (_, n) => send(n)));
  await eventually(async () => (await rescued()).length > RUNS / 10, 60_000);
  await first.stop('SIGKILL');
  // The locks of the killed worker's jobs end now, not in half a minute.
  for (const lock of await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`))
    await stores.redis.del(lock);
  expect(new Set(await responses)).toEqual(new Set([201]));

  const second = await startWorker();
  await fabula.settled(90_000);
  expect((await rescued()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: RUNS }, (_, n) => n));
  expect(await fabula.events()).toHaveLength(RUNS * 3);
  expect((await fabula.logs()).filter(({ agent, level }) => agent === 'Fail' && level === 4)).toHaveLength(
    RUNS,
  );
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await second.stop('SIGTERM')).toBe(0);
});
