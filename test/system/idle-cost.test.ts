import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type PrivateStores, startPrivateStores } from '../support/private-stores.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const shared = useStores();
const PROCESSES = 3;
/** The most that three processes may cost the stores each second: about twice of what they do. */
const MOST = { statements: 10, commands: 70 };
const WINDOW_MS = 8_000;
const PATIENCE_MS = 150_000;
const RUNS = 60;

const story = storyOf(
  {
    Hook: ['Webhook', { path: 'idle', secret: 's3cret', verbs: 'post' }],
    Exit: ['EventTransformation', { mode: 'message_only', payload: { said: 'yes' } }],
  },
  ['Hook > Exit'],
);

/** All statements that MySQL, and all commands that Redis has had, those of scripts included. */
async function counted({ db, redis }: PrivateStores) {
  const [questions] = await db.read((session) =>
    session.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Questions'"),
  );
  const stats = await redis.info('commandstats');
  const commands = [...stats.matchAll(/^cmdstat_[^:]+:calls=(\d+)/gm)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
  return { statements: Number(questions?.Value), commands, at: performance.now() };
}

async function costOf(stores: PrivateStores): Promise<{ statements: number; commands: number }> {
  const before = await counted(stores);
  await sleep(WINDOW_MS);
  const after = await counted(stores);
  const seconds = (after.at - before.at) / 1000;
  return {
    statements: (after.statements - before.statements) / seconds,
    commands: (after.commands - before.commands) / seconds,
  };
}

test('three worker processes cost the stores hardly more than one, also after a load has passed', async () => {
  const stores = await startPrivateStores(shared, { database: true, redis: true });
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const { webhooks } = await fabula.importStory(story);
  const env = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    LOG_LEVEL: 'info',
  });
  const processes = Array.from({ length: PROCESSES }, () => startProcess('workers/all', env));
  for (const one of processes) stores.onClose(() => one.stop('SIGKILL'));
  await Promise.all(processes.map((one) => one.said('worker is running')));
  await Promise.all(Array.from({ length: RUNS }, () => fabula.fire(webhooks['Hook']!)));
  await fabula.settled(60_000);

  const seen: unknown[] = [];
  await eventually(async () => {
    const cost = await costOf(stores);
    seen.push(cost);
    return cost.statements <= MOST.statements && cost.commands <= MOST.commands;
  }, PATIENCE_MS).catch((error: unknown) => {
    throw new Error(`Idle processes cost too much: ${JSON.stringify(seen)}`, { cause: error });
  });

  // One of them is the leader of both kinds of work. A process that has only a part of the work leads that part.
  expect(await stores.redis.keys(`${env['QUEUE_PREFIX']}:duty:*`)).toHaveLength(2);
  for (const one of processes) await one.stop('SIGKILL');
  const part = startProcess('workers/all', { ...env, WORKER_QUEUES: 'event-transformation,maintenance' });
  stores.onClose(() => part.stop('SIGKILL'));
  await part.said('"queues":["event-transformation"]');
  await fabula.fire(webhooks['Hook']!);
  await fabula.settled(60_000);
  expect(await part.stop('SIGTERM')).toBe(0);
});
