import { EventEmitter } from 'node:events';
import { settleWhenReady } from '../../src/platform/redis/redis.js';

/** A cluster whose attempt to connect ends as told: the driver leaves it open if it connects again by itself. */
function build(attempt: () => Promise<void>) {
  const cluster = Object.assign(new EventEmitter(), { connect: attempt });
  settleWhenReady(cluster as never);
  return cluster;
}

it('ends when the cluster is ready, though the first attempt never does', async () => {
  const cluster = build(() => new Promise(() => undefined));
  const connected = cluster.connect();
  cluster.emit('ready');
  await expect(connected).resolves.toBeUndefined();
});

it.each([
  { end: 'succeeds', attempt: () => Promise.resolve(), result: undefined },
  { end: 'fails', attempt: () => Promise.reject(new Error('no node')), result: 'no node' },
])('ends as the attempt does, and leaves no listener behind, if it $end', async ({ attempt, result }) => {
  const cluster = build(attempt);
  const ended = await cluster.connect().catch((error: Error) => error.message);
  expect(ended).toBe(result);
  await new Promise(setImmediate);
  expect(cluster.listenerCount('ready')).toBe(0);
});
