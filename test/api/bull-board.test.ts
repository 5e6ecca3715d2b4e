import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import {
  ADMIN_BASIC as admin,
  ADMIN_PASSWORD as PASSWORD,
  ADMIN_USER as USER,
  basic,
} from '../support/admin-account.js';
import { startBoard } from '../support/admin.js';
import type { TestApp } from '../support/app.js';
import { startTestApp } from '../support/app.js';
import { useStores } from '../support/stores.js';

describe('Bull Board', () => {
  const stores = useStores();
  let queue: Queue;
  let app: TestApp;

  const start = (config: object = {}) => startBoard(stores, [queue], { adminBoardWrite: true, ...config });

  beforeAll(async () => {
    const connection = new Redis(stores.redisUrl, { maxRetriesPerRequest: null });
    queue = new Queue('trigger', { connection, prefix: stores.queuePrefix });
    stores.onClose(async () => {
      await queue.close();
      connection.disconnect();
    });
    app = await start();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/admin/queues${path}`, { headers });

  it('shows the queues and their jobs to the administrator', async () => {
    await queue.add('delivery', { deliveryId: 1, generation: 0 });
    const response = await get('/api/queues?activeQueue=trigger&status=latest&page=1&jobsPerPage=10', admin);
    expect(response.status).toBe(200);
    const { queues } = (await response.json()) as {
      queues: { name: string; counts: object; jobs: unknown[] }[];
    };
    expect(queues).toHaveLength(1);
    expect(queues[0]).toMatchObject({ name: 'trigger', counts: { waiting: 1 } });
    expect(queues[0]!.jobs).toHaveLength(1);
  });

  it('needs no other host: the page and its files are served here, and its policy allows nothing else', async () => {
    const page = await get('/', admin);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|upgrade-insecure|unsafe-eval|script-src/);
    const html = await page.text();
    expect(html).not.toMatch(/<(?:link|script|img)[^>]*\s(?:src|href)="(?:https?:)?\/\//);
    expect(html).toContain('static/fonts/geist.woff2');
    expect(html).toContain('"font-sans":"\\"Geist Variable\\"');
    const files = [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect((await get(`/${file}`, admin)).status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await get(`/${files[0]}`, admin)).headers.get('cache-control')).toBe('private, max-age=86400');
  });

  it.each([
    ['no password', {}],
    ['a wrong password', basic(USER, 'correct horsE')],
    ['a wrong user', basic('root', PASSWORD)],
    ['an API key', { Authorization: 'Bearer fab_x' }],
    ['nonsense', { Authorization: 'Basic %%%' }],
  ])('asks for the password when it gets %s, for pages, data and files alike', async (_what, headers) => {
    for (const path of ['/', '/api/queues', '/static/favicon.ico']) {
      const response = await get(path, headers);
      expect(response.status).toBe(401);
      // A challenge would have a browser keep the password, and send it along.
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('makes an address that guesses wait, and lets the right password in all the same', async () => {
    const own = await start();
    const knock = (headers: Record<string, string>) => fetch(`${own.url}/admin/queues/`, { headers });
    for (let guess = 0; guess < 10; guess++) {
      expect((await knock(basic(USER, `guess-${guess}`))).status).toBe(401);
    }
    const refused = await knock(basic(USER, 'another guess'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await knock(admin)).status).toBe(200);
  });

  it('does not count requests without a password as guesses', async () => {
    const own = await start();
    for (let visit = 0; visit < 15; visit++) {
      expect((await fetch(`${own.url}/admin/queues/`)).status).toBe(401);
    }
    expect((await fetch(`${own.url}/admin/queues/`, { headers: admin })).status).toBe(200);
  });

  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'https://evil.test' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{}, 200],
  ])('with %j on a change answers %i', async (headers, status) => {
    const response = await fetch(`${app.url}/admin/queues/api/queues/trigger/pause`, {
      method: 'PUT',
      headers: { ...admin, ...(headers as Record<string, string>) },
    });
    expect(response.status).toBe(status);
  });

  it('refuses a body that is not JSON as such', async () => {
    const response = await fetch(`${app.url}/admin/queues/api/queues/trigger/add`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: '{',
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { key: 'ERRORS.INVALID_REQUEST_BODY' } },
    ]);
  });

  it.each([
    ['nothing', { adminUser: undefined, adminPassword: undefined }],
    ['a user only', { adminPassword: undefined }],
    ['a password only', { adminUser: undefined }],
  ])('has no account when %s is configured: a browser is sent to the console', async (_what, config) => {
    const own = await start(config);
    for (const headers of [admin, {}, { Accept: 'text/html' }]) {
      const response = await fetch(`${own.url}/admin/queues/api/queues`, { headers, redirect: 'manual' });
      const isPage = 'Accept' in headers;
      expect([response.status, response.headers.get('location')]).toEqual(
        isPage ? [303, `${own.url.replace('http:', '')}/console/`] : [401, null],
      );
    }
    expect((await fetch(`${own.url}/admin/sign-in`)).status).toBe(404);
  });

  it('is not there where tenants are served', async () => {
    const without = await startTestApp(stores, { routes: [], services: null });
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/queues']) {
      expect((await fetch(without.url + path, { headers: admin })).status).toBe(404);
    }
  });

  it('says that Redis is away, without a stack', async () => {
    const counts = jest.spyOn(queue, 'getJobCounts').mockRejectedValue(new Error('Connection is closed.'));
    const response = await get('/api/queues', admin);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"error":{"key":"ERRORS.REDIS_UNAVAILABLE"}}');
    counts.mockRestore();
  });
});
