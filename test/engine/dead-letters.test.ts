import type { Account } from '../support/builders.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { places, TIME } from '../support/manage-api.js';
import { agentIds, call, type RunResponse, runsOf, says } from '../support/run-api.js';
import { runCli } from '../support/run-cli.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { queueNamed } from '../support/queue-named.js';
import { useFabulaHere } from '../support/use-fabula-here.js';

const stores = useStores();
const fabula = useFabulaHere(stores, { env: { MAX_ATTEMPTS: '1' } });
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
});

afterEach(() => target.close());

const asking = (overrides = {}) =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'post', fail_on_status: ['500'] }],
      After: says({ n: '=hook.body.n', status: '=ask.status' }),
    },
    ['Hook > Ask > After'],
    overrides,
  );

interface Letter {
  id: number;
  story_id: number;
  story_run_guid: string;
  retries: number;
  attempts: number;
  error: string;
}

/** Imports the story and fires its webhook for each number; all end as dead letters. */
async function failed(numbers: number[], data = asking()) {
  const story = await fabula.importStory(data);
  const before = (await fabula.deadLetters()).length;
  const guids: string[] = [];
  for (const n of numbers) {
    const response = await fabula.fire(story.webhooks['Hook']!, { n });
    guids.push(response.headers.get('x-service-story-run')!);
  }
  await eventually(async () => (await fabula.deadLetters()).length === before + numbers.length);
  return { ...story, guids };
}

const list = async (query = '', as?: Account): Promise<Letter[]> =>
  (await call(fabula, `GET /api/v1/dead_letters${query}`, as === undefined ? {} : { as })).body.dead_letters;
const post = (path: string, body?: object, as?: Account) =>
  call(fabula, `POST /api/v1/dead_letters${path}`, { body: body as never, ...(as && { as }) });
const drop = (id: number) => fabula.api('DELETE', `/api/v1/dead_letters/${id}`);
const mend = () => target.on('/ask', { body: 'fine' });
const eventsOf = async (name: string) => (await fabula.events()).filter(({ agent }) => agent === name);

const count = async (query: string) => (await list(`?${query}`)).length;
const states = () =>
  stores.db.read((session) =>
    session.rows<{ id: number; state: string }>('SELECT id, state FROM deliveries'),
  );
const cli = (...args: string[]) =>
  runCli(['dead-letters', ...args], {
    env: {
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: 'redis://127.0.0.1:1',
      DATA_DIR: fabula.config.dataDir,
    },
  });
const here = () => ['--tenant', String(fabula.account.tenantId)];
const json = async (...args: string[]) => {
  const { code, out, err } = await cli(...args, ...here(), '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};

const said = async (...args: string[]) => (await cli(...args, ...here())).err;

describe('the list of dead letters', () => {
  it('shows what failed for good, newest first, with the error, the attempts and the time', async () => {
    const { id, guids } = await failed([1, 2]);
    const { Ask } = await agentIds(fabula, id);
    const { body } = await call(fabula, 'GET /api/v1/dead_letters');
    const letter = (guid: string, index: number) => ({
      id: expect.any(Number),
      team_id: fabula.account.team.id,
      story_id: id,
      story_name: 'Story',
      agent_id: Ask,
      agent_name: 'Ask',
      story_run_guid: guid,
      subject: `n: ${index + 1}`,
      event_id: expect.any(Number),
      attempts: 1,
      retries: 0,
      error: expect.stringContaining('500'),
      error_kind: '<address> answered 500',
      cause: '500 · Internal Server Error',
      created_at: TIME,
      failed_at: TIME,
    });
    expect(new Set(guids).size).toBe(2);
    expect(body.dead_letters.toSorted((a: Letter, b: Letter) => a.id - b.id)).toEqual(guids.map(letter));
    expect(body.meta).toMatchObject({ count: 2, pages: 1 });
    const [newest] = body.dead_letters as Letter[];
    expect((await call(fabula, `GET /api/v1/dead_letters/${newest!.id}`)).body).toMatchObject({ ...newest });
    expect((await list('?per_page=1')).length + (await list('?per_page=1&page=2')).length).toBe(2);
  });

  it('is narrowed by team, story, action, run, error and time, together', async () => {
    const one = await failed([1]);
    const two = await failed([2, 3]);
    const { Ask, After } = await agentIds(fabula, two.id);
    expect(await count(`story_id=${one.id}`)).toBe(1);
    expect(await count(`story_id=${two.id}`)).toBe(2);
    expect(await count(`team_id=${fabula.account.team.id}`)).toBe(3);
    expect(await count(`agent_id=${Ask}`)).toBe(2);
    expect(await count(`action_id=${Ask}&agent_id=${Ask}`)).toBe(2);
    expect(await count(`agent_id=${After}`)).toBe(0);
    expect(await count(`action_id=${Ask}&agent_id=${After}`)).toBe(0);
    expect(await count(`agent_id=${Ask}&story_id=${one.id}`)).toBe(0);
    expect(await count(`story_run_guid=${two.guids[0]!.toUpperCase()}`)).toBe(1);
    expect(await count(`story_run_guid=${two.guids[0]}&story_id=${one.id}`)).toBe(0);
    expect(await count(`story_run_guid=00000000-0000-7000-8000-000000000000`)).toBe(0);
    expect(await count('error=ANSWERED 500')).toBe(3);
    expect(await count('error=%25')).toBe(0);
    expect(await count('since=2020-01-01T00:00:00Z')).toBe(3);
    expect(await count('until=2020-01-01T00:00:00Z')).toBe(0);
    await stores.sql(
      "UPDATE deliveries SET failed_at = '2021-05-05 10:00:00', due_at = '2021-05-05 10:00:20' LIMIT 1",
    );
    expect(await count('until=2021-05-05T10:00:01Z')).toBe(1);
    expect(await count('until=2021-05-05T10:00:00Z')).toBe(0);
    expect(await count('since=2021-05-05T10:00:00Z')).toBe(3);
    expect(await count('since=2021-05-05T10:00:01Z')).toBe(2);
  });

  it('shows none of a tenant to another, and refuses what cannot be read', async () => {
    const { id } = await failed([1]);
    const [letter] = await list();
    const stranger = await buildAccount(stores.db, { owner: true });
    expect(await list('', stranger)).toEqual([]);
    for (const query of [`?story_id=${id}`, `/${letter!.id}`, `?team_id=${fabula.account.team.id}`]) {
      const response = await call(fabula, `GET /api/v1/dead_letters${query}`, { as: stranger });
      expect([query, response.status]).toEqual([query, 404]);
    }
    const wrong = await call(fabula, 'GET /api/v1/dead_letters?since=x&story_id=y&nobody=1');
    expect([wrong.status, places(wrong)]).toEqual([422, ['story_id', 'since', 'nobody']]);
  });
});

describe('sending again', () => {
  it('has the action work on the same event once more, with another idempotency key', async () => {
    const { id, guids } = await failed([7]);
    const [letter] = await list();
    mend();
    const { status, body } = await post(`/${letter!.id}/retry`);
    expect([status, body]).toEqual([200, { ...letter, retries: 1 }]);
    await fabula.settled();
    expect((await eventsOf('After')).map(({ payload }) => payload)).toEqual([{ n: 7, status: 200 }]);
    expect(await list()).toEqual([]);
    const keys = target.requests.map(({ headers }) => headers['idempotency-key']!);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]!.replace(/-0$/, '-1'));
    expect((await runsOf(fabula, id)).map((run: RunResponse) => [run.guid, run.status])).toEqual([
      [guids[0], 'completed'],
    ]);
    expect((await post(`/${letter!.id}/retry`)).status).toBe(404);
  });

  it('that fails again leaves the same dead letter, with a retry more', async () => {
    await failed([1]);
    const [before] = await list();
    for (const retries of [1, 2]) {
      expect((await post(`/${before!.id}/retry`)).status).toBe(200);
      await eventually(async () => (await list())[0]?.retries === retries);
      expect(await list()).toMatchObject([{ id: before!.id, retries, attempts: 1, error: before!.error }]);
    }
  });

  it('is done once however many ask at the same moment', async () => {
    await failed([1]);
    const [letter] = await list();
    target.on('/ask', { body: 'fine', delayMs: 300 });
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, () => post(`/${letter!.id}/retry`)),
      post('/retry', { all: true }),
    ]);
    const singles = responses.slice(0, 8).filter(({ status }) => status === 200).length;
    expect(singles + responses[8]!.body.retried).toBe(1);
    await fabula.settled();
    expect(target.requests).toHaveLength(2);
    expect(await eventsOf('After')).toHaveLength(1);
  });

  it('of many takes those that the filter finds, or all', async () => {
    const one = await failed([1, 2]);
    const two = await failed([3]);
    mend();
    expect((await post('/retry', { story_id: one.id, error: 'nothing of the kind' })).body).toEqual({
      retried: 0,
      remaining: 0,
    });
    expect((await post('/retry', { story_id: one.id })).body).toEqual({ retried: 2, remaining: 0 });
    await fabula.settled();
    expect((await list()).map(({ story_run_guid: guid }) => guid)).toEqual(two.guids);
    expect((await post('/retry', { all: true })).body).toEqual({ retried: 1, remaining: 0 });
    await fabula.settled();
    expect(await eventsOf('After')).toHaveLength(3);
  });

  it('needs a filter or all, and one of them', async () => {
    const { id } = await failed([1]);
    for (const act of ['/retry', '/drop']) {
      for (const body of [{}, { all: false }, { all: true, story_id: id }, { storyid: id }]) {
        const { status } = await post(act, body);
        expect([body, status]).toEqual([body, 422]);
      }
      expect((await post(act, { story_id: 999_999 })).status).toBe(404);
    }
    expect(await list()).toHaveLength(1);
  });

  it('is refused in a run that was cancelled, which a filter passes over', async () => {
    const { id, guids } = await failed([1]);
    const [letter] = await list();
    await call(fabula, `POST /api/v1/stories/${id}/runs/${guids[0]}/cancel`);
    expect((await post(`/${letter!.id}/retry`)).status).toBe(409);
    expect((await post('/retry', { all: true })).body).toEqual({ retried: 0, remaining: 0 });
    expect((await list()).map((item) => item.retries)).toEqual([0]);
    expect((await post('/drop', { all: true })).body).toEqual({ dropped: 1, remaining: 0 });
  });

  it('is found by the relay where the job never came to Redis', async () => {
    await failed([1]);
    const [letter] = await list();
    mend();
    const add = jest
      .spyOn(queueNamed(fabula.web.core.queues, 'http-request'), 'add')
      .mockRejectedValue(new Error('away'));
    expect((await post(`/${letter!.id}/retry`)).status).toBe(200);
    await eventually(() => add.mock.calls.length > 0);
    add.mockRestore();
    expect(target.requests).toHaveLength(1);
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
    await fabula.settled();
    expect(await eventsOf('After')).toHaveLength(1);
  });

  it('in a called run gives the action that called its event after all', async () => {
    await fabula.importStory(
      storyOf(
        {
          Start: ['Webhook', {}],
          Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', fail_on_status: ['500'] }],
          Out: says({ status: '=ask.status' }),
        },
        ['Start > Ask > Out'],
        { name: 'Helper', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Out'] },
      ),
    );
    const caller = storyOf(
      {
        Hook: ['Webhook', {}],
        Call: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }],
        After: says({ got: '=call.status' }),
      },
      ['Hook > Call > After'],
      { name: 'Caller' },
    );
    await failed([1], caller);
    await fabula.settled();
    expect(await eventsOf('After')).toEqual([]);
    mend();
    expect((await post('/retry', { all: true })).body).toEqual({ retried: 1, remaining: 0 });
    await fabula.settled();
    expect((await eventsOf('After')).map(({ payload }) => payload)).toEqual([{ got: 200 }]);
  });
});

const isParked = () => eventually(async () => (await states())[0]?.state === 'parked');

describe('a member of a group that was given up', () => {
  it('waits for the rest again when it is sent again, with the full time', async () => {
    const story = await fabula.importStory(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Work: [
            'EventTransformation',
            { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', size_path: 2, timeout: 3600 },
          ],
        },
        ['Hook > Work'],
      ),
    );
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await isParked();
    await eventually(async () => {
      await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');
      await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
      await fabula.workers.loops.parkedSweeper.tick();
      return (await list()).length === 1;
    });
    expect((await post('/retry', { all: true })).body).toEqual({ retried: 1, remaining: 0 });
    await isParked();
    const items = await stores.db.read((session) =>
      session.rows<{ left: number }>(
        'SELECT TIMESTAMPDIFF(SECOND, NOW(3), expires_at) AS `left` FROM implode_items',
      ),
    );
    expect(items).toEqual([{ left: expect.any(Number) }]);
    expect(items[0]!.left).toBeGreaterThan(3_000);
    await fabula.fire(story.webhooks['Hook']!, { n: 2 });
    await fabula.settled();
    expect((await eventsOf('Work')).length).toBe(1);
  });
});

describe('dropping', () => {
  it('keeps the reason in the audit log, and refuses one that is too long', async () => {
    await failed([1, 2]);
    const [first] = await list();
    const path = `/api/v1/dead_letters/${first!.id}`;
    expect((await call(fabula, `DELETE ${path}`, { body: { reason: 'x'.repeat(501) } })).status).toBe(422);
    expect((await fabula.api('DELETE', path, { reason: 'Sent by hand ✓' })).status).toBe(204);
    expect((await post('/drop', { reason: 'no filter' })).status).toBe(422);
    expect((await post('/drop', { all: true, reason: 'A drill' })).body.dropped).toBe(1);
    const { body } = await call(fabula, 'GET /api/v1/audit_logs?target_type=dead_letter');
    expect(body.audit_logs).toMatchObject([
      { action: 'dead_letter.drop_many', reason: 'A drill' },
      { action: 'dead_letter.drop', target_id: first!.id, reason: 'Sent by hand ✓' },
    ]);
  });

  it('deletes one, or those that the filter finds, and leaves the rest', async () => {
    const one = await failed([1, 2]);
    const two = await failed([3, 4]);
    const [first] = await list(`?story_id=${one.id}`);
    expect((await drop(first!.id)).status).toBe(204);
    expect((await drop(first!.id)).status).toBe(404);
    expect(await list()).toHaveLength(3);
    expect((await post('/drop', { story_run_guid: two.guids[0] })).body).toEqual({
      dropped: 1,
      remaining: 0,
    });
    expect(new Set((await list()).map((item) => item.story_id))).toEqual(new Set([one.id, two.id]));
    expect((await post('/drop', { all: true })).body).toEqual({ dropped: 2, remaining: 0 });
    expect(await list()).toEqual([]);
    expect(await runsOf(fabula, one.id, '?status=failed')).toEqual([]);
  });

  it('takes no delivery that is under way or waits', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Sleep: ['EventTransformation', { mode: 'delay', seconds: 3600 }] }, [
        'Hook > Sleep',
      ]),
    );
    await fabula.fire(story.webhooks['Hook']!);
    await eventually(async () => (await states())[0]?.state === 'waiting');
    const [{ id }] = (await states()) as [{ id: number; state: string }];
    expect((await drop(id)).status).toBe(404);
    expect((await post(`/${id}/retry`)).status).toBe(404);
    expect((await post('/drop', { all: true })).body.dropped).toBe(0);
    expect((await post('/retry', { all: true })).body.retried).toBe(0);
    expect(await states()).toEqual([{ id, state: 'waiting' }]);
  });

  it('of more than one call takes says what is left, and each is taken once', async () => {
    const { id } = await failed([1]);
    const many = 10_050;
    const numbers = JSON.stringify(Array.from({ length: many }, (_value, index) => index));
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state, failed_at, generation)
       SELECT d.story_run_guid, d.story_id, d.agent_id, d.event_id, d.queue, d.depth,
              '2026-01-01' + INTERVAL v.n DIV 3 SECOND, 'failed', '2026-01-01' + INTERVAL v.n DIV 3 SECOND, 1
       FROM deliveries d JOIN JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
      [numbers],
    );
    expect((await post('/drop', { story_id: id })).body).toEqual({ dropped: 10_000, remaining: 51 });
    expect((await post('/drop', { story_id: id })).body).toEqual({ dropped: 51, remaining: 0 });
    expect(await list()).toEqual([]);
  });
});

describe('the command line', () => {
  it('lists, sends again and drops by the same filters, without Redis', async () => {
    const one = await failed([1, 2]);
    const two = await failed([3]);
    const listed = await json('list', '--story', String(one.id));
    expect(listed).toMatchObject({ count: 2, dead_letters: [{ story_id: one.id }, { story_id: one.id }] });
    // Only the server tells the subjects of their runs.
    const told = (await list(`?story_id=${one.id}`)).map((letter) => ({ ...letter, subject: null }));
    expect(listed.dead_letters).toEqual(told);
    const { out } = await cli('list', ...here(), '--limit', '1');
    expect(out).toMatch(/^id +failed +story +action +attempts +error\n.*Ask +1 .*500.*\n3 in total\n$/);

    mend();
    expect(await json('retry', '--run', one.guids[0]!.toUpperCase())).toEqual({ retried: 1 });
    await fabula.settled();
    const [left] = await list(`?story_id=${one.id}`);
    expect(await json('retry', String(left!.id))).toEqual({ retried: 1 });
    await fabula.settled();
    expect(await eventsOf('After')).toHaveLength(2);
    expect(await json('drop', '--all', '--reason', 'A drill ✓')).toEqual({ dropped: 1 });
    expect(await json('list')).toEqual({ count: 0, dead_letters: [] });
    expect(two.guids).toHaveLength(1);
    const { body } = await call(fabula, 'GET /api/v1/audit_logs');
    const entries = body.audit_logs as { action: string; path: string; reason: string | null }[];
    const actions = entries.map(({ action, path, reason }) => [action, path, reason]);
    expect(actions.slice(0, 3)).toEqual([
      ['dead_letter.drop', 'fabula dead-letters drop', 'A drill ✓'],
      ['dead_letter.retry', 'fabula dead-letters retry', null],
      ['dead_letter.retry', 'fabula dead-letters retry', null],
    ]);
  });

  it('says what is wrong, and does nothing then', async () => {
    await failed([1]);
    const [letter] = await list();
    expect(await said('retry')).toContain('specify ids, a filter such as --story, or --all');
    expect(await said('drop', '--all', '--story', '1')).toContain('specify ids, a filter');
    expect(await said('drop', String(letter!.id), '--all')).toContain('specify ids, a filter');
    expect(await said('drop', '999999')).toContain('999999: Dead letter not found');
    expect(await said('drop', 'x')).toContain('"x" is not a positive integer');
    expect(await said('list', '--since', 'yesterday')).toContain('expected a time');
    expect(await said('drop', '--all', '--reason', 'x'.repeat(501))).toContain('1 to 500 characters');
    expect(await said('retry', '--all', '--reason', 'x')).toContain("unknown option '--reason'");
    expect(await said('retry', '--story', '999999')).toContain('Story not found');
    expect(await list()).toHaveLength(1);
  });
});
