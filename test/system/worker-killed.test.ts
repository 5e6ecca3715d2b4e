import { CHAIN, CHAIN_ACTIONS } from '../support/chain-story.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const RUNS = 500;
const stores = useStores();

test(`a worker killed in the middle of ${RUNS} runs loses nothing and doubles nothing`, async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const env = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    LOG_LEVEL: 'info',
  });
  const workers: FabulaProcess[] = [];
  const startWorker = async () => {
    const worker = startProcess('workers/all', env);
    workers.push(worker);
    stores.onClose(() => worker.stop('SIGKILL'));
    await worker.said('worker is running');
    return worker;
  };
  const { webhooks } = await fabula.importStory(CHAIN);

  const first = await startWorker();
  const responses = Promise.all(
    Array.from({ length: RUNS }, async (_, number) => {
      // On a busy machine some may get a 503: nothing was taken of them, so they are sent again.
      for (;;) {
        const { status } = await fabula.fire(webhooks['Receive']!, { number });
        if (status !== 503) return status;
      }
    }),
  );
  await eventually(async () => (await doneRuns()) > RUNS / 10, 60_000);
  await first.stop('SIGKILL');
  expect(await doneRuns()).toBeLessThan(RUNS);
  expect(new Set(await responses)).toEqual(new Set([201]));

  const second = await startWorker();
  // It gives on what the first one had in hand, and does not wait until the locks run out.
  await second.said('gives no beats');
  await fabula.settled(90_000);
  const events = await fabula.events();
  expect(events).toHaveLength(RUNS * 4);
  for (const name of CHAIN_ACTIONS) {
    expect(events.filter((event) => event.agent === name)).toHaveLength(RUNS);
  }
  const numbers = events
    .filter((event) => event.agent === 'Next')
    .map(({ payload }) => (payload as { next: number }).next);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: RUNS }, (_, number) => number + 1));
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await second.stop('SIGTERM')).toBe(0);

  async function doneRuns(): Promise<number> {
    const [row] = await stores.db.read((session) =>
      session.rows<{ done: number }>(
        "SELECT COUNT(*) AS done FROM events e JOIN agents a ON a.id = e.agent_id WHERE a.name = 'Exit'",
      ),
    );
    return row?.done ?? 0;
  }
});
