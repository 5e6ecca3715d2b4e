import { createRefusedCalls } from '../../../src/platform/http/limits/refused-calls.js';
import { NotFound, Unauthorized } from '../../../src/platform/errors.js';
import { newApiKey } from '../../../src/api/auth/api-key.js';
import { isPromptId, promptId } from '../../../src/engine/prompts/prompt-id.js';
import { buildAccount } from '../../support/builders.js';
import { countQueries } from '../../support/counted-queries.js';
import { eventually } from '../../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../../support/fabula-here.js';
import { sendRaw } from '../../support/raw-http.js';
import { useStores } from '../../support/stores.js';
import { startTestApp } from '../../support/app.js';

const stores = useStores();
const LIMIT = 20;
let fabula: TestFabulaHere;
beforeEach(async () => {
  fabula = await startFabulaHere(stores, { queues: [], env: { REFUSED_CALLS_PER_MINUTE: String(LIMIT) } });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await fabula.close();
});

/** A busy machine takes longer for many requests than the limit takes to allow one more: its time stands still. */
const stopTheClock = (laterMs = 0) =>
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + laterMs);
const withKey = (key: string) => fetch(`${fabula.url}/api/v1/stories`, { headers: { 'x-user-token': key } });
const statuses = async (count: number, ask: (index: number) => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await ask(index)).status);
  return found;
};
const guess = (index: number) => fetch(`${fabula.url}/prompts/${index.toString(16).padStart(32, 'a')}`);
const importHook = async () => {
  const hook = {
    type: 'Agents::WebhookAgent',
    name: 'Hook',
    options: { path: 'hook', secret: 'right', verbs: 'get,post' },
  };
  await fabula.importStory({ name: 'S', schema_version: 3, agents: [hook], links: [] });
};

it('after too many wrong keys an address has to wait, but right keys from it are accepted', async () => {
  const clock = stopTheClock();
  expect(await statuses(LIMIT, () => withKey(newApiKey()))).toEqual(Array.from({ length: LIMIT }, () => 401));
  const refused = await withKey(newApiKey());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await withKey('no key at all')).status).toBe(429);
  expect((await withKey(fabula.account.key)).status).toBe(200);
  clock.mockRestore();
  const fresh = await buildAccount(stores.db);
  // Keys that are new are known within two seconds.
  await eventually(async () => (await withKey(fresh.key)).status === 200, 10_000);
});

it('beyond the limit wrong keys are not looked up', async () => {
  const queries = countQueries();
  // Keys are read again after two seconds.
  stopTheClock(3_000);
  await statuses(LIMIT + 1, () => withKey(newApiKey()));
  const before = queries();
  expect(before).toBeGreaterThanOrEqual(LIMIT);
  expect(new Set(await statuses(200, () => withKey(newApiKey())))).toEqual(new Set([429]));
  // The server's own loops ask now and then; the keys themselves are read every two seconds.
  expect(queries() - before).toBeLessThan(100);
});

it('wrong secrets, unknown webhooks and bad signatures count, and the right secret goes on', async () => {
  await importHook();
  stopTheClock();
  const wrong = (index: number) => fabula.fire(['hook/wrong', 'nowhere/x', 'hook'][index % 3] ?? '');
  expect(new Set(await statuses(LIMIT, wrong))).toEqual(new Set([401, 404]));
  expect(await statuses(3, wrong)).toEqual([429, 429, 429]);
  expect((await fabula.fire('hook/right')).status).toBe(201);
});

it('prompts that nobody made are refused without waiting, and beyond the limit without a query', async () => {
  const startedAt = performance.now();
  expect(new Set(await statuses(5, guess))).toEqual(new Set([404]));
  expect(performance.now() - startedAt).toBeLessThan(5 * 1_500);
  const queries = countQueries();
  stopTheClock();
  await statuses(LIMIT, guess);
  expect(new Set(await statuses(200, guess))).toEqual(new Set([429]));
  expect(queries()).toBeLessThan(100);
});

it('addresses are counted one by one, and a trusted proxy stands for those behind it', async () => {
  await fabula.close();
  const env = { REFUSED_CALLS_PER_MINUTE: '5', TRUSTED_PROXIES: '127.0.0.1' };
  fabula = await startFabulaHere(stores, { queues: [], env });
  const from = (address: string) => async () => ({
    status: Number(
      (
        await sendRaw(
          fabula.url,
          `GET /api/v1/stories HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n\r\n`,
        )
      ).slice(9, 12),
    ),
  });
  expect((await statuses(7, from('2001:db8::1'))).slice(-1)).toEqual([429]);
  expect(await statuses(1, from('2001:db8::2'))).toEqual([429]);
  expect(await statuses(1, from('2001:db8:0:1::1'))).toEqual([401]);
  expect(await statuses(1, from('192.0.2.1'))).toEqual([401]);
});

it('a bucket empties with time, and holds a bounded number of addresses', () => {
  let time = 0;
  const calls = createRefusedCalls({ perMinute: 60, now: () => time });
  const judge = () => calls.judge('192.0.2.1', new Unauthorized()).status;
  for (let index = 0; index < 60; index++) expect(judge()).toBe(401);
  expect([judge(), calls.isOver('192.0.2.1')]).toEqual([429, true]);
  time += 1_001;
  expect([judge(), judge()]).toEqual([401, 429]);
  for (let index = 0; index < 30_000; index++)
    calls.judge(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, new NotFound('Story'));
  expect(calls.isOver('192.0.2.1')).toBe(false);
});

it('ids of prompts show whether they are ours', () => {
  const id = promptId('3-7:Yes', 'secret');
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect([
    isPromptId(id, 'secret'),
    isPromptId(id, 'other'),
    isPromptId(`${id.slice(0, 31)}g`, 'secret'),
  ]).toEqual([true, false, false]);
});

it('a hundred readiness checks at once ask the stores once', async () => {
  let asked = 0;
  const checks = {
    database: async () => void (asked += 1),
    redis: async () => {},
    schema: async () => {},
    webhooks: async () => {},
  };
  const app = await startTestApp(stores, {
    routes: [],
    services: null,
    health: { checks, isShuttingDown: () => false },
  });
  // What a check found holds for a moment, which lasts as long as the hundred take.
  stopTheClock();
  const responses = await Promise.all(Array.from({ length: 100 }, () => fetch(`${app.url}/readyz`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(asked).toBeLessThanOrEqual(3);
});
