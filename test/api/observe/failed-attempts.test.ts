import type { JsonObject } from '../../../src/platform/json.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { agentIds, call, runsOf, says } from '../../support/run-api.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { env: { MAX_ATTEMPTS: '2', HTTP_TIMEOUT_MS: '3000' } });
let target: HttpTarget;

const MESSAGE = 'Ticket store unavailable: connection to shard tickets-03 refused';
const CAUSE = `500 · ${MESSAGE}`;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/500': {
        status: 500,
        headers: { 'set-cookie': 'session=abc', 'x-shard': 'tickets-03' },
        body: { error: { message: MESSAGE } },
      },
      '/once': (_, count) =>
        count === 1 ? { status: 503, body: 'busy\nfor now' } : { body: { fine: true } },
      '/404': { status: 404, body: { title: 'No such ticket' } },
      '/reset': { reset: true },
    },
  });
});
afterEach(() => target.close());

const asks = (path: string, options: JsonObject = {}): ShortAgent => [
  'HTTPRequest',
  {
    url: `${target.url}${path}`,
    method: 'post',
    content_type: 'json',
    payload: { host: 'web-1' },
    ...options,
  },
];
const FAILS = { fail_on_status: ['0', '400-599'] };

/** Runs a story of a webhook and an HTTP action `Ask` once. */
async function run(
  ask: ShortAgent,
  { links = ['Hook > Ask'], more = {} }: { links?: string[]; more?: Record<string, ShortAgent> } = {},
) {
  const story = await fabula.importStory(storyOf({ Hook: ['Webhook', {}], Ask: ask, ...more }, links));
  await fabula.fire(story.webhooks['Hook']!, { n: 1 });
  await fabula.settled();
  const ids = await agentIds(fabula, story.id);
  const [first] = await runsOf(fabula, story.id);
  return { storyId: story.id, hook: story.webhooks['Hook']!, guid: first!.guid, ids, ask: ids['Ask']! };
}

type Run = { storyId: number; guid: string };
const get = async (path: string, as?: Awaited<ReturnType<typeof buildAccount>>) =>
  (await call(fabula, `GET ${path}`, as === undefined ? {} : { as })).body;
const pathOf = ({ storyId, guid }: Run) => `/api/v1/stories/${storyId}/runs/${guid}`;
const attemptsOf = async (run: Run, query = '') => (await get(`${pathOf(run)}/attempts${query}`)).attempts;
const lettersOf = async (query: string) => (await get(`/api/v1/dead_letters${query}`)).dead_letters;

describe('a failed step', () => {
  test('F1: has the response of each attempt beside its request', async () => {
    const failed = await run(asks('/500', FAILS));
    const attempts = await attemptsOf(failed);
    expect(attempts).toHaveLength(2);
    expect(attempts.map((each: JsonObject) => [each['number'], each['outcome']])).toEqual([
      [1, 'retried'],
      [2, 'failed'],
    ]);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        agent_id: failed.ask,
        agent_name: 'Ask',
        status: 500,
        cause: CAUSE,
        error: `127.0.0.1:${target.port} answered 500`,
        request: { method: 'POST', url: `${target.url}/500`, body: '{"host":"web-1"}' },
        response: {
          status: 500,
          headers: { 'x-shard': 'tickets-03', 'set-cookie': '[hidden]' },
          body: JSON.stringify({ error: { message: MESSAGE } }),
          body_left_out: null,
          truncated: [],
        },
      });
      expect(Date.parse(attempt.failed_at) - Date.parse(attempt.started_at)).toBe(attempt.duration_ms);
      expect(attempt.response.duration_ms).toBeLessThanOrEqual(attempt.duration_ms + 1);
    }
    expect(attempts[0].delivery_id).toBe(attempts[1].delivery_id);
  });

  test('F1: the dead letter and its group quote the response', async () => {
    const failed = await run(asks('/500', FAILS));
    const [letter] = await lettersOf(`?story_id=${failed.storyId}`);
    expect(letter).toMatchObject({ cause: CAUSE, error_kind: '<address> answered 500', attempts: 2 });
    const details = await get(`/api/v1/dead_letters/${letter.id}`);
    expect(details.attempt_log.map((each: JsonObject) => each['delivery_id'])).toEqual([
      letter.id,
      letter.id,
    ]);
    expect(details.attempt_log[1].response.body).toContain(MESSAGE);
    const { groups } = await get(`/api/v1/dead_letters/groups?story_id=${failed.storyId}`);
    expect(groups).toEqual([
      expect.objectContaining({
        error_kind: '<address> answered 500',
        error: `127.0.0.1:${target.port} answered 500`,
        cause: CAUSE,
        dead_letter_id: letter.id,
        story_run_guid: failed.guid,
        trend: [...Array<number>(23).fill(0), 1],
      }),
    ]);
  });

  test('F7: the run says why, how often, and since when; runs lists quote it', async () => {
    const failed = await run(asks('/500', FAILS));
    await fabula.fire(failed.hook, { n: 2 });
    await fabula.settled();
    const details = await get(pathOf(failed));
    const [, letter] = await lettersOf(`?story_id=${failed.storyId}`);
    expect(details).toMatchObject({
      status: 'failed',
      cause: CAUSE,
      warnings: 0,
      attempt_count: 2,
      dead_letters: [{ cause: CAUSE, error_kind: '<address> answered 500' }],
      failure: {
        dead_letter_id: letter.id,
        agent_id: failed.ask,
        cause: CAUSE,
        error_kind: '<address> answered 500',
        attempts: 2,
        same: { dead_letters: 2, first_failed_at: letter.failed_at, complete: true },
      },
    });
    expect(details.attempts[0]).not.toHaveProperty('response');
    const lists = [
      await get(`/api/v1/stories/${failed.storyId}/runs`),
      await get(`/api/v1/runs?story_id=${failed.storyId}`),
    ];
    for (const { story_runs: runs } of lists) {
      expect(runs.map((each: JsonObject) => each['cause'])).toEqual([CAUSE, CAUSE]);
    }
    expect((await get(`${pathOf(failed)}/summary`)).story_run.cause).toBe(CAUSE);
  });

  test('F7: counts the same failures although those of another tenant fill the bound', async () => {
    const failed = await run(asks('/500', FAILS));
    await fabula.fire(failed.hook, { n: 2 });
    await fabula.settled();
    const other = await buildAccount(stores.db, { owner: true });
    const { id } = await fabula.as(other).importStory(storyOf({ Hook: ['Webhook', {}] }, []));
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
       SELECT UUID(), ?, 1, 1, 'trigger', 1, 'failed', 'x', NOW(3) + INTERVAL 1 SECOND, NOW(3)
       FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
      [id, JSON.stringify(Array.from({ length: 10_000 }, (_, n) => n))],
    );
    const { failure } = await get(pathOf(failed));
    expect(failure.same).toMatchObject({ dead_letters: 2, complete: false });
  });

  test('of a run are put in order up to a bound; those of an action are all there', async () => {
    const failed = await run(asks('/500', FAILS));
    await stores.sql(
      `INSERT INTO agent_logs (agent_id, story_run_guid, level, message, delivery_id, attempt)
       SELECT ?, ?, (SELECT MAX(l.level) FROM agent_logs l), 'x', 1 + v.n, 1
       FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
      [failed.ask, failed.guid, JSON.stringify(Array.from({ length: 10_100 }, (_, n) => n))],
    );
    const list = (query: string) => get(`${pathOf(failed)}/attempts?per_page=2${query}`);
    const whole = await list('');
    expect(whole.meta.count).toBe(10_000);
    expect(whole.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    expect((await list(`&agent_id=${failed.ask}`)).attempts).toEqual(whole.attempts);
    expect((await get(pathOf(failed))).attempt_count).toBe(10_000);
  });

  test('F7: names the last change of the story before the run, and nothing later', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Ask: asks('/500', FAILS) }, ['Hook > Ask']),
    );
    const { Ask } = await agentIds(fabula, story.id);
    const rename = (name: string) => call(fabula, `PUT /api/v1/actions/${Ask}`, { body: { name } });
    await rename('Ask tickets');
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await fabula.settled();
    const before = (await get(`/api/v1/stories/${story.id}/versions`)).story_versions[0];
    await stores.sql(
      'UPDATE story_versions SET created_at = created_at - INTERVAL 1 HOUR, updated_at = updated_at - INTERVAL 1 HOUR WHERE story_id = ?',
      [story.id],
    );
    await rename('Ask again');
    const [found] = await runsOf(fabula, story.id);
    const { failure } = await get(pathOf({ storyId: story.id, guid: found!.guid }));
    expect(failure.story_change).toMatchObject({
      version_id: before.id,
      number: before.number,
      source: 'edit',
      by: { id: fabula.account.user.id },
    });
  });

  test('that had no response has the request, the status 0, and the reason as its cause', async () => {
    const failed = await run(asks('/reset', FAILS));
    const [, last] = await attemptsOf(failed);
    expect(last).toMatchObject({ status: 0, response: null, request: { method: 'POST' } });
    expect(last.cause).toBe(last.error);
    expect((await get(pathOf(failed))).cause).toBe(last.error);
  });

  test('that sent nothing has its error alone', async () => {
    const failed = await run(asks('/500', { method: '=hook.body.none.other', url: 'no address' }));
    const [only] = await attemptsOf(failed);
    expect(only).toMatchObject({ number: 1, outcome: 'failed', status: null, request: null, response: null });
    expect(only.cause).toBe(only.error);
  });

  test('whose failure link got the error keeps its attempts', async () => {
    const failed = await run(asks('/500', FAILS), {
      links: ['Hook > Ask # Tell'],
      more: { Tell: says({ text: 'It failed' }) },
    });
    const details = await get(pathOf(failed));
    expect([details.status, details.cause, details.failure, details.warnings]).toEqual([
      'completed',
      null,
      null,
      0,
    ]);
    expect(details.attempts.map((each: JsonObject) => each['outcome'])).toEqual(['retried', 'failed']);
  });
});

test('a step that recovered keeps its failed attempt with the response', async () => {
  const recovered = await run(asks('/once', { retry_on_status: ['503'] }));
  const details = await get(pathOf(recovered));
  expect([details.status, details.cause, details.attempt_count]).toEqual(['completed', null, 1]);
  const [event] = details.story_run_events.filter((each: JsonObject) => each['action_id'] === recovered.ask);
  const query = `?agent_id=${recovered.ask}&event_id=${event.previous_events_ids[0]}`;
  expect(await attemptsOf(recovered, query)).toEqual([
    expect.objectContaining({
      number: 1,
      outcome: 'retried',
      cause: '503 · busy',
      response: expect.objectContaining({ body: 'busy\nfor now' }),
    }),
  ]);
});

describe('F11: errors that an action did not fail of', () => {
  test('are warnings of the run, and select runs', async () => {
    const warned = await run(asks('/404'));
    await fabula.fire(warned.hook, { n: 2 });
    await fabula.settled();
    const fine = await run(asks('/once', { retry_on_status: ['503'] }));
    const failed = await run(asks('/500', FAILS));
    expect(await get(pathOf(warned))).toMatchObject({ status: 'completed', cause: null, warnings: 1 });
    expect(await attemptsOf(warned)).toEqual([
      expect.objectContaining({
        number: null,
        outcome: 'continued',
        status: 404,
        cause: '404 · No such ticket',
      }),
    ]);
    const query = 'status=completed&warnings=true';
    const ofStory = ({ storyId }: Run) => get(`/api/v1/stories/${storyId}/runs?${query}`);
    expect((await ofStory(warned)).meta.count).toBe(2);
    expect((await ofStory(warned)).story_runs.map((each: JsonObject) => each['warnings'])).toEqual([1, 1]);
    expect((await ofStory(fine)).story_runs).toEqual([]);
    expect((await ofStory(failed)).story_runs).toEqual([]);
    const searched = (await get(`/api/v1/runs?${query}`)).story_runs;
    expect(searched.map((each: JsonObject) => each['story_id'])).toEqual([warned.storyId, warned.storyId]);
    expect(
      (await get(`/api/v1/stories/${warned.storyId}/runs?warnings=true&per_page=1`)).story_runs,
    ).toHaveLength(1);
  });

  test('have the response where no event has it', async () => {
    const warned = await run(asks('/404', { ...FAILS, emit_failure_event: false }));
    const attempts = await attemptsOf(warned);
    expect(attempts.map((each: JsonObject) => each['outcome'])).toEqual(['retried', 'continued']);
    expect(attempts[1]).toMatchObject({
      response: { status: 404 },
      request: { method: 'POST' },
    });
  });
});

test('F12: the server counts what each action of a run did', async () => {
  const exploded = await run(
    ['EventTransformation', { mode: 'explode', path: '=hook.body.hosts', to: 'host' }],
    {
      links: ['Hook > Ask > Look'],
      more: { Look: asks('/500', FAILS) },
    },
  );
  await fabula.fire(exploded.hook, { hosts: [1, 2, 3, 4] });
  await fabula.settled();
  const [newest] = await runsOf(fabula, exploded.storyId);
  const { actions, complete } = await get(
    `${pathOf({ storyId: exploded.storyId, guid: newest!.guid })}/actions`,
  );
  const byName = Object.fromEntries(actions.map((each: JsonObject) => [each['agent_name'], each]));
  expect(complete).toBe(true);
  expect(byName.Ask).toMatchObject({ done: 4, failed: 0, waiting: 0, attempts: 0, warnings: 0 });
  expect(byName.Look).toMatchObject({
    done: 0,
    failed: 4,
    waiting: 0,
    attempts: 8,
    p50_ms: null,
    p95_ms: null,
  });
  expect(byName.Ask.p95_ms).toBeGreaterThanOrEqual(byName.Ask.p50_ms);
});

test('F12: percentiles are those of the times of the events', async () => {
  const { storyId, guid, ask } = await run(says({}));
  await stores.sql('DELETE FROM events WHERE agent_id = ?', [ask]);
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage, work_ms)
     SELECT ?, ?, ?, '{}', '{}', v.n FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
    [guid, storyId, ask, JSON.stringify(Array.from({ length: 100 }, (_, index) => 100 - index))],
  );
  const { actions } = await get(`${pathOf({ storyId, guid })}/actions`);
  const found = actions.find((each: JsonObject) => each['agent_id'] === ask);
  expect([found.done, found.p50_ms, found.p95_ms]).toEqual([100, 50, 95]);
});

test('request and response are kept of the first and the last nine attempts of a step', async () => {
  const failed = await run(asks('/500', { ...FAILS, retries: 0 }));
  const [letter] = await lettersOf(`?story_id=${failed.storyId}`);
  for (let retries = 1; retries <= 12; retries += 1) {
    await call(fabula, `POST /api/v1/dead_letters/${letter.id}/retry`);
    await eventually(async () => (await lettersOf(`?story_id=${failed.storyId}`)).length === 1);
  }
  const attempts = await attemptsOf(failed, `?delivery_id=${letter.id}&per_page=100`);
  const kept = attempts.map(({ request, response }: JsonObject) => request !== null && response !== null);
  expect(kept).toEqual([true, ...Array<boolean>(3).fill(false), ...Array<boolean>(9).fill(true)]);
  expect(attempts.every((each: JsonObject) => each['cause'] === CAUSE)).toBe(true);
});

describe('other people', () => {
  test('see no attempt of another tenant', async () => {
    const failed = await run(asks('/500', FAILS));
    const as = await buildAccount(stores.db, { owner: true });
    for (const part of ['/attempts', '/actions', '']) {
      expect((await call(fabula, `GET ${pathOf(failed)}${part}`, { as })).status).toBe(404);
    }
    const [letter] = await lettersOf(`?story_id=${failed.storyId}`);
    expect((await call(fabula, `GET /api/v1/dead_letters/${letter.id}`, { as })).status).toBe(404);
    expect((await get('/api/v1/runs?warnings=true', as)).story_runs).toEqual([]);
  });

  test('that may only read see no links of webhooks in what is kept', async () => {
    const link = `https://fabula.example/webhook/small/${'s'.repeat(32)}`;
    target.on('/500', { status: 500, headers: { location: link }, body: { message: `Ask ${link}` } });
    const failed = await run(asks('/500', FAILS));
    const as = await buildAccount(stores.db, {
      team: fabula.account.team,
      role: 'VIEWER',
    });
    const [letter] = await lettersOf(`?story_id=${failed.storyId}`);
    const seen = await Promise.all(
      [pathOf(failed), `${pathOf(failed)}/attempts`, `/api/v1/dead_letters/${letter.id}`].map((path) =>
        get(path, as),
      ),
    );
    expect(JSON.stringify(seen)).toContain('[hidden]');
    expect(JSON.stringify(seen)).not.toContain('ssss');
    expect((await attemptsOf(failed))[0].response.body).toContain('ssss');
    expect((await get(pathOf(failed))).cause).toBe('500 · Ask https://fabula.example/webhook/small/[hidden]');
  });
});

test('a credential that the server echoes is in nothing that is kept', async () => {
  const secret = 'tok/en+with "odd" & Ünusual';
  await call(fabula, 'POST /api/v1/user_credentials', {
    body: { name: 'tickets', mode: 'TEXT', value: secret, team_id: fabula.account.team.id },
  });
  target.on('/500', ({ headers }) => ({
    status: 500,
    headers: { 'x-echo': encodeURIComponent(secret) },
    body: { message: `Not for ${Buffer.from(headers['x-key'] ?? '', 'latin1').toString()}` },
  }));
  const failed = await run(asks('/500', { ...FAILS, headers: { 'x-key': '=CREDENTIAL.tickets' } }));
  const [attempt] = await attemptsOf(failed);
  expect(attempt.cause).toBe('500 · Not for [credential tickets]');
  expect(attempt.response.body).toBe('{"message":"Not for [credential tickets]"}');
  expect(attempt.response.headers['x-echo']).toBe('[credential tickets]');
  const rows = await stores.db.read((session) =>
    session.rows('SELECT response, cause, message FROM agent_logs WHERE story_run_guid = ?', [failed.guid]),
  );
  expect(JSON.stringify(rows)).not.toMatch(/Ünusual|%C3%9Cnusual/);
});

test('a line of the log has the number of the attempt, the cause and the response', async () => {
  const failed = await run(asks('/500', FAILS));
  const lines = (await get(`/api/v1/actions/${failed.ask}/logs`)).action_logs;
  expect(lines.map((each: JsonObject) => [each['attempt'], each['cause']])).toEqual([
    [2, CAUSE],
    [1, CAUSE],
  ]);
  const { response } = await get(`/api/v1/actions/${failed.ask}/logs/${lines[0].id}/request`);
  expect(response.body).toContain(MESSAGE);
});
