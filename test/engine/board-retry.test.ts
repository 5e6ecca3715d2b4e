import type { Queue } from 'bullmq';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { createDeadLetterService } from '../../src/observe/dead-letters/dead-letter-service.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();
const PASSWORD = 'correct horse';
const admin = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
let fabula: TestFabula;
let target: HttpTarget;
let queue: Queue;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
});

afterEach(async () => {
  await fabula.close();
  await target.close();
});

async function start(options: Parameters<typeof startFabula>[1] = {}) {
  const env = { MAX_ATTEMPTS: '1', ADMIN_USER: 'admin', ADMIN_PASSWORD: PASSWORD, ADMIN_BOARD_WRITE: 'true' };
  fabula = await startFabula(stores, { ...options, env });
  queue = queueOf(fabula, 'http-request', stores);
  const story = storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', fail_on_status: ['500'] }],
      After: says({ status: '=ask.status' }),
    },
    ['Hook > Ask > After'],
  );
  const { webhooks } = await fabula.importStory(story);
  return () => fabula.fire(webhooks['Hook']!);
}

/** A button of the board. */
async function press(path: string): Promise<void> {
  const response = await fetch(`${fabula.adminUrl}/admin/queues/api/queues/http-request/${path}`, {
    method: 'PUT',
    headers: admin,
  });
  expect([path, response.status < 300]).toEqual([path, true]);
}

const jobs = async (state: 'failed' | 'waiting') =>
  (await queue.getJobs([state])).map((job) => String(job.id));
const failedJobs = (count: number) =>
  eventually(async () => {
    const ids = await jobs('failed');
    return ids.length === count && ids;
  });
const doneAfter = async () => (await fabula.events()).filter(({ agent }) => agent === 'After').length;
const mend = () => target.on('/ask', { body: 'fine' });

it('retry sends the dead letter again, with the same action, once, however often it is pressed', async () => {
  const fire = await start();
  await fire();
  const [id] = (await failedJobs(1)) as [string];
  mend();
  await press(`${id}/retry`);
  await eventually(async () => (await doneAfter()) === 1);
  await fabula.settled();
  expect(await fabula.deadLetters()).toEqual([]);
  const keys = target.requests.map(({ headers }) => headers['idempotency-key']!);
  expect(keys).toEqual([expect.stringMatching(/-0$/), keys[0]!.replace(/-0$/, '-1')]);
  // The old job says what became of it, and leads nowhere any more.
  await eventually(async () => (await queue.getJob(id))?.returnvalue?.outcome === 'sent again');
  await press(`${id}/retry`);
  await eventually(async () => (await queue.getJob(id))?.returnvalue?.outcome === 'gone');
  expect(target.requests).toHaveLength(2);
});

it('retry of a job that fails again leaves a new failed job, which can be retried', async () => {
  const fire = await start();
  await fire();
  const [first] = (await failedJobs(1)) as [string];
  await press(`${first}/retry`);
  const [second] = (await eventually(async () => {
    const ids = await jobs('failed');
    return ids.length === 1 && ids[0] !== first && ids;
  })) as [string];
  expect(await fabula.deadLetters()).toHaveLength(1);
  mend();
  await press(`${second}/retry`);
  await eventually(async () => (await doneAfter()) === 1);
});

it('retry all sends every dead letter of the queue again', async () => {
  const fire = await start();
  for (let n = 0; n < 5; n++) await fire();
  await failedJobs(5);
  mend();
  await press('retry/failed');
  await eventually(async () => (await doneAfter()) === 5);
  await fabula.settled();
  expect(target.requests).toHaveLength(10);
});

it('a dead letter that was sent again or dropped elsewhere leaves no failed job', async () => {
  const fire = await start();
  for (let n = 0; n < 4; n++) await fire();
  await failedJobs(4);
  const letters = (await call(fabula, 'GET /api/v1/dead_letters')).body.dead_letters as { id: number }[];
  const [retried, dropped] = letters;
  await fabula.api('DELETE', `/api/v1/dead_letters/${dropped!.id}`);
  await failedJobs(3);
  await call(fabula, `POST /api/v1/dead_letters/${retried!.id}/retry`);
  await eventually(() => target.requests.length === 5);
  // It failed again: the board counts it once.
  await fabula.settled();
  await failedJobs(3);
  mend();
  await call(fabula, 'POST /api/v1/dead_letters/retry', { body: { all: true } });
  await fabula.settled();
  await failedJobs(0);
  expect(await fabula.deadLetters()).toEqual([]);
});

it('retry does nothing for a dead letter that was sent again or dropped by the command line, or whose run was cancelled', async () => {
  const fire = await start();
  for (let n = 0; n < 3; n++) await fire();
  const ids = await failedJobs(3);
  const letters = (await call(fabula, 'GET /api/v1/dead_letters')).body.dead_letters as {
    id: number;
    story_id: number;
    story_run_guid: string;
  }[];
  const [retried, dropped, cancelled] = letters as [
    (typeof letters)[0],
    (typeof letters)[0],
    (typeof letters)[0],
  ];
  // The command line has no Redis.
  const service = createDeadLetterService({ database: stores.db });
  const { actor } = fabula.account;
  await service.retry(actor, retried.id);
  await eventually(() => target.requests.length === 4);
  await service.drop(actor, dropped.id);
  await call(fabula, `POST /api/v1/stories/${cancelled.story_id}/runs/${cancelled.story_run_guid}/cancel`);
  await fabula.settled();
  mend();
  for (const id of ids) await press(`${id}/retry`);
  for (const id of ids)
    await eventually(async () => (await queue.getJob(id))?.returnvalue?.outcome === 'gone');
  expect(target.requests).toHaveLength(4);
  expect((await fabula.deadLetters()).map(({ id }) => id)).toEqual(
    [cancelled.id, retried.id].toSorted((a, b) => a - b),
  );
});

it('removing, emptying and cleaning jobs loses no work: the relay adds them again', async () => {
  mend();
  // Nobody works on the queue: its jobs wait.
  const fire = await start({ queues: [] });
  for (let n = 0; n < 3; n++) await fire();
  const ids = await eventually(async () => {
    const waiting = await jobs('waiting');
    return waiting.length === 3 && waiting;
  });
  await press(`${ids[0]}/clean`);
  await press('empty');
  expect(await jobs('waiting')).toEqual([]);
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
  const again = await eventually(async () => {
    const waiting = await jobs('waiting');
    return waiting.length === 3 && waiting;
  });
  expect(again.some((id) => ids.includes(id))).toBe(false);
});

it('removing a failed job leaves its dead letter', async () => {
  const fire = await start();
  await fire();
  const [id] = (await failedJobs(1)) as [string];
  await press(`${id}/clean`);
  expect(await jobs('failed')).toEqual([]);
  expect(await fabula.deadLetters()).toHaveLength(1);
});
