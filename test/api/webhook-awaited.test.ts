import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { Redis } from 'ioredis';
import { messageOfResponse, responseChannel } from '../../src/engine/state/runs/run-notifications.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { Unavailable } from '../../src/platform/errors.js';
import type { JsonValue } from '../../src/platform/json.js';
import type { StoryGraph } from '../../src/stories/graph/story-graph.js';
import {
  createResponseSlots,
  type ResponseSlots,
  type ResponseSlotsOptions,
  type SlotRequest,
} from '../../src/web/webhooks/responses/response-slots.js';
import {
  createResponseWaiter,
  type ResponseWaiter,
} from '../../src/web/webhooks/responses/response-waiter.js';
import { responseFromPayload } from '../../src/web/webhooks/responses/awaited-response.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { postJson } from '../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooksOptions } from '../support/webhooks.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const EXIT = 'e'.repeat(32);
const TENANT = 1;
const stores = useStores();
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await stores.redis.del(slotKey());
});

const openWaiter = async (pollMs: number): Promise<ResponseWaiter> => {
  const redis = new Redis(stores.redisUrl, { connectionName: stores.queuePrefix });
  const waiter = createResponseWaiter({
    database: stores.db,
    redis,
    prefix: stores.queuePrefix,
    logger: stores.logger,
    pollMs,
  });
  closers.push(async () => {
    await waiter.close();
    redis.disconnect();
  });
  await listeners(1);
  return waiter;
};

/** Waits until the channel has so many subscribers. */
const listeners = async (count: number, guid = newRunGuid()): Promise<void> => {
  const channel = responseChannel(stores.queuePrefix, guid);
  while (((await stores.redis.pubsub('NUMSUB', channel))[1] as number) < count);
};

/** Breaks the waiter's own connection, found by its name. */
const killListener = async (): Promise<void> => {
  const clients = String(await stores.redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
  const line = clients.split('\n').find((client) => client.includes(`name=${stores.queuePrefix}`));
  const id = /\bid=(\d+)/.exec(line ?? '')?.[1];
  expect(await stores.redis.call('CLIENT', 'KILL', 'ID', id ?? 'not found')).toBe(1);
};

/** A run at work: one delivery is pending. */
const storeRun = (guid: string) =>
  stores.db.transaction(async (session) => {
    await session.run(
      "INSERT INTO story_runs (guid, story_id, source, awaited) VALUES (?, 3, 'webhook', TRUE)",
      [guid],
    );
    await session.run(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, awaited, depth, due_at)
       VALUES (?, 3, 9, 1, 'email', TRUE, 1, NOW(3))`,
      [guid],
    );
  });

const finishWork = (guid: string) => stores.sql('DELETE FROM deliveries WHERE story_run_guid = ?', [guid]);

const respond = (guid: string, payload: JsonValue) =>
  stores.db.transaction(async (session) => {
    const { insertId } = await session.run(
      "INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES (?, 3, 9, ?, '{}')",
      [guid, JSON.stringify(payload)],
    );
    await session.run('UPDATE story_runs SET response_event_id = ? WHERE guid = ?', [insertId, guid]);
  });

const hint = (message: string) =>
  stores.redis.publish(responseChannel(stores.queuePrefix, message.slice(0, 36)), message);

const openSlots = (overrides: Partial<ResponseSlotsOptions> = {}) =>
  createResponseSlots({
    redis: stores.redis,
    prefix: stores.queuePrefix,
    limits: { ordinary: 2, dedicated: 3 },
    isDedicated: async (tenantId) => tenantId === 99,
    leaseMs: 60_000,
    logger: stores.logger,
    ...overrides,
  });

const slotKey = () => `${stores.queuePrefix}:response-slots:${TENANT}`;

const acquire = async (slots: ReturnType<typeof openSlots>, tenantId = TENANT, guid = randomUUID()) =>
  await slots.acquire(tenantId, guid);

describe('waiting for a response', () => {
  const NEVER = 3_600_000;

  test('a hint wakes the wait, with the payload from the database', async () => {
    const waiter = await openWaiter(NEVER);
    const guid = newRunGuid();
    const ticket = waiter.expect(guid);
    await storeRun(guid);
    await respond(guid, { a: [1, 'é'] });
    await hint(guid);
    expect(await ticket.wait(10_000)).toEqual({ kind: 'response', payload: { a: [1, 'é'] } });
  });

  test.each([
    ['short', { a: [1, 'é'] }],
    ['null', null],
  ])('a hint that says the response (%s) is enough', async (_what, payload) => {
    const waiter = await openWaiter(NEVER);
    const guid = newRunGuid();
    const ticket = waiter.expect(guid);
    await hint(messageOfResponse({ guid, payload: JSON.stringify(payload) }));
    expect(await ticket.wait(10_000)).toEqual({ kind: 'response', payload });
  });

  test.each([
    [
      'too long to be told',
      (guid: string) => messageOfResponse({ guid, payload: JSON.stringify('x'.repeat(5_000)) }),
    ],
    ['that cannot be read', (guid: string) => `${guid}{"a`],
  ])('a response %s is looked up', async (_what, hintFor) => {
    const waiter = await openWaiter(NEVER);
    const guid = newRunGuid();
    const ticket = waiter.expect(guid);
    await storeRun(guid);
    await respond(guid, 'stored');
    await hint(hintFor(guid));
    expect(await ticket.wait(10_000)).toEqual({ kind: 'response', payload: 'stored' });
  });

  test('a run whose guid another process made is told on its own channel, for as long as it is waited for', async () => {
    const waiter = await openWaiter(NEVER);
    const guid = randomUUID();
    const tickets = [waiter.expect(guid), waiter.expect(randomUUID())];
    await listeners(1, guid);
    await hint(messageOfResponse({ guid, payload: '1' }));
    expect(await tickets[0]!.wait(10_000)).toEqual({ kind: 'response', payload: 1 });
    await eventually(
      async () => (await stores.redis.pubsub('NUMSUB', responseChannel(stores.queuePrefix, guid)))[1] === 0,
    );
    tickets[1]!.cancel();
  });

  test('without any hint the poll finds it', async () => {
    const waiter = await openWaiter(20);
    const guids = [newRunGuid(), newRunGuid(), newRunGuid()];
    const waits = guids.map((guid) => waiter.expect(guid).wait(10_000));
    for (const guid of guids) await storeRun(guid);
    await respond(guids[0]!, 'first');
    await finishWork(guids[1]!);
    await respond(guids[2]!, null);
    expect(await Promise.all(waits)).toEqual([
      { kind: 'response', payload: 'first' },
      { kind: 'ended' },
      { kind: 'response', payload: null },
    ]);
  });

  test('a run without work left is over, although nobody lived to write it down', async () => {
    const waiter = await openWaiter(20);
    const guid = newRunGuid();
    await storeRun(guid);
    const wait = waiter.expect(guid).wait(10_000);
    await finishWork(guid);
    expect(await wait).toEqual({ kind: 'ended' });
  });

  test('a hint before the wait begins is not lost', async () => {
    const waiter = await openWaiter(NEVER);
    const [early, late] = [newRunGuid(), newRunGuid()];
    const earlyTicket = waiter.expect(early);
    const lateTicket = waiter.expect(late);
    for (const guid of [early, late]) {
      await storeRun(guid);
      await respond(guid, guid);
      await hint(guid);
    }
    expect(await lateTicket.wait(10_000)).toMatchObject({ payload: late });
    expect(await earlyTicket.wait(10_000)).toMatchObject({ payload: early });
  });

  test('a hint about a run that nobody waits for, or that has no outcome yet, changes nothing', async () => {
    const waiter = await openWaiter(NEVER);
    const guid = newRunGuid();
    const wait = waiter.expect(guid).wait(10_000);
    await storeRun(guid);
    await hint(newRunGuid());
    await hint(guid);
    await finishWork(guid);
    await hint(guid);
    expect(await wait).toEqual({ kind: 'ended' });
  });

  test('it ends by time-out, by cancel and by close', async () => {
    const waiter = await openWaiter(NEVER);
    expect(await waiter.expect(newRunGuid()).wait(20)).toEqual({ kind: 'timeout' });
    const cancelled = waiter.expect(newRunGuid());
    const wait = cancelled.wait(10_000);
    cancelled.cancel();
    cancelled.cancel();
    expect(await wait).toEqual({ kind: 'timeout' });
    const open = waiter.expect(newRunGuid()).wait(10_000);
    await waiter.close();
    expect(await open).toEqual({ kind: 'timeout' });
  });

  test('it listens again after its connection broke', async () => {
    const waiter = await openWaiter(NEVER);
    await killListener();
    await listeners(1);
    const guid = newRunGuid();
    const wait = waiter.expect(guid).wait(10_000);
    await storeRun(guid);
    await finishWork(guid);
    await hint(guid);
    expect(await wait).toEqual({ kind: 'ended' });
  });

  test('a database that fails once does not end the wait', async () => {
    let failures = 1;
    const redis = new Redis(stores.redisUrl);
    const waiter = createResponseWaiter({
      database: {
        read: (work) => (failures-- > 0 ? Promise.reject(new Error('down')) : stores.db.read(work)),
      },
      redis,
      prefix: stores.queuePrefix,
      logger: stores.logger,
      pollMs: 20,
    });
    closers.push(async () => {
      await waiter.close();
      redis.disconnect();
    });
    const guid = newRunGuid();
    const wait = waiter.expect(guid).wait(10_000);
    await storeRun(guid);
    await finishWork(guid);
    expect(await wait).toEqual({ kind: 'ended' });
  });
});

describe('slots', () => {
  test('a tenant has as many as its limit, over all processes, and gets them back', async () => {
    const [here, there] = [openSlots(), openSlots()];
    const first = await acquire(here);
    expect((await acquire(there)).kind).toBe('granted');
    expect(await acquire(here)).toEqual({ kind: 'limit' });
    expect((await acquire(here, 2)).kind).toBe('granted');
    if (first.kind === 'granted') await first.release();
    expect((await acquire(there)).kind).toBe('granted');
    expect(await acquire(there)).toEqual({ kind: 'limit' });
  });

  test('a dedicated tenant has its own limit', async () => {
    const slots = openSlots();
    const kinds = [];
    for (let call = 0; call < 4; call += 1) kinds.push((await acquire(slots, 99)).kind);
    expect(kinds).toEqual(['granted', 'granted', 'granted', 'limit']);
  });

  test('what a dead process held runs out', async () => {
    const slots = openSlots({ leaseMs: 1, limits: { ordinary: 1, dedicated: 1 } });
    expect((await acquire(slots)).kind).toBe('granted');
    let request = await acquire(slots);
    while (request.kind === 'limit') request = await acquire(slots);
    expect(request.kind).toBe('granted');
  });

  test('what a dead process held runs out while others keep theirs', async () => {
    const [dead, alive] = [openSlots({ leaseMs: 500 }), openSlots()];
    expect((await acquire(dead)).kind).toBe('granted');
    expect((await acquire(alive)).kind).toBe('granted');
    let request = await acquire(alive);
    while (request.kind === 'limit') request = await acquire(alive);
    expect(request.kind).toBe('granted');
    expect(await acquire(alive)).toEqual({ kind: 'limit' });
  });

  test('the key goes away by itself', async () => {
    await acquire(openSlots(), 5);
    const ttl = await stores.redis.pttl(`${stores.queuePrefix}:response-slots:5`);
    expect(ttl).toBeGreaterThan(0);
  });

  test('a tenant that cannot be looked up has the ordinary limit', async () => {
    const slots = openSlots({ isDedicated: () => Promise.reject(new Error('down')) });
    expect((await acquire(slots, 6)).kind).toBe('granted');
  });

  test('Redis that refuses or does not answer: unavailable, in bounded time', async () => {
    const closed = new Redis(stores.redisUrl, { lazyConnect: true, enableOfflineQueue: false });
    expect(await acquire(openSlots({ redis: closed }))).toEqual({ kind: 'unavailable' });
    closed.disconnect();
    const silent = { eval: () => new Promise<never>(() => undefined), zrem: async () => 0 };
    const slots = openSlots({ redis: silent as unknown as Redis, commandTimeoutMs: 20 });
    expect(await acquire(slots)).toEqual({ kind: 'unavailable' });
  });
});

describe('answers from an exit’s payload', () => {
  const JSON_TYPE = 'application/json; charset=utf-8';
  const TEXT = 'text/plain; charset=utf-8';

  test.each<[string, JsonValue, boolean, number, string | undefined, string]>([
    ['an object', { a: 1 }, false, 200, JSON_TYPE, '{"a":1}'],
    ['an object as text', { a: 1 }, true, 200, TEXT, '{"a":1}'],
    ['a text', 'hi', false, 200, JSON_TYPE, '"hi"'],
    ['a text as text', 'hi', true, 200, TEXT, 'hi'],
    ['null', null, false, 200, JSON_TYPE, 'null'],
    ['status and body', { status: 404, body: { e: 1 } }, false, 404, JSON_TYPE, '{"e":1}'],
    ['status as text', { status: '202', body: 'x' }, false, 202, TEXT, 'x'],
    ['status and body as text', { status: 200, body: { e: 1 } }, true, 200, TEXT, '{"e":1}'],
    [
      'a chosen type',
      { status: 200, body: '<a/>', headers: { 'content-type': 'text/xml' } },
      false,
      200,
      'text/xml; charset=utf-8',
      '<a/>',
    ],
    ['no body to send', { status: 204, body: 'x' }, false, 204, undefined, ''],
    ['a status out of range', { status: 600, body: 1 }, false, 200, JSON_TYPE, '{"status":600,"body":1}'],
    [
      'a status that is a word',
      { status: 'open', body: 1 },
      false,
      200,
      JSON_TYPE,
      '{"status":"open","body":1}',
    ],
    ['a status without body', { status: 404 }, false, 200, JSON_TYPE, '{"status":404}'],
    [
      'data with a status among other keys',
      { status: 404, body: 1, id: 2 },
      false,
      200,
      JSON_TYPE,
      '{"status":404,"body":1,"id":2}',
    ],
  ])('%s', (_name, payload, ...[asText, status, type, text]) => {
    const response = responseFromPayload(payload, asText);
    expect({
      status: response.status,
      type: response.headers['Content-Type'],
      text: response.body,
    }).toEqual({ status, type, text });
  });

  test('headers are taken over but for those of the connection', () => {
    const headers = { 'X-Mine': '1', 'content-encoding': 'gzip', 'content-length': '5', location: '/x' };
    const response = responseFromPayload({ status: 302, body: '', headers }, false);
    expect(response.headers).toMatchObject({ 'X-Mine': '1', location: '/x', 'Content-Length': '0' });
    expect(response.headers).not.toHaveProperty('content-encoding');
  });
});

describe('response-enabled webhooks', () => {
  const ENABLED: Partial<StoryGraph> = {
    synchronousWebhooksEnabled: true,
    responseExitGuids: new Set([EXIT]),
  };

  /** A webhook whose runs are stored for real; `onStart` plays the workers. */
  const startStory = async (
    onStart: (run: RunStart) => unknown,
    { deps, ...options }: TestWebhooksOptions = {},
  ) => {
    const waiter = await openWaiter(20);
    const started: RunStart[] = [];
    const webhooks = await startWebhooks({
      story: ENABLED,
      options: { response: 'configured' },
      ...options,
      deps: {
        waiter,
        slots: openSlots(),
        runs: {
          async start(run) {
            started.push(run);
            await storeRun(run.guid);
            await onStart(run);
            return { eventId: 1 };
          },
        },
        ...deps,
      },
    });
    closers.push(() => webhooks.close());
    return { url: webhooks.url + HOOK, started };
  };

  test('the response is the first exit’s payload', async () => {
    const { url, started } = await startStory((run) => respond(run.guid, { verdict: 'clean' }));
    const response = await postJson(url, { a: 1 });
    expect(response).toMatchObject({ status: 200, text: '{"verdict":"clean"}' });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-service-status': 'ok',
      'x-service-story-run': started[0]?.guid,
    });
    expect(started[0]?.awaited).toBe(true);
    expect(await stores.redis.zcard(slotKey())).toBe(0);
  });

  test.each([
    ['text/plain', 'hi'],
    ['text/plain, application/json;q=0.5', 'hi'],
    ['application/json, text/plain', '"hi"'],
    ['*/*', '"hi"'],
  ])('Accept: %s', async (accept, text) => {
    const { url } = await startStory((run) => respond(run.guid, 'hi'));
    expect((await postJson(url, {}, { accept })).text).toBe(text);
  });

  test('a run that ends without an exit gives the configured response', async () => {
    const { url } = await startStory((run) => finishWork(run.guid));
    const response = await postJson(url, {});
    expect(response).toMatchObject({ status: 201, text: 'configured' });
    expect(response.headers['x-service-status']).toBe('data_received');
  });

  test('a run that takes too long gives 504, with its guid, and frees the slot', async () => {
    const { url, started } = await startStory(() => undefined, { config: { responseWaitMs: 50 } });
    const response = await postJson(url, {});
    expect(response.status).toBe(504);
    expect(response.headers).toMatchObject({
      'x-service-status': 'data_received',
      'x-service-story-run': started[0]?.guid,
    });
    expect(await stores.redis.zcard(slotKey())).toBe(0);
  });

  test('over the limit the configured response goes out at once', async () => {
    const guids: string[] = [];
    const { url } = await startStory((run) => guids.push(run.guid));
    const waiting = [postJson(url, {}), postJson(url, {})];
    while ((await stores.redis.zcard(slotKey())) < 2);
    const response = await postJson(url, {});
    expect(response).toMatchObject({ status: 201, text: 'configured' });
    expect(response.headers['x-service-status']).toBe('limit_reached');
    expect(response.headers['x-service-story-run']).toBeDefined();
    // The callers have their slots before their runs are stored.
    await eventually(() => guids.length === 3);
    for (const guid of guids) await respond(guid, 'done');
    expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['"done"', '"done"']);
  });

  test('Redis down: the configured response at once, and the run is not awaited', async () => {
    const slots = { acquire: async () => ({ kind: 'unavailable' }) as const };
    const { url, started } = await startStory(() => undefined, { deps: { slots } });
    const response = await postJson(url, {});
    expect(response).toMatchObject({ status: 201, text: 'configured' });
    expect(response.headers['x-service-status']).toBe('data_received');
    expect(started.map(({ awaited }) => awaited)).toEqual([false]);
  });

  test('a run is stored once a slot is granted, and its response is sent', async () => {
    let grant!: () => void;
    const leave = new Promise<void>((resolve) => (grant = resolve));
    let isAsked = false;
    const slots = openSlots();
    const late: ResponseSlots = {
      acquire: async (...given) => {
        isAsked = true;
        await leave;
        return slots.acquire(...given);
      },
    };
    const { url, started } = await startStory((run) => respond(run.guid, 'hi'), { deps: { slots: late } });
    const response = postJson(url, {});
    await eventually(() => isAsked);
    expect(started).toEqual([]);
    grant();
    expect((await response).text).toBe('"hi"');
    expect(started.map(({ awaited }) => awaited)).toEqual([true]);
  });

  test.each(['limit', 'unavailable'] as const)(
    '%s: a run without a slot is accepted while the database is down',
    async (kind) => {
      const acquire = () => new Promise<SlotRequest>((resolve) => setImmediate(resolve, { kind }));
      const started: RunStart[] = [];
      // As the spool has it while the database is away.
      const start = async (run: RunStart) => {
        started.push(run);
        if (run.awaited === true) throw new Unavailable('away');
        return { eventId: undefined };
      };
      const { url } = await startStory(() => undefined, { deps: { slots: { acquire }, runs: { start } } });
      expect(await postJson(url, {})).toMatchObject({ status: 201, text: 'configured' });
      expect(started.map(({ awaited }) => awaited)).toEqual([false]);
    },
  );

  test.each<[string, Partial<StoryGraph>]>([
    ['the story does not ask for it', { ...ENABLED, synchronousWebhooksEnabled: false }],
    ['there is no exit', { ...ENABLED, responseExitGuids: new Set() }],
    ['this webhook is not among the entries', { ...ENABLED, responseEntryGuids: new Set(['other']) }],
  ])('%s: an ordinary webhook', async (_name, story) => {
    const { url, started } = await startStory(() => undefined, { story });
    const response = await postJson(url, {});
    expect(response).toMatchObject({ status: 201, text: 'configured' });
    expect(response.headers['x-service-status']).toBeUndefined();
    expect(started[0]?.awaited).toBe(false);
  });

  test('a webhook among the entries is answered by its run', async () => {
    const story = { ...ENABLED, responseEntryGuids: new Set(['a'.repeat(32)]) };
    const { url } = await startStory((run) => respond(run.guid, 1), { story });
    expect((await postJson(url, {})).text).toBe('1');
  });

  test('a run that cannot be stored frees its slot', async () => {
    const { url } = await startStory(() => Promise.reject(new Error('fault')));
    expect((await postJson(url, {})).status).toBe(500);
    while ((await stores.redis.zcard(slotKey())) > 0);
  });

  test('a caller that hangs up is not waited for', async () => {
    const { url, started } = await startStory(() => undefined, { config: { responseWaitMs: 3_600_000 } });
    const request = http.request(url, { method: 'POST', agent: false });
    request.on('error', () => undefined).end();
    while ((await stores.redis.zcard(slotKey())) === 0 || started.length === 0);
    request.destroy();
    while ((await stores.redis.zcard(slotKey())) > 0);
    expect(started).toHaveLength(1);
  });
});
