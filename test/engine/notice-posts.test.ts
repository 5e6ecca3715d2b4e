import { createSecretKey } from 'node:crypto';
import { createFailureNotifier } from '../../src/operate/monitoring/notices/failure-notifier.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { isSignedBy, parseSignature } from '../../src/web/webhooks/settings/webhook-signature.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { makeNoticesDue, noticeSender } from '../support/notices.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const SECRET = 'a-secret-of-sixteen';

let target: HttpTarget;
let http: HttpClient;

beforeAll(async () => {
  target = await startHttpTarget();
  http = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 5_000, maxResponseBytes: 100_000 });
  stores.onClose(async () => {
    await http.close();
    await target.close();
  });
});
beforeEach(() => {
  target.requests.length = 0;
  target.on('/hook', { status: 204 });
});

/** A monitored story whose recipient is `/hook`, and one failure in it. */
async function withFailure({ secret, url = `${target.url}/hook` }: { secret?: string; url?: string } = {}) {
  const actor = await makeTeam(stores.db);
  const data = smallExport({ monitor_failures: true });
  const { story } = await api.stories.import(actor, { new_name: 'Triage', data });
  await api.stories.people.addRecipient(actor, story.id, { address: url, secret });
  const [agent] = await stores.db.read((session) =>
    session.rows<{ id: number; name: string }>(
      'SELECT id, name FROM agents WHERE story_id = ? ORDER BY position LIMIT 1 OFFSET 1',
      [story.id],
    ),
  );
  const fail = () =>
    stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
       VALUES ('r', ?, ?, 1, 'email', 1, 'failed', 'No such host', NOW(3), NOW(3))`,
      [story.id, agent!.id],
    );
  await fail();
  return { actor, story, agent: agent!, fail };
}

const find = () =>
  createFailureNotifier({
    database: stores.db,
    baseUrl: 'https://fabula.example',
    logger: stores.logger,
  }).tick();
const send = (client: Pick<HttpClient, 'request'> = http) => noticeSender(stores, { http: client }).tick();
const notices = () =>
  stores.db.read((session) =>
    session.rows<{ state: string; attempts: number; error: string | null }>(
      'SELECT state, attempts, error FROM notices ORDER BY id',
    ),
  );

test('an address gets the failures as JSON with a text, signed as webhooks are', async () => {
  const { story, agent, fail, actor } = await withFailure({ secret: SECRET });
  await fail();
  await find();
  expect(await send()).toBe(1);
  const [request] = target.requests;
  expect(request).toMatchObject({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^notice-\w+-\w+-\d+$/),
    },
  });
  const body = JSON.parse(request!.text);
  const action = {
    id: agent.id,
    name: agent.name,
    kind: 'failures',
    count: 2,
    error: 'No such host',
    cause: 'No such host',
    first_at: expect.stringMatching(/Z$/),
    last_at: expect.stringMatching(/Z$/),
  };
  expect(body).toEqual({
    version: 1,
    id: expect.any(Number),
    kind: 'failures',
    created_at: expect.stringMatching(/Z$/),
    team_id: [...actor.roles.keys()][0],
    story: { id: story.id, name: 'Triage' },
    action,
    actions: [action],
    count: 2,
    first_at: action.first_at,
    last_at: action.last_at,
    links: {
      details: `https://fabula.example/api/v1/dead_letters?story_id=${story.id}`,
      story: `https://fabula.example/api/v1/stories/${story.id}`,
    },
    subject: `[Story ${story.id}] Failures in Triage`,
    text: expect.stringContaining(`- ${agent.name} (2 times): No such host`),
  });
  const signature = parseSignature(request!.headers['x-service-signature']!)!;
  const signed = { urls: [`${target.url}/hook`], rawBody: request!.body };
  expect(isSignedBy(createSecretKey(Buffer.from(SECRET)), signature, signed)).toBe(true);
  expect(isSignedBy(createSecretKey(Buffer.from('other')), signature, signed)).toBe(false);
  expect(await notices()).toEqual([{ state: 'sent', attempts: 1, error: null }]);
});

test('without a secret the request has no signature; a failure is told once, by any number of processes', async () => {
  await withFailure();
  await Promise.all([find(), find()]);
  await Promise.all([send(), send(), send()]);
  await find();
  await send();
  expect(target.requests).toHaveLength(1);
  expect(target.requests[0]?.headers['x-service-signature']).toBeUndefined();
});

test('a mailbox and an address of one story are told alike, and one does not wait for the other', async () => {
  const { actor, story } = await withFailure();
  await api.stories.people.addRecipient(actor, story.id, { address: 'soc@example.test' });
  target.on('/hook', { status: 500 });
  await find();
  const mails: string[] = [];
  const sender = noticeSender(stores, { http, mail: async ({ text }) => mails.push(text) });
  await sender.tick();
  await makeNoticesDue(stores);
  await sender.tick();
  expect(mails).toEqual([expect.stringContaining('No such host')]);
  expect(target.requests).toHaveLength(2);
  expect(JSON.parse(target.requests[0]!.text).text).toBe(mails[0]?.trim());
});

test('a refused notice is sent six times with the same key, then the audit log tells of it', async () => {
  const { story, actor } = await withFailure();
  target.on('/hook', { status: 503 });
  await find();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await send();
    await makeNoticesDue(stores);
  }
  expect(target.requests).toHaveLength(6);
  expect(new Set(target.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(await notices()).toEqual([{ state: 'failed', attempts: 6, error: 'The response had status 503' }]);
  const entries = await stores.db.read((session) =>
    session.rows("SELECT tenant_id, target_id, method FROM audit_logs WHERE action = 'story.notice_failed'"),
  );
  expect(entries).toEqual([{ tenant_id: actor.tenantId, target_id: story.id, method: 'SYSTEM' }]);
});

test('a redirect is not followed, and an address that is not public is refused at once', async () => {
  await withFailure();
  target.on('/hook', { redirect: `${target.url}/other` });
  await find();
  await send();
  expect(target.requests.map(({ path }) => path)).toEqual(['/hook']);
  await makeNoticesDue(stores);
  const guarded = createHttpClient({ allow: [], timeoutMs: 5_000, maxResponseBytes: 100_000 });
  stores.onClose(() => guarded.close());
  await send(guarded);
  expect(target.requests).toHaveLength(1);
  expect(await notices()).toEqual([{ state: 'failed', attempts: 2, error: expect.any(String) }]);
});

test('the notice of a process that died is sent by another when its lease has ended', async () => {
  await withFailure();
  await find();
  await send({
    request: () => Promise.resolve({ answered: false, interrupted: true, reason: 'the process ends' }),
  });
  await send();
  expect(target.requests).toEqual([]);
  await makeNoticesDue(stores);
  await send();
  expect(target.requests).toHaveLength(1);
});

test('ended notices are deleted after three days', async () => {
  await withFailure();
  await find();
  await send();
  await stores.sql('UPDATE notices SET due_at = due_at - INTERVAL 73 HOUR');
  await send();
  expect(await notices()).toEqual([]);
});
