import type { Job, Queue } from 'bullmq';
import { createBoardDeliveries } from '../../src/web/admin/board/board-deliveries.js';
import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { ADMIN_BASIC, ADMIN_PASSWORD, ADMIN_USER } from '../support/admin-account.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let fabula: TestFabula;
let target: HttpTarget;

interface BoardJob {
  id: string;
  name: string;
  attempts: number;
  failedReason?: string;
  externalUrl: { href: string };
}

interface BoardQueue {
  name: string;
  counts: Record<string, number>;
  jobs: BoardJob[];
}

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/busy': { status: 503 } } });
  // Without the relay, deliveries that wait for a retry go on waiting.
  fabula = await startFabula(stores, {
    relay: false,
    env: { ADMIN_USER, ADMIN_PASSWORD, ADMIN_PORT: '0', ADMIN_BOARD_WRITE: 'true' },
  });
});

afterEach(async () => {
  await fabula.close();
  await target.close();
});

/** Fails at once, whatever it receives. */
const FAILS: ShortAgent = ['EventTransformation', { mode: 'delay' }];
const asks = (path: string, options: JsonObject): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}${path}`, method: 'get', ...options },
];

/** The path to which a job's link leads from the board's page. */
const pathOf = ({ externalUrl }: BoardJob) => {
  const { pathname, search } = new URL(externalUrl.href, `${fabula.adminUrl}/admin/queues/`);
  return pathname + search;
};

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${fabula.adminUrl}${path}`, { ...init, headers: { ...ADMIN_BASIC, Accept: 'text/html' } });

async function queue(name: string, status: string, page = 1): Promise<BoardQueue> {
  const response = await ask(
    `/admin/queues/api/queues?activeQueue=${name}&status=${status}&page=${page}&jobsPerPage=10`,
  );
  const { queues } = (await response.json()) as { queues: BoardQueue[] };
  return queues.find((found) => found.name === name)!;
}

async function start(...actions: [name: string, agent: ShortAgent][]) {
  const names = ['Hook', ...actions.map(([name]) => name)];
  const story = storyOf({ Hook: HOOK, ...Object.fromEntries(actions) }, [names.join(' > ')]);
  const { webhooks, name } = await fabula.importStory(story);
  expect((await fabula.fire(webhooks['Hook']!, { n: 1, list: [1, 2] })).status).toBe(201);
  return name;
}

test('a completed job has the names of its story and action, and leads to its run', async () => {
  const story = await start(['Say it', ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }]]);
  await fabula.settled();
  const { jobs } = await eventually(async () => {
    const found = await queue('event-transformation', 'completed');
    return found.jobs.length > 0 && found;
  });
  expect(jobs[0]!.name).toBe(`${story} · Say it`);
  const page = await ask(pathOf(jobs[0]!));
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain(`<dd>${story} (`);
  expect(html).toContain('<dt>State</dt><dd>completed</dd>');
  expect(html).toMatch(/<td>Hook<\/td>[^]*<td>Say it<\/td>/);
});

test('a request that is tried again is shown as delayed with its error, never as completed', async () => {
  const story = await start(['Ask', asks('/busy', { fail_on_status: true })]);
  const { jobs } = await eventually(async () => {
    const found = await queue('http-request', 'delayed');
    return found.jobs.length > 0 && found.counts['delayed'] === 1 && found;
  });
  const name = `${story} · Ask (attempt 1 failed, will be retried)`;
  expect(jobs[0]).toMatchObject({ name, attempts: 1 });
  expect(jobs[0]!.failedReason).toContain('503');
  expect((await queue('http-request', 'completed')).jobs).toEqual([]);
  const latest = await queue('http-request', 'latest');
  expect(latest.jobs.map(({ id }) => id)).toContain(jobs[0]!.id);
  const page = await (await ask(pathOf(jobs[0]!))).text();
  expect(page).toContain('<h2>Open</h2>');
  expect(page).toContain('503');

  const one = await ask(`/admin/queues/api/queues/http-request/${jobs[0]!.id}`);
  expect(await one.json()).toMatchObject({ job: { id: jobs[0]!.id }, status: 'delayed' });
  const promoted = await ask(`/admin/queues/api/queues/http-request/${jobs[0]!.id}/promote`, {
    method: 'PUT',
  });
  expect(promoted.status).toBe(400);
});

test('a dead letter has its names and its error', async () => {
  const story = await start(['Refused', FAILS]);
  const failed = await eventually(async () => {
    const found = await queue('event-transformation', 'failed');
    return found.jobs.length > 0 && found;
  });
  expect(failed.jobs[0]!.name).toBe(`${story} · Refused (dead letter)`);
  expect(await (await ask(pathOf(failed.jobs[0]!))).text()).toContain('<h2>Dead letters</h2>');
});

test('a member of a group stands among jobs that wait for others', async () => {
  const story = await start([
    'Join',
    ['EventTransformation', { mode: 'implode', item_path: '=hook.n', guid_path: 'g', size_path: 2 }],
  ]);
  const { jobs } = await eventually(async () => {
    const found = await queue('event-transformation', 'waiting-children');
    return found.jobs.length === 1 && found;
  });
  expect(jobs[0]!.name).toBe(`${story} · Join (waiting for its group or for the story it called)`);
});

test.each(['/admin/runs/nothing', '/admin/runs?delivery=99', '/admin/runs?delivery=x'])(
  '%s says that there is no such run',
  async (path) => {
    const response = await ask(path);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No such run')]);
  },
);

test('without the administrator’s account no run is shown', async () => {
  const response = await fetch(`${fabula.adminUrl}/admin/runs/nothing`);
  expect(response.status).toBe(401);
});

test('a run of 5,000 events is shown page by page, each event once', async () => {
  await start(['Say it', ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }]]);
  await fabula.settled();
  const [run] = await stores.db.read((session) =>
    session.rows<{ guid: string; storyId: number; agentId: number }>(
      'SELECT story_run_guid AS guid, story_id AS storyId, agent_id AS agentId FROM events ORDER BY id DESC LIMIT 1',
    ),
  );
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage)
     SELECT ?, ?, ?, '{}', '{}' FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
    [run!.guid, run!.storyId, run!.agentId, JSON.stringify(Array.from({ length: 4_998 }, (_, n) => n))],
  );
  const seen: string[] = [];
  let next: string | undefined = `/admin/runs/${run!.guid}`;
  let pages = 0;
  while (next !== undefined) {
    const html: string = await (await ask(next)).text();
    const ids = [...html.matchAll(/<td>(\d+)<\/td><\/tr>/g)].map(([, id = '']) => id);
    expect(ids.length).toBeLessThanOrEqual(200);
    expect(html.includes('>First events</a>')).toBe(pages > 0);
    seen.push(...ids);
    pages += 1;
    [, next] = /<a href="([^"]+)">Next events<\/a>/.exec(html) ?? [];
  }
  expect([pages, seen.length, new Set(seen).size]).toEqual([25, 5_000, 5_000]);
  const odd = await (await ask(`/admin/runs/${run!.guid}?after=-1`)).text();
  expect(odd).toContain('The first 200 of 5000.');
});

test('pages of deliveries without a job follow on one another', async () => {
  await stores.db.transaction(async (session) => {
    const rows = Array.from({ length: 25 }, (_, index) => [
      '00000000-0000-7000-8000-000000000001',
      1,
      1,
      1,
      'email',
      'waiting',
      1,
      `2030-01-01 00:00:${String(index).padStart(2, '0')}`,
    ]);
    await session.run(
      'INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, state, depth, due_at) VALUES ?',
      [rows] as never,
    );
  });
  const pages = await Promise.all([1, 2, 3].map((page) => queue('email', 'delayed', page)));
  expect(pages.map(({ jobs }) => jobs.length)).toEqual([10, 10, 5]);
  expect(new Set(pages.flatMap(({ jobs }) => jobs.map(({ id }) => id))).size).toBe(25);
  expect(pages[0]!.counts['delayed']).toBe(25);
  expect(pages[0]!.jobs[0]!.name).toBe('deleted story · deleted action (sleeps)');
});

test('a delivery whose story has its share of jobs is shown as held', async () => {
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, state, depth, due_at)
     VALUES ('00000000-0000-7000-8000-000000000001', 1, 1, 1, 'email', 'held', 1, NOW(3))`,
  );
  const { jobs } = await queue('email', 'delayed');
  expect(jobs.map(({ name }) => name)).toEqual([
    'deleted story · deleted action (held: its story has used its share of jobs)',
  ]);
});

test('while MySQL is away, jobs are shown without names, and no deliveries beside them', async () => {
  const board = createBoardDeliveries({
    database: { read: () => Promise.reject(new Error('away')) },
    logger: stores.logger,
  });
  const job = { name: 'delivery', data: { deliveryId: 1, generation: 0 } } as Job;
  await board.name([job]);
  expect(job.name).toBe('delivery');
  expect(await board.count('email', ['waiting'])).toBe(0);
  const page = { states: ['waiting' as const], offset: 0, limit: 10 };
  expect(await board.list({ name: 'email' } as Queue, page)).toEqual([]);
});
