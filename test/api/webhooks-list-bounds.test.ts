import type { Request } from 'express';
import { AppError } from '../../src/platform/errors.js';
import { createCallLog, type CallLog } from '../../src/web/webhooks/calls/call-log.js';
import { createWebhookCalls } from '../../src/web/webhooks/calls/webhook-calls.js';
import { noCalls, type PendingCalls } from '../../src/web/webhooks/calls/pending-calls.js';
import type { StartedCall } from '../../src/web/webhooks/responses/configured-response.js';
import { useStores } from '../support/stores.js';
import { eventually } from '../support/eventually.js';

const stores = useStores();
const request = { ip: '192.0.2.1', headers: { 'content-type': 'text/plain' }, method: 'POST' } as Request;
const started = (agentId: number): StartedCall =>
  ({ call: { agent: { id: agentId }, rawBody: Buffer.from('abc') }, guid: 'g' }) as unknown as StartedCall;

/** A log that fails as long as it is told to. */
function failingLog() {
  const written: Map<number, PendingCalls>[] = [];
  const log = {
    fails: false,
    written,
    async write(calls: ReadonlyMap<number, PendingCalls>) {
      if (log.fails) throw new Error('Redis is away');
      written.push(new Map(calls));
    },
  };
  return log;
}

const write = (log: CallLog, ids: number[]) =>
  log.write(new Map(ids.map((id) => [id, { ...noCalls(), acceptedCount: 1 }])));

describe('the calls of webhooks in memory', () => {
  it('are written together, each webhook with its last 20 calls', async () => {
    const log = failingLog();
    const calls = createWebhookCalls({ log, logger: stores.logger });
    for (let count = 0; count < 100; count += 1) calls.accepted(started(count % 2), request, 200 + count);
    await calls.close();
    const [batch] = log.written;
    const statuses = batch!.get(1)!.accepted.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, place) => 261 + 2 * place),
    );
    expect([...batch!.values()].map(({ acceptedCount }) => acceptedCount)).toEqual([50, 50]);
  });

  it('are counted as unrecorded when a write has failed', async () => {
    const log = failingLog();
    const calls = createWebhookCalls({ log, logger: stores.logger });
    log.fails = true;
    calls.accepted(started(7), request, 201);
    calls.refused(7, request, { error: new AppError(401, 'no'), response: new AppError(401, 'no') });
    await calls.close();
    log.fails = false;
    await calls.close();
    expect(log.written[0]!.get(7)).toMatchObject({ unrecordedCount: 2, acceptedCount: 0, accepted: [] });
  });

  it('are dropped when too many webhooks wait', async () => {
    const log = failingLog();
    const calls = createWebhookCalls({ log, logger: stores.logger });
    for (let agentId = 0; agentId < 3_000; agentId += 1) calls.accepted(started(agentId), request, 201);
    for (let closes = 0; closes < 6; closes += 1) await calls.close();
    const sizes = log.written.map(({ size }) => size);
    expect(sizes).toEqual([500, 500, 500, 500]);
  });
});

describe('the calls of webhooks in Redis', () => {
  it('are of the webhooks that were called last', async () => {
    const log = createCallLog({ redis: stores.redis, prefix: stores.queuePrefix, keptWebhooks: 2 });
    await write(log, [1]);
    await eventually(async () => {
      await write(log, [2]);
      await write(log, [3]);
      return (await log.read([1])).get(1)?.counts === undefined;
    });
    const known = await log.read([2, 3]);
    expect([...known.values()].map(({ counts }) => counts?.accepted)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
  });

  it('expire by themselves, all keys of a webhook in one slot of a cluster', async () => {
    const prefix = `${stores.queuePrefix}-one`;
    const log = createCallLog({ redis: stores.redis, prefix });
    const call = { at: Date.now(), status: 1, bytes: 1, address: '', contentType: '', runGuid: '' };
    await log.write(new Map([[9, { ...noCalls(), acceptedCount: 1, accepted: [call] }]]));
    const keys = await stores.redis.keys(`${prefix}:{webhook:9}:*`);
    expect(keys.toSorted()).toEqual([`${prefix}:{webhook:9}:accepted`, `${prefix}:{webhook:9}:counts`]);
    for (const key of keys) expect(await stores.redis.pttl(key)).toBeGreaterThan(0);
  });
});
