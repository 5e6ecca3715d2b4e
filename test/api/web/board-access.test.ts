import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createGuessLimits } from '../../../src/platform/http/limits/guess-limits.js';
import { addressKey } from '../../../src/platform/http/address/address-key.js';
import { createAdminSessions, IDLE_MS, LONGEST_MS } from '../../../src/web/admin/admin-sessions.js';
import { INSTANCE } from '../../../src/people/audit/audit-entry.js';
import { listAuditEntries } from '../../../src/people/audit/audit-store.js';
import { ADMIN_BASIC, ADMIN_PASSWORD, ADMIN_USER, basic } from '../../support/admin-account.js';
import { signIn, startBoard } from '../../support/admin.js';
import type { TestApp } from '../../support/app.js';
import { notePause, readPause } from '../../../src/engine/dispatch/queue-pauses.js';
import { startFabula } from '../../support/fabula.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const PAUSE = '/admin/queues/api/queues/trigger/pause';
let queue: Queue;

beforeAll(() => {
  const connection = new Redis(stores.redisUrl, { maxRetriesPerRequest: null });
  queue = new Queue('trigger', { connection, prefix: stores.queuePrefix });
  stores.onClose(async () => {
    await queue.close();
    connection.disconnect();
  });
});
afterEach(() => queue.resume());

const start = (config: Parameters<typeof startBoard>[2] = {}) => startBoard(stores, [queue], config);
const put = (board: TestApp, path: string, headers: Record<string, string>) =>
  fetch(board.url + path, { method: 'PUT', headers, redirect: 'manual' });
const entries = async () =>
  (
    await stores.db.read((session) =>
      listAuditEntries({ tenantId: INSTANCE }, { offset: 0, limit: 100 }, session),
    )
  ).items.toReversed();

/** Every address of the board that changes something. */
const CHANGES: [string, string, string][] = [
  ['PUT', '/pause', 'board.pause'],
  ['PUT', '/resume', 'board.resume'],
  ['POST', '/trigger/add', 'board.add'],
  ['PUT', '/trigger/retry/failed', 'board.retry'],
  ['PUT', '/trigger/promote', 'board.promote'],
  ['PUT', '/trigger/clean/completed', 'board.clean'],
  ['PUT', '/trigger/pause', 'board.pause'],
  ['PUT', '/trigger/resume', 'board.resume'],
  ['PUT', '/trigger/concurrency', 'board.concurrency'],
  ['PUT', '/trigger/rate-limit', 'board.rate_limit'],
  ['PUT', '/trigger/rate-limit/release', 'board.release'],
  ['PUT', '/trigger/empty', 'board.empty'],
  ['PUT', '/trigger/obliterate', 'board.obliterate'],
  ['PUT', '/trigger/job-schedulers/x/remove', 'board.remove'],
  ['PATCH', '/trigger/job-schedulers/x', 'board.change'],
  ['PUT', '/trigger/job-schedulers/x/run', 'board.run'],
  ['PUT', '/trigger/k3-7-0/retry', 'board.retry'],
  ['PUT', '/trigger/k3-7-0/clean', 'board.clean'],
  ['PUT', '/trigger/k3-7-0/promote', 'board.promote'],
  ['PATCH', '/trigger/k3-7-0/update-data', 'board.update_data'],
  ['PATCH', '/trigger/k3-7-0/delay', 'board.delay'],
  ['PATCH', '/trigger/k3-7-0/priority', 'board.priority'],
  ['PUT', '/trigger/k3-7-0/remove-unprocessed-children', 'board.remove_unprocessed_children'],
];

describe('changes', () => {
  it('the board is read-only by default', async () => {
    const board = await start();
    const job = await queue.add('delivery', { deliveryId: 1, generation: 0 });
    for (const [method, path] of CHANGES) {
      const response = await fetch(`${board.url}/admin/queues/api/queues${path}`, {
        method,
        headers: ADMIN_BASIC,
      });
      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await put(board, `/admin/queues/api/queues/trigger/${job.id}/clean`, ADMIN_BASIC)).status).toBe(
      403,
    );
    expect(await queue.isPaused()).toBe(false);
    expect(await queue.getJob(String(job.id))).toBeDefined();
    const shown = await fetch(`${board.url}/admin/queues/api/queues?activeQueue=trigger`, {
      headers: ADMIN_BASIC,
    });
    const { queues } = (await shown.json()) as { queues: { readOnlyMode: boolean }[] };
    expect(queues.map(({ readOnlyMode }) => readOnlyMode)).toEqual([true]);
  });

  it.each(CHANGES)('%s %s is in the audit log', async (method, path, action) => {
    const board = await start({ adminBoardWrite: true });
    const before = (await entries()).length;
    const response = await fetch(`${board.url}/admin/queues/api/queues${path}`, {
      method,
      headers: ADMIN_BASIC,
    });
    const entry = (await entries()).at(before);
    expect(entry).toMatchObject({
      action,
      targetType: 'board',
      userEmail: ADMIN_USER,
      userId: null,
      keyId: null,
      teamId: null,
      method,
      path: `/admin/queues/api/queues${path}`,
      ip: '127.0.0.1',
      status: response.status,
    });
    expect(entry!.requestId).toBe(response.headers.get('x-request-id'));
    expect(await entries()).toHaveLength(before + 1);
  });

  it('I22: the pause of a queue tells since when and by whom, until it is over', async () => {
    const board = await start({ adminBoardWrite: true });
    const pauseNow = () => readPause(queue, stores.redis);
    const before = Date.now();
    expect(await pauseNow()).toBeNull();
    await put(board, PAUSE, ADMIN_BASIC);
    const paused = await pauseNow();
    expect(paused).toEqual({ since: expect.any(Date), by: ADMIN_USER });
    expect(paused!.since!.getTime()).toBeGreaterThanOrEqual(before);
    await put(board, PAUSE, ADMIN_BASIC);
    expect(await pauseNow()).toEqual(paused);
    await put(board, PAUSE.replace('pause', 'resume'), ADMIN_BASIC);
    expect(await pauseNow()).toBeNull();
    await queue.pause();
    expect(await pauseNow()).toEqual({ since: null, by: null });
    // Another program has ended the pause: its note is not that of the next.
    await queue.resume();
    await notePause(queue, stores.redis, 'ada@x.test');
    await put(board, PAUSE, ADMIN_BASIC);
    expect(await pauseNow()).toMatchObject({ by: ADMIN_USER });
  });

  it('refused changes, sign-ins and sign-outs are in the audit log too', async () => {
    const board = await start();
    const cookie = await signIn(board.url);
    await put(board, `${PAUSE}?secret=x`, { cookie, ...OWN_PAGE });
    await put(board, PAUSE, { cookie, 'Sec-Fetch-Site': 'cross-site' });
    await fetch(`${board.url}/admin/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...OWN_PAGE },
    });
    expect((await entries()).map(({ action, status, path }) => [action, status, path])).toEqual([
      ['board.sign_in', 303, '/admin/sign-in'],
      ['board.pause', 403, PAUSE],
      ['board.pause', 403, PAUSE],
      ['board.sign_out', 303, '/admin/sign-out'],
    ]);
  });

  it('reads, and requests without a session, are not in the audit log', async () => {
    const board = await start();
    await fetch(`${board.url}/admin/queues/api/queues`, { headers: ADMIN_BASIC });
    expect((await put(board, PAUSE, {})).status).toBe(401);
    expect((await put(board, PAUSE, basic(ADMIN_USER, 'wrong'))).status).toBe(401);
    expect(await entries()).toEqual([]);
  });

  it('no tenant sees these entries', async () => {
    const env = { ADMIN_USER, ADMIN_PASSWORD, ADMIN_BOARD_WRITE: 'true' };
    const fabula = await startFabula(stores, { env, queues: [], relay: false });
    const pause = await fetch(`${fabula.adminUrl}/admin/queues/api/queues/trigger/pause`, {
      method: 'PUT',
      headers: ADMIN_BASIC,
    });
    expect(pause.status).toBe(200);
    expect(await entries()).toHaveLength(1);
    const machine = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
    const listed = await runCli(['audit', '--json'], { env: machine, input: '' });
    expect(JSON.parse(listed.out)).toMatchObject({
      audit_logs: [{ action: 'board.pause', user_email: ADMIN_USER, status: 200, ip: '127.0.0.1' }],
    });
    const seen = (await (await fabula.api('GET', '/api/v1/audit_logs')).json()) as {
      audit_logs: { action: string }[];
    };
    expect(seen.audit_logs.filter(({ action }) => action.startsWith('board.'))).toEqual([]);
    await fabula.close();
  });

  it.each<[string, Record<string, string>, number]>([
    ['the board’s own page', OWN_PAGE, 200],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another port of the host', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, 403],
    ['another origin', { Origin: 'http://127.0.0.1:1' }, 403],
    ['a page that hides its origin', { Origin: 'null' }, 403],
    ['a browser that does not say', {}, 403],
  ])('a change of a session from %s: %j gives %i', async (_what, headers, status) => {
    const board = await start({ adminBoardWrite: true });
    const cookie = await signIn(board.url);
    expect((await put(board, PAUSE, { cookie, ...headers })).status).toBe(status);
  });

  it('a form’s body is no change', async () => {
    const board = await start({ adminBoardWrite: true });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await fetch(`${board.url}/admin/queues/api/queues/trigger/add`, {
        method: 'POST',
        headers: { ...ADMIN_BASIC, 'content-type': type },
        body: '{"name":"x"}',
      });
      expect([type, response.status]).toEqual([type, 415]);
    }
    expect((await queue.getJobs(['waiting'])).length).toBe(0);
  });
});

describe('sessions', () => {
  const page = { accept: 'text/html,application/xhtml+xml' };
  const look = (board: TestApp, headers: Record<string, string>) =>
    fetch(`${board.url}/admin/queues/`, { headers: { ...page, ...headers }, redirect: 'manual' });

  it('a browser is led to the sign-in, a program gets a plain 401', async () => {
    const board = await start();
    const led = await look(board, {});
    expect([led.status, led.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/\/127\.0\.0\.1:\d+\/admin\/sign-in$/),
    ]);
    const plain = await fetch(`${board.url}/admin/queues/`);
    expect([plain.status, plain.headers.get('www-authenticate')]).toEqual([401, null]);
    expect(await plain.json()).toEqual({
      errors: [{ message: expect.stringContaining('password') as string }],
    });
  });

  it('ends at the sign-out, also where the cookie was copied before', async () => {
    const board = await start();
    const cookie = await signIn(board.url);
    expect((await look(board, { cookie })).status).toBe(200);
    const out = await fetch(`${board.url}/admin/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...OWN_PAGE },
    });
    expect(out.status).toBe(303);
    expect(out.headers.get('set-cookie')).toMatch(/^fabula_admin=;.*Expires=Thu, 01 Jan 1970/);
    expect((await look(board, { cookie })).status).toBe(303);
    // Another web process has heard of it.
    const other = await start();
    expect((await look(other, { cookie })).status).toBe(303);
  });

  it('another web process knows it, and one with another password or key does not', async () => {
    const cookie = await signIn((await start()).url);
    expect((await look(await start(), { cookie })).status).toBe(200);
    for (const config of [
      { adminPassword: 'another horse' },
      { adminUser: 'root' },
      { encryptionKey: Buffer.alloc(32) },
    ]) {
      expect((await look(await start(config), { cookie })).status).toBe(303);
    }
  });

  it('a cookie that was planted before it does not hide it', async () => {
    const board = await start();
    const cookie = await signIn(board.url);
    expect((await look(board, { cookie: `fabula_admin=planted; ${cookie}` })).status).toBe(200);
  });

  it('is there while neither MySQL nor Redis is', async () => {
    const away = {
      set: () => Promise.reject(new Error('away')),
      del: () => Promise.reject(new Error('away')),
      exists: () => Promise.reject(new Error('away')),
    };
    const board = await startBoard(
      stores,
      [queue],
      {},
      { redis: away, audit: { record: async () => undefined } },
    );
    const cookie = await signIn(board.url);
    expect((await look(board, { cookie })).status).toBe(200);
  });

  it('is forged by nobody, and over when it was idle, or old', () => {
    const sessions = createAdminSessions({ user: 'a', password: 'p' }, undefined);
    const token = sessions.begin(1_000);
    const read = (text: string, nowMs = 1_000) => sessions.read(text, nowMs);
    const session = read(token)!;
    expect(session).toMatchObject({ startedAt: 1_000, seenAt: 1_000 });
    for (const at of [3, 10, 30]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(read(changed)).toBeUndefined();
    }
    // The last character of a signature holds two bits that stand for nothing: they are compared too.
    for (const last of BASE64URL.replace(token.at(-1)!, ''))
      expect(read(token.slice(0, -1) + last)).toBeUndefined();
    for (const other of ['', 'v1', `${token}x`, token.replace('v1', 'v2'), `${token} `])
      expect(read(other)).toBeUndefined();
    expect(read(token, 1_000 + IDLE_MS - 1)).toBeDefined();
    expect(read(token, 1_000 + IDLE_MS)).toBeUndefined();
    let latest = token;
    let nowMs = 1_000;
    while (nowMs < 1_000 + LONGEST_MS - IDLE_MS / 2) {
      nowMs += IDLE_MS / 2;
      latest = sessions.renew(sessions.read(latest, nowMs)!, nowMs) ?? latest;
    }
    expect(sessions.read(latest, 1_000 + LONGEST_MS)).toBeUndefined();
    expect(sessions.renew(session, 1_000 + 1)).toBeUndefined();
  });

  it('the sign-in takes nothing from another site, and shows what was wrong', async () => {
    const board = await start();
    const post = (headers: Record<string, string>, password: string) =>
      fetch(`${board.url}/admin/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ user: '"><b>x', password }),
      });
    expect((await post({ 'Sec-Fetch-Site': 'cross-site' }, ADMIN_PASSWORD)).status).toBe(403);
    const wrong = await post(OWN_PAGE, 'wrong');
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const html = await wrong.text();
    expect(html).toContain('Wrong user name or password');
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;x"');
    expect(wrong.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(wrong.headers.get('cache-control')).toBe('no-store');
  });
});

const knock = (board: TestApp, headers: Record<string, string>) =>
  fetch(`${board.url}/admin/queues/`, { headers });

describe('guessing', () => {
  it('the right password gets in however many wrong ones came from the same address', async () => {
    const board = await start();
    const cookie = await signIn(board.url);
    const statuses: number[] = [];
    for (let guess = 0; guess < 15; guess++)
      statuses.push((await knock(board, basic(ADMIN_USER, `g${guess}`))).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual(Array(5).fill(429));
    expect((await knock(board, ADMIN_BASIC)).status).toBe(200);
    expect((await knock(board, { cookie })).status).toBe(200);
    expect(await signIn(board.url)).toContain('fabula_admin=');
  });

  it('the right password gets in among wrong ones at once', async () => {
    const board = await start();
    const wrong = Array.from({ length: 30 }, (_, guess) => knock(board, basic(ADMIN_USER, `g${guess}`)));
    const right = knock(board, ADMIN_BASIC);
    expect((await right).status).toBe(200);
    await Promise.all(wrong);
    expect((await knock(board, ADMIN_BASIC)).status).toBe(200);
  });

  it('guesses of one address wait for each other, and those of another do not', async () => {
    const limits = createGuessLimits({ free: 2, paceMs: 200, maxWaiting: 3 });
    let checks = 0;
    const wrong = (address: string) =>
      limits.check(address, () => {
        checks += 1;
        return false;
      });
    for (let guess = 0; guess < 2; guess++) expect(await wrong('192.0.2.1')).toBe(false);
    const began = performance.now();
    const refused = await Promise.allSettled([1, 2, 3, 4].map(() => wrong('192.0.2.1')));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    // The fourth was refused without a check.
    expect(checks).toBe(5);
    expect(performance.now() - began).toBeGreaterThan(500);
    expect(await wrong('192.0.2.2')).toBe(false);
    expect(await limits.check('192.0.2.1', () => true)).toBe(true);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('guesses from %s count for %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
