import { METRICS } from '../../src/app/metrics/metric-list.js';
import type { Metric } from '../../src/platform/metrics/metric.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type Figures, figuresIn } from '../support/metric-text.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const TOKEN = 'of-sixteen-letters';
const stores = useStores();
let target: HttpTarget;
let fabula: TestFabula;
let children: FabulaProcess[] = [];

beforeAll(async () => {
  target = await startHttpTarget({
    rules: { '/ok': { body: 'fine' }, '/wrong': { status: 400 }, '/down': { reset: true } },
  });
  stores.onClose(() => target.close());
});
beforeEach(async () => {
  fabula = await startFabula(stores, { queues: [], relay: false });
});
afterEach(async () => {
  // All tests share a database: the relay of a process that is left would take the work of the next test.
  await Promise.all(children.map((child) => child.stop('SIGKILL')));
  children = [];
  await fabula.close();
});

/** Starts a real process; its figures are read with the token. */
async function started(file: string, message: string, env: NodeJS.ProcessEnv = {}) {
  const { queuePrefix, dataDir } = fabula.config;
  const child = startProcess(
    file,
    fabulaEnvironment(stores, {
      QUEUE_PREFIX: queuePrefix,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      METRICS_TOKEN: TOKEN,
      METRICS_PORT: '0',
      ...env,
    }),
  );
  children.push(child);
  await child.said(message);
  await child.said('metrics are served');
  const port = Number(lineOf(child, 'metrics are served')['port']);
  const url = `http://127.0.0.1:${port}/metrics`;
  const figures = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    if (response.status !== 200) throw new Error(`metrics: ${response.status}`);
    return await response.text();
  };
  return { child, port, url, figures };
}

function lineOf(child: FabulaProcess, message: string): Record<string, unknown> {
  const lines = child
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return parsed.find((line) => line['message'] === message) ?? {};
}

function portOf(child: FabulaProcess): number {
  return (lineOf(child, 'web is listening')['address'] as { port: number }).port;
}

const count = async (sql: string) =>
  Number((await stores.db.read((session) => session.rows<{ n: number }>(sql)))[0]?.n);

/** Each run: a hook, a transformation, and a trigger that lets only some pass; then a request that ends in one of three ways. */
const mixed = () =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Copy: says({ n: '=hook.body.n', path: '=hook.body.path' }),
      Choose: ['Trigger', { rules: [{ type: 'field>value', value: '0', path: '<<copy.n>>' }] }],
      Ask: [
        'HTTPRequest',
        { url: `${target.url}/<<copy.path>>`, method: 'get', fail_on_status: ['400', '0'] },
      ],
    },
    ['Hook > Copy > Choose > Ask'],
  );

/** The calls that are sent, by their number. */
const CALLS = [
  { calls: 7, body: { n: 0, path: 'ok' } },
  { calls: 5, body: { n: 1, path: 'ok' } },
  { calls: 3, body: { n: 1, path: 'wrong' } },
];

test('the figures of two processes are what the tables say', async () => {
  const { webhooks, id } = await fabula.importStory(mixed());
  const web = await started('web', 'web is listening');
  const worker = await started('workers/all', 'worker is running', { METRICS_STORY_LABEL: '1' });
  const url = `http://127.0.0.1:${portOf(web.child)}`;
  const address = webhooks['Hook']!;
  const fire = (path: string, body: unknown) =>
    fetch(`${url}/webhook/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  for (const { calls, body } of CALLS) {
    for (let call = 0; call < calls; call += 1) expect((await fire(address, body)).status).toBe(201);
  }
  expect((await fire(`${address}x`, {})).status).toBe(401);
  expect((await fire('nobody/knows', {})).status).toBe(404);
  expect((await fire(address, '{"n": ')).status).toBe(400);
  const key = { 'x-user-token': fabula.account.key };
  expect((await fetch(`${url}/api/v1/stories/${id}`, { headers: key })).status).toBe(200);
  expect((await fetch(`${url}/api/v1/stories/${id + 999}`, { headers: key })).status).toBe(404);
  // The public port has no figures.
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  await fabula.settled(60_000);
  const figures = await eventually(async () => {
    const read = figuresIn(await web.figures(), await worker.figures());
    const isDone =
      read.sum('fabula_actions_total', { type: 'http_request' }) === 8 &&
      read.sum('fabula_runs_ended_total') === 15 &&
      read.sum('fabula_dead_letters') === 3;
    return isDone && read;
  });

  const runs = await count('SELECT COUNT(*) AS n FROM story_runs');
  expect(runs).toBe(15);
  expect(figures.sum('fabula_runs_started_total', { source: 'webhook', role: 'web' })).toBe(runs);
  expect(figures.sum('fabula_runs_ended_total', { role: 'all' })).toBe(runs);
  expect(figures.sum('fabula_run_seconds_count')).toBe(runs);
  const calls = (outcome: string) => figures.sum('fabula_webhook_calls_total', { outcome });
  expect(['stored', 'unauthorized', 'not_found', 'bad_request', 'failed'].map(calls)).toEqual([
    runs,
    1,
    1,
    1,
    undefined,
  ]);
  expect(figures.sum('fabula_webhook_store_seconds_count', { outcome: 'stored' })).toBe(runs);

  const eventsOf = (name: string) =>
    count(`SELECT COUNT(*) AS n FROM events e JOIN agents a ON a.id = e.agent_id WHERE a.name = '${name}'`);
  const actions = (type: string, outcome: string) =>
    figures.sum('fabula_actions_total', { type, outcome, role: 'all' });
  expect(actions('event_transformation', 'event')).toBe(await eventsOf('Copy'));
  expect(actions('trigger', 'event')).toBe(await eventsOf('Choose'));
  expect(actions('trigger', 'none')).toBe(7);
  expect(actions('http_request', 'event')).toBe(await eventsOf('Ask'));
  expect(actions('http_request', 'dead')).toBe((await fabula.deadLetters()).length);
  expect(actions('http_request', 'dead')).toBe(3);
  expect(figures.sum('fabula_action_work_seconds_count')).toBe(15 + 15 + 8);
  expect(figures.sum('fabula_action_queue_seconds_count')).toBe(15 + 15 + 8);
  expect(figures.sum('fabula_story_actions_total', { story: String(id) })).toBe(15 + 15 + 8);
  expect(figures.sum('fabula_http_requests_total', { class: '2xx' })).toBe(5);
  expect(figures.sum('fabula_http_requests_total', { class: '4xx' })).toBe(3);

  expect(figures.sum('fabula_batch_items_sum', { writer: 'run starts' })).toBe(runs);
  expect(figures.sum('fabula_batch_items_sum', { writer: 'outcomes' })).toBe(15 + 15 + 8);
  const route = (labels: Record<string, string>) => figures.sum('fabula_api_calls_total', labels);
  expect(route({ method: 'GET', route: '/api/v1/stories/:id', class: '2xx' })).toBe(1);
  expect(route({ method: 'GET', route: '/api/v1/stories/:id', class: '4xx' })).toBe(1);
  const told = await worker.figures();
  const untold = Object.values<Metric>(METRICS).filter(
    ({ name, kind }) => !told.includes(`# TYPE ${name} ${kind}\n`),
  );
  expect(untold).toEqual([]);
  for (const state of ['pending', 'waiting', 'held', 'parked']) {
    const counted = await count(`SELECT COUNT(*) AS n FROM deliveries WHERE state = '${state}'`);
    expect([state, figures.sum('fabula_deliveries', { state, role: 'all' })]).toEqual([state, counted]);
  }
  // One process says it for the whole installation.
  expect(figures.sum('fabula_dead_letters', { role: 'web' })).toBeUndefined();
  expectHealthyProcess(figures, 'web');
  expectHealthyProcess(figures, 'all');
});

/** Checks what every process exports of itself. */
function expectHealthyProcess(figures: Figures, role: string): void {
  const of = (name: string, labels = {}) => figures.sum(name, { role, ...labels });
  expect(of('fabula_build_info')).toBe(1);
  expect(of('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(of('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(of('fabula_event_loop_active_seconds_total')).toBeGreaterThan(0);
  expect(of('fabula_pool_connections_limit', { pool: 'shared' })).toBe(8);
  expect(of('fabula_pool_connections', { pool: 'group_commit' })).toBeGreaterThan(0);
  expect(of('fabula_pool_waiting')).toBe(0);
  expect(of('fabula_store_up')).toBe(2);
  expect(of('fabula_store_answer_seconds', { store: 'mysql' })).toBeGreaterThan(0);
}

test('what waits is told by the process of maintenance', async () => {
  const { webhooks } = await fabula.importStory(mixed());
  for (let n = 0; n < 4; n += 1) await fabula.fire(webhooks['Hook']!, { n: 0, path: 'ok' });
  await stores.sql(
    `INSERT INTO schedules (story_id, agent_id, cron, timezone, next_at)
     VALUES (1, 1, '* * * * *', 'UTC', NOW(3) + INTERVAL 1 DAY)`,
  );
  const maintenance = await started('workers/maintenance', 'worker is running');
  const figures = await eventually(async () => {
    const read = figuresIn(await maintenance.figures());
    return read.sum('fabula_queue_jobs', { queue: 'event-transformation', state: 'waiting' }) === 4 && read;
  }, 60_000);
  expect(figures.sum('fabula_queue_oldest_seconds', { queue: 'event-transformation' })).toBeGreaterThan(0);
  expect(figures.sum('fabula_queue_oldest_seconds', { queue: 'trigger' })).toBe(0);
  expect(figures.sum('fabula_deliveries', { state: 'pending' })).toBe(4);
  expect(figures.sum('fabula_spool_bytes')).toBe(0);
  expect(figures.sum('fabula_spool_limit_bytes')).toBeGreaterThan(0);
  expect(figures.sum('fabula_schedule_lag_seconds')).toBe(0);
  expect(figures.sum('fabula_relay_lag_seconds')).toBe(0);
  expect(figures.sum('fabula_reading_failures_total')).toBeUndefined();
  await eventually(async () => {
    const read = figuresIn(await maintenance.figures());
    return (read.sum('fabula_retention_finished_timestamp_seconds') ?? 0) > 1_700_000_000;
  }, 60_000);
});

test('of two workers only the leader reads the stores, and the other does when that has ended', async () => {
  const both = [
    await started('workers/all', 'worker is running'),
    await started('workers/all', 'worker is running'),
  ];
  const tells = async (worker: (typeof both)[number]) =>
    figuresIn(await worker.figures()).sum('fabula_relay_lag_seconds') !== undefined;
  const [onDuty, other] = await eventually(async () => {
    const told = [await tells(both[0]!), await tells(both[1]!)];
    return told.filter(Boolean).length === 1 && (told[0] ? both : both.toReversed());
  }, 60_000);
  const own = figuresIn(await other!.figures());
  expect(own.sum('fabula_queue_jobs')).toBeUndefined();
  expect(own.sum('fabula_deliveries')).toBeUndefined();
  expect(own.sum('fabula_store_up')).toBe(2);
  await onDuty!.child.stop('SIGKILL');
  await eventually(() => tells(other!), 60_000);
});

test('a failed attempt that is tried again is a retry, and no end', async () => {
  const { webhooks } = await fabula.importStory(
    storyOf(
      { Hook: ['Webhook', {}], Ask: ['HTTPRequest', { url: `${target.url}/down`, fail_on_status: ['0'] }] },
      ['Hook > Ask'],
    ),
  );
  const worker = await started('workers/all', 'worker is running', { MAX_ATTEMPTS: '2' });
  await fabula.fire(webhooks['Hook']!);
  await eventually(async () => (await fabula.deadLetters()).length === 1, 60_000);
  const figures = await eventually(async () => {
    const read = figuresIn(await worker.figures());
    return read.sum('fabula_actions_total', { outcome: 'dead' }) === 1 && read;
  });
  const [letter] = await fabula.deadLetters();
  expect(figures.sum('fabula_actions_total', { outcome: 'retry' })).toBe(letter!.attempts - 1);
  expect(figures.sum('fabula_actions_total')).toBe(letter!.attempts);
  expect(figures.sum('fabula_relay_requeued_total')).toBe(1);
  expect(figures.sum('fabula_http_requests_total', { class: 'no_response' })).toBe(2);
});

test('processes with one setting take ports beside each other, and a token is needed', async () => {
  const first = await started('workers/trigger', 'worker is running');
  const shared = { METRICS_PORT: String(first.port) };
  const second = await started('workers/email', 'worker is running', shared);
  expect(second.port).toBeGreaterThan(first.port);
  expect(second.port).toBeLessThan(first.port + 32);
  expect((await fetch(second.url)).status).toBe(401);
  const figures = figuresIn(await first.figures(), await second.figures());
  expect(figures.sum('fabula_build_info', { role: 'trigger' })).toBe(1);
  expect(figures.sum('fabula_build_info', { role: 'email' })).toBe(1);
  expect(figures.sum('fabula_slots', { queue: 'trigger', role: 'trigger' })).toBeGreaterThan(0);
  expect(figures.sum('fabula_slots_used', { role: 'email' })).toBe(0);

  expect(await first.child.stop('SIGTERM')).toBe(0);
  await expect(fetch(first.url)).rejects.toThrow();
  expect(await second.child.stop('SIGTERM')).toBe(0);
});

test('with METRICS=off nothing is served', async () => {
  const { queuePrefix, dataDir } = fabula.config;
  const env = { QUEUE_PREFIX: queuePrefix, DATA_DIR: dataDir, LOG_LEVEL: 'info', METRICS: 'off' };
  const child = startProcess('workers/trigger', fabulaEnvironment(stores, env));
  children.push(child);
  await child.said('worker is running');
  expect(await child.stop('SIGTERM')).toBe(0);
  expect(child.output()).not.toContain('metrics');
});
