import { type Account, buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type HttpTarget, startHttpTarget, type TargetRule } from '../../support/http-target.js';
import { agentIds, call } from '../../support/run-api.js';
import { runCli } from '../../support/run-cli.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabulaHere } from '../../support/use-fabula-here.js';

const stores = useStores();
const fabula = useFabulaHere(stores, { env: { MAX_ATTEMPTS: '1' } });
const CANARIES = '/api/v1/dead_letters/canaries';
const KIND = '<address> answered 500';
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
});

afterEach(() => target.close());

interface CanaryResponse {
  id: number;
  state: string;
  stage: string;
  stop_reason: string | null;
  stop_error: string | null;
  ended_at: string | null;
  [count: string]: unknown;
}

const ASK = () => ({
  url: `${target.url}/ask`,
  method: 'post',
  payload: '=hook.body',
  fail_on_status: ['500', '404'],
});
/** A rule with these statuses by number, 200 for others. */
const answering =
  (statuses: Record<number, number>): TargetRule =>
  ({ text }) => ({ status: statuses[(JSON.parse(text) as { n: number }).n] ?? 200 });

/** A story whose requests all failed: one dead letter for each number, oldest first. */
async function failed(letters: number) {
  const data = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', ASK()] }, ['Hook > Ask']);
  const { id: storyId, webhooks } = await fabula.importStory(data);
  for (let n = 1; n <= letters; n++) await fabula.fire(webhooks['Hook']!, { n });
  await eventually(async () => (await fabula.deadLetters()).length === letters);
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 HOUR');
  target.clear();
  return storyId;
}

const start = (body: object, as?: Account) =>
  call(fabula, `POST ${CANARIES}`, { body: body as never, ...(as && { as }) });
const get = async (id: number): Promise<CanaryResponse> => (await call(fabula, `GET ${CANARIES}/${id}`)).body;
const ended = async (id: number): Promise<CanaryResponse> => {
  await eventually(async () => (await get(id)).ended_at !== null, 30_000);
  return get(id);
};
const asked = () => target.requests.map(({ text }) => (JSON.parse(text) as { n: number }).n);
const letterIds = async () =>
  (
    await stores.db.read((session) => session.rows<{ id: number }>('SELECT id FROM deliveries ORDER BY id'))
  ).map(({ id }) => id);

describe('a canary retry', () => {
  it('retries 1, then 10, then the rest, oldest first, and keeps its result', async () => {
    const storyId = await failed(14);
    const { Ask } = await agentIds(fabula, storyId);
    // Two of the rest fail again.
    target.on('/ask', answering({ 12: 500, 14: 500 }));
    const { status, body } = await start({ story_id: storyId, agent_id: Ask, error_kind: KIND });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'running',
      stage: 'first',
      dead_letters: 14,
      waiting: 13,
      running: 1,
      started_by: { id: fabula.account.user.id },
      ended_at: null,
    });
    const result = await ended(body.id);
    expect(result).toMatchObject({
      state: 'completed',
      stage: 'rest',
      waiting: 0,
      running: 0,
      passed: 12,
      failed: 2,
      skipped: 0,
      stop_reason: null,
    });
    const order = asked();
    expect(order[0]).toBe(1);
    expect(order.slice(1, 11).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(order.slice(11).toSorted((a, b) => a - b)).toEqual([12, 13, 14]);
    const query = `story_id=${storyId}&agent_id=${Ask}&error_kind=${encodeURIComponent(KIND)}`;
    expect((await call(fabula, `GET ${CANARIES}?${query}`)).body.canaries).toEqual([result]);
    expect((await call(fabula, `GET ${CANARIES}?story_id=${storyId}&error_kind=x`)).body.canaries).toEqual(
      [],
    );
    expect(await stores.db.read((session) => session.rows('SELECT 1 FROM canary_letters'))).toEqual([]);
    const { audit_logs: audit } = (await call(fabula, 'GET /api/v1/audit_logs?action=canary.start')).body;
    expect(audit).toHaveLength(1);
  });

  it('stops when the same error comes back, and leaves the others as they are', async () => {
    const storyId = await failed(5);
    const { body } = await start({ story_id: storyId });
    const result = await ended(body.id);
    expect(result).toMatchObject({
      state: 'stopped',
      stage: 'first',
      stop_reason: 'same_error',
      stop_error: expect.stringContaining('answered 500'),
      waiting: 4,
      failed: 1,
      passed: 0,
      stopped_by: null,
    });
    expect(asked()).toEqual([1]);
    expect(await fabula.deadLetters()).toHaveLength(5);
    // The others belong to nobody: a new retry takes them.
    target.on('/ask', { status: 200 });
    const next = await start({ story_id: storyId });
    expect(await ended(next.body.id)).toMatchObject({ state: 'completed', passed: 5 });
  });

  it('stops when one of the ten fails with the same error', async () => {
    const storyId = await failed(15);
    target.on('/ask', answering({ 7: 500 }));
    const { body } = await start({ story_id: storyId });
    expect(await ended(body.id)).toMatchObject({
      state: 'stopped',
      stage: 'ten',
      stop_reason: 'same_error',
      waiting: 4,
      passed: 10,
      failed: 1,
    });
  });

  it('stops at an attempt with the same error, without waiting for the last one', async () => {
    const storyId = await failed(3);
    const { Ask } = await agentIds(fabula, storyId);
    const options = { ...ASK(), retry_on_status: ['500'], retries: 8 };
    expect((await fabula.api('PUT', `/api/v1/actions/${Ask}`, { options })).status).toBe(200);
    const { body } = await start({ story_id: storyId });
    await eventually(async () => (await get(body.id)).state === 'stopped', 30_000);
    expect(await get(body.id)).toMatchObject({
      stop_reason: 'same_error',
      stop_error: expect.stringContaining('answered 500'),
      running: 1,
      waiting: 2,
      ended_at: null,
    });
    // Its delivery goes on by itself, and the result takes it in.
    target.on('/ask', { status: 200 });
    expect(await ended(body.id)).toMatchObject({ state: 'stopped', running: 0, passed: 1, waiting: 2 });
  });

  it('goes on after another error of one of the ten', async () => {
    const storyId = await failed(12);
    target.on('/ask', answering({ 7: 404 }));
    const { body } = await start({ story_id: storyId });
    expect(await ended(body.id)).toMatchObject({ state: 'completed', passed: 11, failed: 1 });
  });

  it('stops if none of a stage succeeds, whatever the errors', async () => {
    const storyId = await failed(3);
    target.on('/ask', { status: 404 });
    const { body } = await start({ story_id: storyId });
    expect(await ended(body.id)).toMatchObject({
      state: 'stopped',
      stop_reason: 'failed',
      stop_error: expect.stringContaining('answered 404'),
      waiting: 2,
      failed: 1,
    });
  });

  it('is stopped by hand: what runs ends by itself, the others stay dead letters', async () => {
    const storyId = await failed(4);
    target.on('/ask', { status: 200, delayMs: 1_500 });
    const { body } = await start({ story_id: storyId });
    await target.waitForRequests(1);
    const stopped = await call(fabula, `POST ${CANARIES}/${body.id}/stop`);
    expect(stopped.body).toMatchObject({
      state: 'stopped',
      stop_reason: 'by_hand',
      stopped_by: { id: fabula.account.user.id },
      waiting: 3,
      running: 1,
      ended_at: null,
    });
    expect(await ended(body.id)).toMatchObject({ passed: 1, running: 0, waiting: 3 });
    expect((await call(fabula, `POST ${CANARIES}/${body.id}/stop`)).status).toBe(200);
    expect(await fabula.deadLetters()).toHaveLength(3);
    expect(asked()).toEqual([1]);
  });

  it('of two people at once takes each dead letter once', async () => {
    const storyId = await failed(20);
    target.on('/ask', { status: 200, delayMs: 20 });
    const colleague = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
    const responses = await Promise.all([
      start({ story_id: storyId }),
      start({ story_id: storyId }, colleague),
      start({ story_id: storyId }),
    ]);
    const begun = responses.filter(({ status }) => status === 201);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(3 - begun.length);
    const results = await Promise.all(begun.map(({ body }) => ended(body.id)));
    const sum = (key: string) => results.reduce((total, result) => total + Number(result[key]), 0);
    expect([sum('passed'), sum('failed'), sum('skipped')]).toEqual([20, 0, 0]);
    expect(asked().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('passes over dead letters that others retry or drop before their turn', async () => {
    const storyId = await failed(5);
    target.on('/ask', { status: 200, delayMs: 1_500 });
    const { body } = await start({ story_id: storyId });
    const [, second, third] = await letterIds();
    target.on('/ask', { status: 200 });
    await call(fabula, `POST /api/v1/dead_letters/${second}/retry`);
    await fabula.api('DELETE', `/api/v1/dead_letters/${third}`);
    expect(await ended(body.id)).toMatchObject({ state: 'completed', passed: 3, skipped: 2, failed: 0 });
    expect(asked().toSorted((a, b) => a - b)).toEqual([1, 2, 4, 5]);
  });

  it('counts a dead letter as failed that was dropped after it failed again', async () => {
    const storyId = await failed(1);
    target.on('/ask', { status: 404, delayMs: 200 });
    const { body } = await start({ story_id: storyId });
    await target.waitForRequests(1);
    // The next look finds no delivery.
    await eventually(async () => {
      const [letter] = await fabula.deadLetters();
      if (letter === undefined) return false;
      await stores.sql('DELETE FROM deliveries WHERE id = ?', [letter.id]);
      return true;
    });
    expect(await ended(body.id)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('has at most `limit` dead letters and says how many are left out', async () => {
    const storyId = await failed(4);
    target.on('/ask', { status: 200 });
    const { body } = await start({ story_id: storyId, limit: 3 });
    expect(body).toMatchObject({ dead_letters: 3, left_out: 1 });
    expect(await ended(body.id)).toMatchObject({ passed: 3 });
  });

  it('needs a story that the caller may change, and a dead letter', async () => {
    const storyId = await failed(1);
    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db, { owner: true });
    expect((await start({ story_id: storyId }, viewer)).status).toBe(403);
    expect((await start({ story_id: storyId }, stranger)).status).toBe(404);
    expect((await start({ error_kind: KIND })).status).toBe(422);
    expect((await start({ story_id: storyId, error_kind: 'another' })).status).toBe(409);
    target.on('/ask', { status: 200 });
    const { body } = await start({ story_id: storyId });
    await ended(body.id);
    expect((await call(fabula, `GET ${CANARIES}/${body.id}`, { as: viewer })).status).toBe(200);
    expect((await call(fabula, `POST ${CANARIES}/${body.id}/stop`, { as: viewer })).status).toBe(403);
    expect((await call(fabula, `GET ${CANARIES}/${body.id}`, { as: stranger })).status).toBe(404);
    expect((await call(fabula, `GET ${CANARIES}`, { as: stranger })).body.canaries).toEqual([]);
  });

  it('is started by the command line, and the server carries it out', async () => {
    const storyId = await failed(12);
    target.on('/ask', { status: 200 });
    const env = {
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: 'redis://127.0.0.1:1',
      DATA_DIR: fabula.config.dataDir,
    };
    const cli = (...args: string[]) =>
      runCli(['dead-letters', 'canary', '--tenant', String(fabula.account.tenantId), ...args], { env });
    expect((await cli()).err).toContain('specify --story');
    const { code, out } = await cli('--story', String(storyId), '--json');
    expect(code).toBe(0);
    const started = JSON.parse(out) as CanaryResponse;
    expect(started).toMatchObject({ state: 'running', dead_letters: 12, running: 1 });
    expect(await ended(started.id)).toMatchObject({ state: 'completed', passed: 12 });
    const { audit_logs: audit } = (await call(fabula, 'GET /api/v1/audit_logs?action=canary.start')).body;
    expect(audit).toHaveLength(1);
  });

  it('looks for one that passed in its own stage', async () => {
    const storyId = await failed(15);
    // The only letter of the first stage goes with its run.
    target.on('/ask', { status: 200, delayMs: 1_000 });
    const { body } = await start({ story_id: storyId });
    await target.waitForRequests(1);
    const [first] = await letterIds();
    await stores.sql(
      'UPDATE story_runs SET cancelled_at = NOW(3) WHERE guid = (SELECT story_run_guid FROM deliveries WHERE id = ?)',
      [first!],
    );
    target.on(
      '/ask',
      answering({ 3: 404, 4: 404, 5: 404, 6: 404, 7: 404, 8: 404, 9: 404, 10: 404, 11: 404 }),
    );
    expect(await ended(body.id)).toMatchObject({
      state: 'completed',
      stage: 'rest',
      skipped: 1,
      failed: 9,
      passed: 5,
    });
  });

  it('stops at the same error, also where another action handles the failure', async () => {
    const storyId = await failed(3);
    const { Ask, Hook } = await agentIds(fabula, storyId);
    const added = await call(fabula, 'POST /api/v1/actions', {
      body: {
        story_id: storyId,
        type: 'Agents::EventTransformationAgent',
        name: 'Rescue',
        options: { mode: 'message_only', payload: {} },
        links_to_sources: [{ source_id: Ask!, type: 'FAILURE' }],
      },
    });
    expect([Hook === undefined, added.status]).toEqual([false, 201]);
    const { body } = await start({ story_id: storyId });
    expect(await ended(body.id)).toMatchObject({
      state: 'stopped',
      stop_reason: 'same_error',
      stop_error: expect.stringContaining('answered 500'),
      failed: 1,
      waiting: 2,
    });
  });

  it('leaves the dead letters of another one to it, and takes the next', async () => {
    const storyId = await failed(4);
    target.on('/ask', { status: 200, delayMs: 1_500 });
    const one = await start({ story_id: storyId, limit: 2 });
    const two = await start({ story_id: storyId, limit: 2 });
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body).toMatchObject({ dead_letters: 2, left_out: 0 });
    target.on('/ask', { status: 200 });
    expect(await ended(one.body.id)).toMatchObject({ passed: 2 });
    expect(await ended(two.body.id)).toMatchObject({ passed: 2 });
  });

  it('ends when its tenant is frozen, and lets its dead letters go', async () => {
    const storyId = await failed(3);
    target.on('/ask', { hang: true });
    const { body } = await start({ story_id: storyId });
    await stores.sql('UPDATE tenants SET frozen_at = NOW(3) WHERE id = ?', [fabula.account.tenantId]);
    expect(await ended(body.id)).toMatchObject({ state: 'stopped', stop_reason: 'timed_out', waiting: 2 });
    expect(await stores.db.read((session) => session.rows('SELECT 1 FROM canary_letters'))).toEqual([]);
  });

  it('ends after a day, whatever still runs', async () => {
    const storyId = await failed(3);
    target.on('/ask', { hang: true });
    const { body } = await start({ story_id: storyId });
    await stores.sql('UPDATE canaries SET created_at = created_at - INTERVAL 25 HOUR');
    expect(await ended(body.id)).toMatchObject({
      state: 'stopped',
      stop_reason: 'timed_out',
      running: 1,
      waiting: 2,
    });
    expect(await stores.db.read((session) => session.rows('SELECT 1 FROM canary_letters'))).toEqual([]);
  });
});
