import { readConfig } from '../../../src/config/config.js';
import { buildAccount, buildKey, type Account } from '../../support/builders.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { useStores } from '../../support/stores.js';
import { storyOf } from '../../support/stories.js';

const stores = useStores();

/** The web application alone: nothing is worked on. */
const startWeb = (env: NodeJS.ProcessEnv) => startFabula(stores, { queues: [], relay: false, env });

const HOOK = storyOf({ Receive: ['Webhook', { path: 'hook', secret: 's3cret', verbs: 'post' }] }, []);

const call = (fabula: TestFabula, key: string, path: string, body?: object) =>
  fetch(fabula.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-user-token': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const messageOf = async (response: Response) =>
  ((await response.json()) as { errors: { message: string }[] }).errors[0]?.message;

/** Another personal key of the account's user, made in the database. */
async function moreKeys({ tenantId, user }: Account, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    buildKey(stores.db, { tenantId, kind: 'personal', userId: user.id }),
  );
  return (await Promise.all(made)).map(({ key }) => key);
}

async function statusesOf(calls: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('rate limits', () => {
  it('all keys of a user share one limit', async () => {
    const fabula = await startWeb({ RATE_LIMIT_PER_MINUTE: '20' });
    const account = await buildAccount(stores.db, { role: 'VIEWER' });
    const keys = await moreKeys(account, 30);
    const calls = keys.flatMap((key) => [
      call(fabula, key, '/api/v1/teams'),
      call(fabula, key, '/api/v1/teams'),
    ]);
    expect(await statusesOf(calls)).toEqual({ 200: 20, 429: 40 });
    const refused = await call(fabula, keys[0]!, '/api/v1/teams');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await messageOf(refused)).toMatch(/^More than 20 calls of one user within a minute/);
  });

  it('all keys of a user share one limit of lists of records', async () => {
    const fabula = await startWeb({ RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '5' });
    const account = await buildAccount(stores.db, { role: 'VIEWER' });
    const keys = await moreKeys(account, 12);
    const statuses = await statusesOf(
      keys.map((key) => call(fabula, key, '/api/v1/records?record_type_id=1')),
    );
    expect(statuses).toEqual({ 404: 5, 429: 7 });
  });

  it('all users of a tenant share one limit, and another tenant has its own', async () => {
    const fabula = await startWeb({ RATE_LIMIT_TENANT_PER_MINUTE: '10' });
    const first = await buildAccount(stores.db);
    const others = await Promise.all([1, 2, 3].map(() => buildAccount(stores.db, { team: first.team })));
    const keys = [first, ...others].map(({ key }) => key);
    const calls = keys.flatMap((key) => [1, 2, 3, 4].map(() => call(fabula, key, '/api/v1/teams')));
    expect(await statusesOf(calls)).toEqual({ 200: 10, 429: 6 });
    const stranger = await buildAccount(stores.db);
    expect((await call(fabula, stranger.key, '/api/v1/teams')).status).toBe(200);
  });

  it('webhooks have a limit unless it is lifted, above what one machine takes', () => {
    const config = readConfig({ DATABASE_URL: 'mysql://a@b/c', REDIS_URL: 'redis://a' });
    const { webhookRateLimitPerMinute: perWebhook, webhookTenantRateLimitPerMinute: perTenant } = config;
    expect(perWebhook).toBeGreaterThanOrEqual(180_000);
    expect(perTenant).toBeGreaterThan(perWebhook);
    expect(perTenant).toBeLessThanOrEqual(1_200_000);
  });

  it('a webhook over its limit answers 429 and starts nothing', async () => {
    const fabula = await startWeb({ WEBHOOK_RATE_LIMIT_PER_MINUTE: '3' });
    const story = await fabula.importStory(HOOK);
    const responses = [];
    for (let index = 0; index < 6; index++) responses.push(await fabula.fire(story.webhooks['Receive']!));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429, 429]);
    expect(Number(responses[5]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await fabula.events()).toHaveLength(3);
  });
});

describe('keys', () => {
  it('a user has so many keys at once, and no more, however fast they are asked for', async () => {
    const fabula = await startWeb({ API_KEYS_PER_USER: '20' });
    const { key } = await buildAccount(stores.db, { role: 'VIEWER' });
    const ask = () => call(fabula, key, '/api/v1/api_keys', { kind: 'personal', name: 'more' });
    expect(await statusesOf(Array.from({ length: 30 }, ask))).toEqual({ 201: 19, 409: 11 });
    expect(await messageOf(await ask())).toMatch(/The user has the maximum of 20 valid API keys/);
  });

  it('revoked and expired keys leave room for others', async () => {
    const fabula = await startWeb({ API_KEYS_PER_USER: '2' });
    const { key } = await buildAccount(stores.db);
    const ask = async () => call(fabula, key, '/api/v1/api_keys', { kind: 'personal', name: 'more' });
    const { id } = (await (await ask()).json()) as { id: number };
    expect((await ask()).status).toBe(409);
    await fetch(`${fabula.url}/api/v1/api_keys/${id}`, {
      method: 'DELETE',
      headers: { 'x-user-token': key },
    });
    const next = (await (await ask()).json()) as { id: number };
    expect((await ask()).status).toBe(409);
    await stores.sql('UPDATE api_keys SET expires_at = NOW(3) - INTERVAL 1 SECOND WHERE id = ?', [next.id]);
    expect((await ask()).status).toBe(201);
  });

  it('a tenant and its teams have so many keys at once', async () => {
    const fabula = await startWeb({ API_KEYS_PER_TENANT: '3' });
    const { key, team } = await buildAccount(stores.db, { owner: true });
    const asked = [
      { kind: 'tenant', name: 'a' },
      { kind: 'team', name: 'b', team_id: team.id, role: 'VIEWER' },
      { kind: 'team', name: 'c', team_id: team.id, role: 'VIEWER' },
      { kind: 'tenant', name: 'd' },
      { kind: 'team', name: 'e', team_id: team.id, role: 'VIEWER' },
    ];
    const statuses = [];
    for (const body of asked) statuses.push((await call(fabula, key, '/api/v1/api_keys', body)).status);
    expect(statuses).toEqual([201, 201, 201, 409, 409]);
    const text = {
      mode: 'fabula',
      name: 'by credential',
      team_id: team.id,
      key: { kind: 'team', role: 'VIEWER' },
    };
    expect((await call(fabula, key, '/api/v1/credentials', text)).status).toBe(409);
  });
});
