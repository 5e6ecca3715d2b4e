import path from 'node:path';
import type { GiveUp, IsCurrent } from '../../src/engine/recovery/give-up.js';
import { JobTaken } from '../../src/engine/execute/run-delivery.js';
import { NoSlot } from '../../src/engine/execute/slots/story-concurrency.js';
import { deliveryJobId } from '../../src/engine/dispatch/jobs.js';
import { createEpoch } from '../../src/platform/mysql/schema/epoch.js';
import { startIsolatedChild } from '../../src/app/worker/isolated-child.js';
import { createIsolatedRunner } from '../../src/app/worker/isolated-runner.js';
import { allDeliveries, recordingWriter, storeDeliveries, undone } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startHttpTarget } from '../support/http-target.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();
const FILE = path.join(__dirname, '../support/isolated-child.mjs');
/** Behaviour of the process for a job, by its number. */
const GOOD = { deliveryId: 1, generation: 0 };
const DEADLY = { deliveryId: 2, generation: 0 };
const UNDONE = { deliveryId: 3, generation: 0 };
const ENDLESS = { deliveryId: 4, generation: 0 };
/** Tells how often its process got SIGUSR2. */
const HEARD = { deliveryId: 5, generation: 0 };
const never = () => new AbortController().signal;

function runnerOf(options: { giveUp?: GiveUp; idleMs?: number; isCurrent?: IsCurrent } = {}) {
  let starts = 0;
  const runner = createIsolatedRunner({
    giveUp: options.giveUp ?? (() => Promise.reject(new Error('nothing is to be given up'))),
    isCurrent: options.isCurrent ?? (() => Promise.resolve(true)),
    logger: stores.logger,
    pauseMs: 1,
    idleMs: options.idleMs ?? 60_000,
    startChild: () => {
      starts += 1;
      return startIsolatedChild(FILE);
    },
  });
  stores.onClose(() => runner.close());
  return { runner, starts: () => starts };
}

describe('jobs that are run alone', () => {
  it('share a process one after the other, and one that comes meanwhile is handed back', async () => {
    const { runner, starts } = runnerOf();
    const first = runner.run(GOOD, never());
    await expect(runner.run(GOOD, never())).rejects.toBeInstanceOf(NoSlot);
    const summary = await first;
    expect(summary).toMatchObject({ outcome: 'done' });
    expect(await runner.run(GOOD, never())).toEqual(summary);
    expect(starts()).toBe(1);
  });

  it('need no process when their delivery was done, or given to another job', async () => {
    const { runner, starts } = runnerOf({ isCurrent: ({ deliveryId }) => Promise.resolve(deliveryId !== 2) });
    const running = runner.run(GOOD, never());
    expect(await runner.run(DEADLY, never())).toEqual({ outcome: 'gone' });
    await running;
    expect(starts()).toBe(1);
  });

  it('get a new process after one that nobody needed for a while was let go', async () => {
    const { runner, starts } = runnerOf({ idleMs: 1 });
    const { agent } = await runner.run(GOOD, never());
    await eventually(() => !isThere(Number(agent)));
    await runner.run(GOOD, never());
    expect(starts()).toBe(2);
  });

  it('are given up when their process ended three times, and the next ones have a new one', async () => {
    const given: unknown[] = [];
    const { runner, starts } = runnerOf({
      giveUp: (job, error) => {
        given.push([job, error]);
        return Promise.resolve({ outcome: 'failed', error });
      },
    });
    expect(await runner.run(DEADLY, never())).toMatchObject({ outcome: 'failed' });
    expect(given).toEqual([[DEADLY, expect.stringContaining('3 times')]]);
    expect(starts()).toBe(3);
    expect(await runner.run(GOOD, never())).toMatchObject({ outcome: 'done' });
  });

  it('that came to nothing for another reason count as no death', async () => {
    const { runner, starts } = runnerOf();
    await expect(runner.run(UNDONE, never())).rejects.toThrow('the database is away');
    expect(starts()).toBe(1);
  });

  it.each([
    ['late', new Error('too long')],
    ['taken', new JobTaken()],
  ])('are told that they are %s', async (reason, cause) => {
    const { runner } = runnerOf();
    await runner.run(GOOD, never());
    const stopping = new AbortController();
    const running = runner.run(ENDLESS, stopping.signal);
    stopping.abort(cause);
    await expect(running).rejects.toThrow(reason);
  });

  it('are told to stop also when that was said while their process was starting', async () => {
    const { runner } = runnerOf();
    const stopping = new AbortController();
    const running = runner.run(ENDLESS, stopping.signal);
    stopping.abort(new JobTaken());
    await expect(running).rejects.toThrow('taken');
  });

  it('have a process that gets SIGUSR2 when its worker does, as long as it lives', async () => {
    const before = process.listenerCount('SIGUSR2');
    const { runner } = runnerOf();
    await runner.run(GOOD, never());
    process.emit('SIGUSR2', 'SIGUSR2');
    await eventually(async () => (await runner.run(HEARD, never())).agent === '1');
    await runner.close();
    expect(process.listenerCount('SIGUSR2')).toBe(before);
  });

  it('fail when no process can be started', async () => {
    const runner = createIsolatedRunner({
      giveUp: () => Promise.reject(new Error('nothing is to be given up')),
      isCurrent: () => Promise.resolve(true),
      logger: stores.logger,
      startChild: () => startIsolatedChild(path.join(__dirname, '../support/nothing-here.mjs')),
    });
    await expect(runner.run(GOOD, never())).rejects.toThrow('did not start');
    await runner.close();
  });
});

it('a job that kills its worker becomes a dead letter, the worker lives, and what was in flight beside it is done', async () => {
  const target = await startHttpTarget({ rules: { '/ask': { status: 204 } } });
  stores.onClose(() => target.close());
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const ask = (poison: string) =>
    storyOf(
      {
        Hook: ['Webhook', { path: poison, secret: 's3cret' }],
        Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', headers: { 'x-poison': poison } }],
      },
      ['Hook > Ask'],
      { name: poison, guid: (poison === 'yes' ? 'a' : 'b').repeat(32) },
    );
  for (const poison of ['yes', 'no']) {
    const { webhooks } = await fabula.importStory(ask(poison));
    await fabula.fire(webhooks['Hook']!);
  }
  const queue = queueOf(fabula, 'http-request', stores);
  await eventually(async () => (await queue.getWaitingCount()) === 2);
  // As if both had been in a worker that died, twice.
  const epoch = await createEpoch(stores.db)();
  for (const { id } of await allDeliveries(stores.db)) {
    await stores.redis.hset(queue.toKey(deliveryJobId(epoch, { deliveryId: id, generation: 0 })), 'stc', 2);
  }
  const worker = startProcess(
    'workers/http-request',
    fabulaEnvironment(stores, {
      QUEUE_PREFIX: fabula.config.queuePrefix,
      DATA_DIR: fabula.config.dataDir,
      LOG_LEVEL: 'info',
    }),
    ['--import', path.resolve(__dirname, '../chaos/preload/poison.mjs')],
  );
  stores.onClose(() => worker.stop('SIGKILL'));
  await fabula.settled(150_000);
  expect(await fabula.deadLetters()).toMatchObject([
    { error: expect.stringContaining('crashed its worker') as string },
  ]);
  expect(target.requests.map(({ headers }) => headers['x-poison'])).toEqual(['no']);
  expect(await worker.stop('SIGTERM')).toBe(0);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('an outcome that is stored sets the count of lost jobs back', async () => {
  const [delivery] = await storeDeliveries(stores.db, 1);
  await stores.sql('UPDATE deliveries SET losses = 9');
  await recordingWriter(stores.db).writer.submit(undone(delivery!, 'retry'));
  expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'waiting', losses: 0 }]);
});
