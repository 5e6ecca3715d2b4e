import { createHmac } from 'node:crypto';
import { createSignedCalls } from '../../../src/web/webhooks/settings/signed-calls.js';
import { parseSignature } from '../../../src/web/webhooks/settings/webhook-signature.js';
import { recordingLogger } from '../../support/recording-logger.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const SECRET = 'a-secret-of-our-own';
const fabula = useFabula(stores, { queues: [] });
beforeEach(async () => {
  const hook = { type: 'Agents::WebhookAgent', name: 'Hook', options: { path: 'hook', secret: SECRET } };
  await fabula.importStory({ name: 'S', schema_version: 3, agents: [hook], links: [] });
});

const away = () => Promise.reject(new Error('Redis is away'));
const signature = (body: string, ts = Math.floor(Date.now() / 1000)) =>
  `ts=${ts};sig1=${createHmac('sha256', SECRET).update(`${ts}.${fabula.url}/webhook/hook.${body}`).digest('hex')}`;
const send = async (sig: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${fabula.url}/webhook/hook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-service-signature': sig, ...headers },
  });
  await response.text();
  return { status: response.status, run: response.headers.get('x-service-story-run') };
};
const runs = async () => {
  const rows = await stores.db.read((session) =>
    session.rows<{ guid: string }>('SELECT guid FROM story_runs'),
  );
  return rows.map(({ guid }) => guid);
};

it.each(['X-Service-Delivery', 'Webhook-Id', 'Idempotency-Key', 'X-GitHub-Delivery', 'svix-id'])(
  'a repeated signed call with %s is stored once and gets the same response',
  async (header) => {
    const sig = signature('{"n":1}');
    const first = await send(sig, '{"n":1}', { [header]: 'd-1' });
    const again = await send(sig, '{"n":1}', { [header]: 'd-1' });
    expect(first.status).toBe(201);
    expect(again).toEqual(first);
    expect(await runs()).toEqual([first.run]);
    expect(first.run).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  },
);

it('a signature is refused for another delivery id, and for a call without one', async () => {
  const sig = signature('{"n":1}');
  expect((await send(sig, '{"n":1}', { 'webhook-id': 'd-1' })).status).toBe(201);
  expect((await send(sig, '{"n":1}', { 'webhook-id': 'd-2' })).status).toBe(409);
  expect((await send(sig, '{"n":1}')).status).toBe(409);
  // In another form it is the same signature.
  const [, hex = ''] = /sig1=(.*)/.exec(sig) ?? [];
  const base64 = sig.replace(hex, Buffer.from(hex, 'hex').toString('base64'));
  expect((await send(base64, '{"n":1}', { 'webhook-id': 'd-3' })).status).toBe(409);
  expect(await runs()).toHaveLength(1);
});

it('twenty replays at once make one run', async () => {
  const sig = signature('{"n":1}');
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => send(sig, '{"n":1}', { 'webhook-id': 'd' })),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(responses.map(({ run }) => run)).size).toBe(1);
  expect(await runs()).toHaveLength(1);
});

it('without a delivery id the same signed body may be sent twice, as the specification says', async () => {
  const sig = signature('{}');
  expect([(await send(sig, '{}')).status, (await send(sig, '{}')).status]).toEqual([201, 201]);
  expect(new Set(await runs()).size).toBe(2);
});

it('other signatures with the same delivery are other calls', async () => {
  const now = Math.floor(Date.now() / 1000);
  for (const ts of [now, now - 1]) {
    expect((await send(signature('{}', ts), '{}', { 'webhook-id': 'd' })).status).toBe(201);
  }
  expect(await runs()).toHaveLength(2);
});

it('a call with the secret itself may come again', async () => {
  for (let times = 0; times < 2; times++) {
    expect((await fabula.fire(`hook/${SECRET}`, {}, { headers: { 'webhook-id': 'd' } })).status).toBe(201);
  }
  expect(await runs()).toHaveLength(2);
});

it('without Redis a call passes, and a replay of it has the same guid', async () => {
  const redis = { get: away, multi: () => ({ set: () => ({ get: () => ({ exec: away }) }) }) };
  const { logger } = recordingLogger();
  const calls = createSignedCalls({ redis: redis as never, prefix: 'p', toleranceSeconds: 300, logger });
  const parsed = parseSignature(signature('{}'))!;
  const call = { agentId: 1, signature: parsed, headers: { 'webhook-id': 'd' } };
  const first = await calls.guidOf(call);
  expect(first).toBeDefined();
  expect(await calls.guidOf(call)).toBe(first);
  expect(await calls.guidOf({ ...call, agentId: 2 })).not.toBe(first);
  expect(await calls.guidOf({ ...call, headers: {} })).toBeUndefined();
});
