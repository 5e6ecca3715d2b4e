import { createSecretKey } from 'node:crypto';
import { createCaseNotifier } from '../../src/data/cases/notifications/case-notifier.js';
import { deliverDueNotifications } from '../../src/data/cases/notifications/deliver-notifications.js';
import { createInstallation } from '../../src/platform/mysql/schema/epoch.js';
import { createIdempotencyKeys } from '../../src/engine/state/runs/idempotency-keys.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { createMailer } from '../../src/platform/outbound/mail/mailer.js';
import type { Mailer } from '../../src/platform/outbound/mail/mail.js';
import { isFresh, isSignedBy, parseSignature } from '../../src/web/webhooks/settings/webhook-signature.js';
import { type Account, buildAccount, buildKey } from '../support/builders.js';
import { buildPeople, CASES, PUBLIC_URL, useCaseApi } from '../support/case-api.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, type ReceivedRequest, startHttpTarget } from '../support/http-target.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useCaseApi(stores);

let target: HttpTarget;
let smtp: SmtpTestServer;
let http: HttpClient;
let mailer: Mailer;

beforeAll(async () => {
  target = await startHttpTarget();
  smtp = await startSmtpServer();
  http = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 5_000, maxResponseBytes: 100_000 });
  mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    mailFrom: 'Fabula <fabula@example.test>',
    dataDir: '/nonexistent',
  });
  stores.onClose(async () => {
    await Promise.all([http.close(), mailer.close()]);
    await Promise.all([target.close(), smtp.close()]);
  });
});
beforeEach(() => {
  target.requests.length = 0;
  smtp.mails.length = 0;
  target.on('/hook', { status: 204 });
});

const depsWith = (overrides: { http?: HttpClient; nowMs?: () => Promise<number> } = {}) => ({
  database: stores.db,
  http,
  mailers: { of: () => mailer },
  idempotencyKeys: createIdempotencyKeys(createInstallation(stores.db)),
  baseUrl: PUBLIC_URL,
  nowMs: () => Promise.resolve(Date.now()),
  logger: stores.logger,
  ...overrides,
});
const deliver = (overrides = {}) => deliverDueNotifications(depsWith(overrides), 20);

interface Waiting {
  state: string;
  attempts: number;
  error: string | null;
  dueInSeconds: number;
}

const outbox = (): Promise<Waiting[]> =>
  stores.db.read((session) =>
    session.rows<Waiting>(
      `SELECT state, attempts, error, TIMESTAMPDIFF(SECOND, NOW(3), due_at) AS dueInSeconds
       FROM case_notifications ORDER BY id`,
    ),
  );
const makeDue = () =>
  stores.sql("UPDATE case_notifications SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'due'");

/** A case with a subscriber at `/hook`, and what it is signed with. */
async function watchedCase(account: Account, url = `${target.url}/hook`) {
  const { case_id: id } = await api.make(account, { name: 'Watched' });
  const path = `${CASES}/${id}`;
  const { body } = await api.call(account, 'POST', `${path}/subscribers`, { url });
  return { id: id as number, path, secret: body.secret as string, subscriberId: body.id as number };
}

const contentOf = ({ text }: ReceivedRequest) =>
  JSON.parse(text) as {
    activity: { activity_type: string; value: string };
    case: { name: string };
    version: number;
  };

const mentionOf = (...accounts: Account[]) => accounts.map(({ user }) => `<@user-${user.id}>`).join(' ');
/** First recipients of the mails so far, in alphabetical order. */
const recipients = () => smtp.mails.map(({ to }) => String(to[0])).toSorted((a, b) => a.localeCompare(b));
const emailsOf = (...accounts: Account[]) =>
  accounts.map(({ user }) => user.email).toSorted((a, b) => a.localeCompare(b));

describe('a change of a case', () => {
  it('is sent to a subscribed address, signed as webhooks are', async () => {
    const account = await buildAccount(stores.db);
    const { path, secret } = await watchedCase(account);
    const { body } = await api.call(account, 'PATCH', path, { priority: 'high' });
    expect(await deliver()).toBe(1);
    const [request] = target.requests;
    const { activity, case: shown, version } = contentOf(request!);
    expect(activity).toEqual(body.activities[1]);
    expect(shown).toEqual(body);
    expect(version).toBe(2);
    expect(request!.text).toMatch(/"version":2\.0\}$/);
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': expect.stringMatching(/^case-[0-9a-f]{8}-\w+-\d+$/),
      },
    });
    const signature = parseSignature(request!.headers['x-service-signature']!)!;
    expect(isFresh(signature, 300, Date.now())).toBe(true);
    const signed = { urls: [`${target.url}/hook`], rawBody: request!.body };
    expect(isSignedBy(createSecretKey(Buffer.from(secret)), signature, signed)).toBe(true);
    expect(isSignedBy(createSecretKey(Buffer.from('other')), signature, signed)).toBe(false);
    expect(await outbox()).toEqual([]);
    expect(await deliver()).toBe(0);
  });

  it("is signed with the time it is for the database, whatever this process's clock says", async () => {
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    await api.call(account, 'PATCH', path, { priority: 'high' });
    const databaseMs = Date.now() + 7 * 24 * 3600 * 1000;
    await deliver({ nowMs: () => Promise.resolve(databaseMs) });
    const signature = parseSignature(target.requests[0]!.headers['x-service-signature']!)!;
    expect(isFresh(signature, 1, databaseMs)).toBe(true);
  });

  it('goes out once for each activity and subscriber', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    await api.call(account, 'POST', `${path}/subscribers`, { url: `${target.url}/other` });
    target.on('/other', { status: 200, body: 'ok' });
    await api.call(account, 'PATCH', path, { name: 'New', add_tag_names: ['x'] });
    await Promise.all([deliver(), deliver()]);
    const told = target.requests.map(
      (request) => `${request.path} ${contentOf(request).activity.activity_type}`,
    );
    expect(told.toSorted()).toEqual([
      '/hook TAGS_ADDED',
      '/hook TITLE_UPDATED',
      '/other TAGS_ADDED',
      '/other TITLE_UPDATED',
    ]);
  });

  it('that was refused is told to nobody', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    const conditions = [{ name: 'n', formula: 'FALSE' }];
    await api.call(account, 'PUT', path, { closure_conditions: conditions });
    expect((await api.call(account, 'PUT', path, { name: 'x', status: 'closed' })).status).toBe(422);
    expect(await outbox()).toEqual([]);
  });

  it('shows no linked cases of other teams', async () => {
    const account = await buildAccount(stores.db);
    const owner = await buildAccount(stores.db, { tenantId: account.tenantId, owner: true });
    const secret = await api.make(owner, { name: 'Secret' });
    const { path } = await watchedCase(account);
    await api.call(owner, 'POST', `${path}/linked_cases`, { id: secret.case_id });
    await deliver();
    expect(contentOf(target.requests[0]!).case).toMatchObject({ name: 'Watched', linked_cases: [] });
  });
});

describe('a call that fails', () => {
  it.each([
    ['an error', { status: 500 }, 'The response had status 500'],
    ['a redirect', { redirect: '/elsewhere' }, 'The response had status 302'],
    ['no answer', { reset: true }, /^127\.0\.0\.1:\d+: /],
  ])('with %s is tried again later, with the same mark', async (_, rule, error) => {
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    target.on('/hook', rule);
    await api.call(account, 'PATCH', path, { priority: 'high' });
    await deliver();
    const [waiting] = await outbox();
    expect(waiting).toMatchObject({ state: 'due', attempts: 1 });
    expect(waiting!.error).toMatch(error);
    expect(waiting!.dueInSeconds).toBeGreaterThan(15);
    expect(await deliver()).toBe(0);
    target.on('/hook', { status: 200 });
    await makeDue();
    expect(await deliver()).toBe(1);
    expect(await outbox()).toEqual([]);
    expect(new Set(target.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('again and again waits longer each time, and is given up after ten', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    target.on('/hook', { status: 503 });
    await api.call(account, 'PATCH', path, { priority: 'high' });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await makeDue();
      expect(await deliver()).toBe(1);
      waits.push((await outbox())[0]!.dueInSeconds);
    }
    expect(waits.slice(0, 6)).toEqual(waits.slice(0, 6).toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBeLessThanOrEqual(6 * 3600);
    expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 10 }]);
    await makeDue();
    expect(await deliver()).toBe(0);
    await stores.sql(
      "UPDATE case_notifications SET due_at = NOW(3) - INTERVAL 15 DAY WHERE state = 'failed'",
    );
    await deliver();
    expect(await outbox()).toEqual([]);
  });

  it('because the address is in a private network never leaves this machine', async () => {
    const guarded = createHttpClient({ allow: [], timeoutMs: 5_000, maxResponseBytes: 1_000 });
    const account = await buildAccount(stores.db);
    const { path } = await watchedCase(account);
    await api.call(account, 'PATCH', path, { priority: 'high' });
    await deliver({ http: guarded });
    await guarded.close();
    expect(target.requests).toEqual([]);
    expect((await outbox())[0]!.error).toMatch(/private or reserved network/);
  });
});

describe('what is no longer to be told', () => {
  it('is dropped: a removed subscriber, a deleted comment, a deleted case', async () => {
    const account = await buildAccount(stores.db);
    const gone = await watchedCase(account);
    await api.call(account, 'POST', `${gone.path}/comments`, { value: 'x' });
    await api.call(account, 'DELETE', `${gone.path}/subscribers/${gone.subscriberId}`);
    const taken = await watchedCase(account);
    const comment = await api.call(account, 'POST', `${taken.path}/comments`, { value: 'regretted' });
    await api.call(account, 'DELETE', `${taken.path}/comments/${comment.body.id}`);
    const deleted = await watchedCase(account);
    await api.call(account, 'POST', `${deleted.path}/comments`, { value: 'x' });
    await api.call(account, 'DELETE', deleted.path);
    await deliver();
    expect(target.requests.map((request) => contentOf(request).activity.activity_type)).toEqual([
      'DELETED_COMMENT',
    ]);
    expect(target.requests[0]!.text).not.toContain('regretted');
    expect(await outbox()).toEqual([]);
  });
});

describe('people', () => {
  it('that are mentioned get a mail, once, when they may see the case and did not write it themselves', async () => {
    const { editor, viewer, colleague, neighbour, stranger } = await buildPeople(stores);
    const text = `Look, ${mentionOf(viewer, editor, neighbour, stranger, viewer)} <@user-999999> <b>`;
    const made = await api.make(editor, { name: 'Phishing', description: text });
    expect(made.description).toBe(text);
    await deliver();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[viewer.user.email]]);
    const [mail] = smtp.mails;
    expect(mail!.header('subject')).toBe(`[Case ${made.case_id}] Phishing`);
    expect(mail!.header('message-id')).toMatch(/^<case-[0-9a-f]{8}-\w+-\d+@fabula>$/);
    expect(mail!.raw).toContain(made.url);
    expect(mail!.raw).toContain('and mentioned you');
    expect(mail!.raw).toContain('&lt;b&gt;');
    const path = `${CASES}/${made.case_id}`;
    await api.call(editor, 'PUT', path, { description: `${text} and ${mentionOf(colleague)}` });
    await api.call(editor, 'POST', `${path}/comments`, { value: `Thanks ${mentionOf(viewer)}` });
    await deliver();
    expect(recipients()).toEqual(emailsOf(viewer, colleague, viewer));
    expect(await outbox()).toEqual([]);
  });

  it('in a changed comment are told when they are mentioned for the first time', async () => {
    const { editor, viewer, colleague } = await buildPeople(stores);
    const { path } = await watchedCase(editor);
    await api.call(
      editor,
      'DELETE',
      `${path}/subscribers/${(await api.get(editor, `${path}/subscribers`)).body.subscribers[0].id}`,
    );
    const { body } = await api.call(editor, 'POST', `${path}/comments`, { value: mentionOf(viewer) });
    await api.call(editor, 'PUT', `${path}/comments/${body.id}`, { value: mentionOf(viewer, colleague) });
    await deliver();
    expect(recipients()).toEqual(emailsOf(viewer, colleague));
  });

  it('that subscribe get a mail for what others do, and only one where they are mentioned too', async () => {
    const { editor, viewer } = await buildPeople(stores);
    const { case_id } = await api.make(editor);
    const path = `${CASES}/${case_id}`;
    for (const { user } of [viewer, editor]) {
      await api.call(editor, 'POST', `${path}/subscribers`, { user_email: user.email });
    }
    await api.call(editor, 'POST', `${path}/comments`, { value: `Hello ${mentionOf(viewer)}` });
    await api.call(editor, 'PATCH', path, { status: 'closed' });
    await deliver();
    expect(smtp.mails.map(({ to }) => to[0])).toEqual([viewer.user.email, viewer.user.email]);
    const told = smtp.mails.map(({ raw }) => /commented:|set the status to CLOSED/.exec(raw)?.[0]);
    expect(new Set(told)).toEqual(new Set(['commented:', 'set the status to CLOSED']));
  });

  it('that lost the team, and service accounts, get nothing', async () => {
    const { editor, viewer } = await buildPeople(stores);
    const { tenantId, team } = editor;
    const { record } = await buildKey(stores.db, { tenantId, kind: 'team', teamId: team.id, role: 'EDITOR' });
    await api.make(editor, { description: `${mentionOf(viewer)} <@user-${record.userId}>` });
    await stores.sql('DELETE FROM memberships WHERE user_id = ?', [viewer.user.id]);
    await deliver();
    expect(smtp.mails).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  it('whose account is closed get nothing more, and do not subscribe', async () => {
    const { editor, viewer, colleague } = await buildPeople(stores);
    const { case_id } = await api.make(editor);
    const path = `${CASES}/${case_id}`;
    const subscribe = ({ user }: Account) =>
      api.call(editor, 'POST', `${path}/subscribers`, { user_email: user.email });
    expect((await subscribe(viewer)).status).toBe(201);
    await stores.sql('UPDATE users SET deactivated_at = NOW(3) WHERE id IN (?)', [
      [viewer.user.id, colleague.user.id],
    ]);
    const refused = await subscribe(colleague);
    expect([refused.status, refused.body.errors[0].details]).toEqual([422, 'user_email']);
    await api.call(editor, 'POST', `${path}/comments`, { value: mentionOf(colleague) });
    await deliver();
    expect(smtp.mails).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  it('hear of it later when the mail server does not answer now', async () => {
    const { editor, viewer } = await buildPeople(stores);
    smtp.beBusyFor(1);
    await api.make(editor, { description: mentionOf(viewer) });
    await deliver();
    expect(await outbox()).toMatchObject([{ state: 'due', attempts: 1 }]);
    await makeDue();
    await deliver();
    expect(smtp.mails).toHaveLength(1);
  });
});

it('the loop works the outbox off, and stops when it is told to', async () => {
  const account = await buildAccount(stores.db);
  const { path } = await watchedCase(account);
  await api.call(account, 'PATCH', path, { priority: 'high' });
  const stopping = new AbortController();
  const running = createCaseNotifier(depsWith()).run(stopping.signal);
  await eventually(() => target.requests.length === 1);
  await eventually(async () => (await outbox()).length === 0);
  stopping.abort();
  await running;
});

it('a stop in the middle of a call leaves the notification to others, without counting an attempt', async () => {
  const account = await buildAccount(stores.db);
  const { path } = await watchedCase(account);
  target.on('/hook', { hang: true });
  await api.call(account, 'PATCH', path, { priority: 'high' });
  const stopping = new AbortController();
  const delivering = deliverDueNotifications(depsWith(), 20, stopping.signal);
  await eventually(() => target.requests.length === 1);
  stopping.abort();
  expect(await delivering).toBe(1);
  expect(await outbox()).toMatchObject([{ state: 'due', attempts: 0, error: null }]);
});
