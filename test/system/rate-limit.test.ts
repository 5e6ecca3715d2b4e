import Joi from 'joi';
import { readConfig } from '../../src/config/config.js';
import { createNearbyCounter } from '../../src/platform/http/limits/nearby-counter.js';
import { createRateCounter } from '../../src/platform/http/limits/rate-counter.js';
import { createRouteLimits } from '../../src/api/request/route-limits.js';
import { type AnyRoute, defineRoute } from '../../src/api/route.js';
import { NO_QUOTAS } from '../../src/people/quotas/tenant-quotas.js';
import type { JsonObject } from '../../src/platform/json.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { createWebhookLimits } from '../../src/web/webhooks/settings/webhook-limits.js';
import { startTestApp } from '../support/app.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { SECRET, startWebhooks } from '../support/webhooks.js';

const stores = useStores();

const routes: AnyRoute<unknown>[] = [
  defineRoute<unknown, unknown, unknown, unknown>({
    method: 'get',
    path: '/api/v1/plain',
    summary: 'Counts against the general limit',
    handle: () => ({}),
  }),
  defineRoute<unknown, unknown, { a?: string }, unknown>({
    method: 'post',
    path: '/api/v1/plain',
    summary: 'Counts against the general limit too',
    body: Joi.object({ a: Joi.string() }),
    handle: () => ({}),
  }),
  defineRoute<unknown, unknown, unknown, unknown>({
    method: 'get',
    path: '/api/v1/list',
    summary: 'Has a limit of its own',
    limit: 'records-list',
    handle: () => ({}),
  }),
];

/** The port that a web process chose. */
async function portOf(process: FabulaProcess): Promise<number> {
  await process.said('web is listening');
  return Number(/"port":(\d+)/.exec(process.output())![1]);
}

let prefixes = 0;

/** A counter with a Redis connection of its own, as each web process has. */
async function counterAt(url: string, prefix = `${stores.queuePrefix}-${++prefixes}`) {
  const recording = recordingLogger();
  const { logger } = recording;
  const redis = createRedis({ redisUrl: url, redisTlsRejectUnauthorized: true }, 'producer', logger);
  stores.onClose(() => redis.disconnect());
  await eventually(() => redis.status === 'ready');
  const counter = createRateCounter({ redis, prefix, logger });
  return { counter, lines: () => recording.lines(), prefix, redis };
}

async function start(perMinute: { api?: number; list?: number } = {}, prefix?: string) {
  const own = await counterAt(stores.redisUrl, prefix);
  const config = {
    rateLimitPerMinute: perMinute.api ?? 3,
    recordsListRateLimitPerMinute: perMinute.list ?? 2,
    userRateLimitPerMinute: 0,
    tenantRateLimitPerMinute: 0,
  };
  const limits = createRouteLimits({ counter: own.counter, config });
  const app = await startTestApp(stores, { routes, services: {}, limits });
  const call = async (path: string, key: string, init: RequestInit = {}) => {
    const response = await fetch(app.url + path, {
      ...init,
      headers: { 'X-User-Token': key, ...(init.headers as Record<string, string>) },
    });
    const number = (name: string) => {
      const value = response.headers.get(name);
      return value === null ? undefined : Number(value);
    };
    return {
      status: response.status,
      body: (await response.json()) as { errors?: { message: string }[] },
      limit: number('X-RateLimit-Limit'),
      remaining: number('X-RateLimit-Remaining'),
      reset: number('X-RateLimit-Reset'),
      retryAfter: number('Retry-After'),
    };
  };
  return { ...own, call };
}

describe('a key’s rate limit', () => {
  it('is told on every response, and refuses the first call over it with 429 and the time to wait', async () => {
    const { key } = await buildAccount(stores.db);
    const { call } = await start();
    const before = Math.floor(Date.now() / 1000);
    const responses = [];
    for (let index = 0; index < 5; index++) responses.push(await call('/api/v1/plain', key));
    expect(responses.map(({ status, remaining }) => [status, remaining])).toEqual([
      [200, 2],
      [200, 1],
      [200, 0],
      [429, 0],
      [429, 0],
    ]);
    for (const { limit, reset } of responses) {
      expect(limit).toBe(3);
      expect(reset).toBeGreaterThanOrEqual(before + 55);
      expect(reset).toBeLessThanOrEqual(before + 65);
    }
    const { retryAfter, body } = responses[4]!;
    expect(retryAfter).toBeGreaterThanOrEqual(50);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(responses[0]!.retryAfter).toBeUndefined();
    expect(body).toEqual({
      errors: [{ message: `More than 3 calls within a minute; try again in ${retryAfter} s` }],
    });
  });

  it('counts calls that fail too, and one key’s calls do not count for another', async () => {
    const [mine, other] = [await buildAccount(stores.db), await buildAccount(stores.db)];
    const { call } = await start();
    const wrong = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"b":1}' };
    expect(await call('/api/v1/plain', mine.key, wrong)).toMatchObject({ status: 422, remaining: 2 });
    expect(await call('/api/v1/plain', other.key)).toMatchObject({ status: 200, remaining: 2 });
    expect(await call('/api/v1/plain', mine.key)).toMatchObject({ status: 200, remaining: 1 });
  });

  it('is separate for the list of records', async () => {
    const { key } = await buildAccount(stores.db);
    const { call } = await start();
    const list = [];
    for (let index = 0; index < 3; index++) list.push((await call('/api/v1/list', key)).status);
    expect(list).toEqual([200, 200, 429]);
    expect(await call('/api/v1/plain', key)).toMatchObject({ status: 200, limit: 3, remaining: 2 });
  });

  it('is lifted by 0, and then not told', async () => {
    const { key } = await buildAccount(stores.db);
    const { call } = await start({ api: 0, list: 0 });
    for (const path of ['/api/v1/plain', '/api/v1/list', '/api/v1/list', '/api/v1/list']) {
      expect(await call(path, key)).toMatchObject({ status: 200, limit: undefined, reset: undefined });
    }
  });

  it('is one over several web processes', async () => {
    const { key } = await buildAccount(stores.db);
    const first = await start({ api: 10 });
    const second = await start({ api: 10 }, first.prefix);
    const calls = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? first : second).call('/api/v1/plain', key),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('is one over two real web processes', async () => {
    const { key } = await buildAccount(stores.db);
    const env = fabulaEnvironment(stores, { RATE_LIMIT_PER_MINUTE: '20', LOG_LEVEL: 'info' });
    const processes = [startProcess('web', env), startProcess('web', env)];
    for (const process of processes) stores.onClose(() => process.stop('SIGKILL'));
    const ports = await Promise.all(processes.map(portOf));
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const url = `http://127.0.0.1:${ports[index % 2]}/api/v1/stories`;
        const response = await fetch(url, { headers: { 'X-User-Token': key } });
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  it('begins anew when its window is over', async () => {
    const { key, keyId, tenantId } = await buildAccount(stores.db);
    const { call, prefix, redis } = await start({ api: 1 });
    expect((await call('/api/v1/plain', key)).status).toBe(200);
    expect((await call('/api/v1/plain', key)).status).toBe(429);
    const name = `${prefix}:rate:api:{${tenantId}}:key:${keyId}`;
    expect(await redis.pttl(name)).toBeGreaterThan(50_000);
    await redis.pexpire(name, 1);
    await eventually(async () => (await redis.exists(name)) === 0);
    expect(await call('/api/v1/plain', key)).toMatchObject({ status: 200, remaining: 0 });
  });

  it('by default is 5,000 a minute, 100 for lists of records, and far above honest floods for webhooks', () => {
    const config = readConfig({ DATABASE_URL: 'mysql://a@b/c', REDIS_URL: 'redis://a' });
    expect(config).toMatchObject({
      rateLimitPerMinute: 5_000,
      recordsListRateLimitPerMinute: 100,
      webhookRateLimitPerMinute: 600_000,
      webhookTenantRateLimitPerMinute: 1_200_000,
    });
  });
});

describe('while Redis cannot count', () => {
  const limit = { name: 'x', perMinute: 1 };

  it('calls pass, and it is logged once, not for each call', async () => {
    const proxy = await startTcpProxy(stores.redisUrl);
    stores.onClose(() => proxy.close());
    const { counter, lines } = await counterAt(proxy.url);
    expect(await counter.count([limit])).toMatchObject({ remaining: 0, exceeded: false });
    expect(await counter.count([limit])).toMatchObject({ remaining: 0, exceeded: true });
    proxy.cut();
    for (let index = 0; index < 20; index++) expect(await counter.count([limit])).toBeUndefined();
    const warnings = lines().filter(({ message }) => String(message).includes('rate limits'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ level: 'warn' });
  });

  it('a Redis that hangs delays one call by a quarter of a second, and the next ones not at all', async () => {
    const { logger } = recordingLogger();
    let asked = 0;
    const silent = {
      evalsha: () => (asked++, new Promise<never>(() => undefined)),
      eval: () => Promise.reject(new Error('not asked')),
    };
    const counter = createRateCounter({ redis: silent, prefix: 'x', logger });
    const startedAt = performance.now();
    for (let index = 0; index < 50; index++) expect(await counter.count([limit])).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(50 * 250);
    expect(asked).toBe(1);
  });

  it.each([
    ['before it asks', (count: () => unknown) => (count(), holdUp(600))],
    ['while the answer comes', (count: () => unknown) => (count(), setImmediate(() => holdUp(600)))],
  ])(
    'it is not one that this process takes for it because it was held up itself, %s',
    async (_when, begin) => {
      const { counter, lines } = await counterAt(stores.redisUrl);
      let counting: ReturnType<typeof counter.count> | undefined;
      begin(() => (counting = counter.count([limit])));
      expect(await counting).toMatchObject({ remaining: 0, exceeded: false });
      expect(await counter.count([limit])).toMatchObject({ exceeded: true });
      expect(lines()).toEqual([]);
    },
  );
});

/** Nothing else of this process goes on meanwhile, as on a machine that has too much to do. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Two web processes with a webhook that sets its own limit, over one Redis. */
async function startOwnLimit(rateLimit: JsonObject) {
  const { redis, prefix } = await counterAt(stores.redisUrl);
  const two = await Promise.all(
    [1, 2].map(() => {
      const windows = createRateCounter({ redis, prefix, logger: stores.logger });
      return startWebhooks({ deps: { windows }, options: { rate_limit: rateLimit } });
    }),
  );
  for (const webhooks of two) stores.onClose(() => webhooks.close());
  const fire = (web: number, body: JsonObject = {}) =>
    fetch(`${two[web]!.url}/webhook/hook/${encodeURIComponent(SECRET)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { fire, two };
}

describe('L6: the rate_limit of a webhook', () => {
  it('refuses the third call of two with 429 and Retry-After, over all web processes, and starts no run', async () => {
    const { fire, two } = await startOwnLimit({ count: 2, period: 60 });
    const responses = [await fire(0), await fire(1), await fire(0), await fire(1)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 429, 429]);
    expect(Number(responses[2]!.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await responses[2]!.text()).toMatch(/^More than 2 calls within 60 s; try again in \d+ s$/);
    expect(two.map(({ started }) => started.length)).toEqual([1, 1]);
  });

  it('counts each value of its key by itself, and takes numbers as text', async () => {
    const { fire } = await startOwnLimit({ key: '{{ body.who }}', count: '1', period: '3600' });
    const responses = [
      await fire(0, { who: 'ada' }),
      await fire(1, { who: 'bob' }),
      await fire(1, { who: 'ada' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(Number(responses[2]!.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });

  it.each([{ count: 0, period: 60 }, { count: 1 }, { count: 1, period: 'soon' }])(
    'is not counted where it cannot be used: %j',
    async (limit) => {
      const { fire, two } = await startOwnLimit(limit);
      expect([(await fire(0)).status, (await fire(0)).status]).toEqual([201, 201]);
      expect(JSON.stringify(two[0]!.warnings)).toContain('rate_limit');
    },
  );
});

/** One webhook with limits of its own. */
async function startLimited(perMinute: { webhook?: number; tenant?: number }) {
  const { redis, prefix } = await counterAt(stores.redisUrl);
  const limits = createWebhookLimits({
    counter: createNearbyCounter({ redis, prefix, logger: stores.logger }),
    quotas: NO_QUOTAS,
    config: {
      webhookRateLimitPerMinute: perMinute.webhook ?? 0,
      webhookTenantRateLimitPerMinute: perMinute.tenant ?? 0,
    },
  });
  const webhooks = await startWebhooks({ deps: { limits } });
  stores.onClose(() => webhooks.close());
  const fire = (secret = SECRET) =>
    fetch(`${webhooks.url}/webhook/hook/${encodeURIComponent(secret)}`, { method: 'POST' });
  return { fire, started: webhooks.started };
}

describe('webhooks', () => {
  it.each([{ webhook: 2 }, { tenant: 2 }, { webhook: 2, tenant: 50 }, { webhook: 50, tenant: 2 }])(
    'with the limits %j start two runs, then answer 429 as plain text and start none',
    async (perMinute) => {
      const { fire, started } = await startLimited(perMinute);
      const responses = [await fire(), await fire(), await fire()];
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 429]);
      expect(responses.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
      const refused = responses[2]!;
      expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(started).toHaveLength(2);
    },
  );

  it('do not count calls of strangers', async () => {
    const { fire } = await startLimited({ webhook: 1 });
    expect((await fire('wrong')).status).toBe(401);
    expect((await fire('wrong')).status).toBe(401);
    expect((await fire()).status).toBe(201);
  });

  it('have no limit, and no headers of one, where it is 0', async () => {
    const { fire } = await startLimited({});
    for (let index = 0; index < 5; index++) {
      const response = await fire();
      expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([201, null]);
    }
  });

  it('know within a second what other web processes have counted, without waiting for Redis', async () => {
    const { redis, prefix } = await counterAt(stores.redisUrl);
    const limit = { name: 'webhook:7', perMinute: 10 };
    const processes = [1, 2].map(() =>
      createNearbyCounter({ redis, prefix, logger: stores.logger, shareEveryMs: 5 }),
    );
    const [one, other] = processes;
    for (let calls = 1; calls <= 10; calls++) {
      expect(one!.count([limit])).toMatchObject({ remaining: 10 - calls, exceeded: false });
    }
    const counted = (calls: number) =>
      eventually(async () => (await redis.get(`${prefix}:rate:webhook:7`)) === String(calls));
    await counted(10);
    // By itself the other one would take ten.
    expect(other!.count([limit])).toMatchObject({ exceeded: false });
    await counted(11);
    await eventually(() => other!.count([limit])?.exceeded === true);
    expect(one!.count([limit])).toMatchObject({ limit: 10, remaining: 0, exceeded: true });
  });

  it('are counted by each process for itself while Redis is away, and that is logged once', async () => {
    const recording = recordingLogger();
    const redis = {
      evalsha: () => Promise.reject(new Error('away')),
      eval: () => Promise.reject(new Error('not asked')),
    };
    const counter = createNearbyCounter({ redis, prefix: 'x', logger: recording.logger, shareEveryMs: 1 });
    const limit = { name: 'webhook:7', perMinute: 2 };
    const exceeded = () => counter.count([limit])?.exceeded;
    expect([exceeded(), exceeded(), exceeded()]).toEqual([false, false, true]);
    const warnings = () => recording.lines().filter(({ level }) => level === 'warn');
    await eventually(() => warnings().length > 0);
    expect(exceeded()).toBe(true);
    expect(warnings()).toHaveLength(1);
  });
});
