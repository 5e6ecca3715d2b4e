import { createNearbyCounter } from '../../../src/platform/http/limits/nearby-counter.js';
import { createSilentLogger } from '../../../src/platform/logger.js';

const LIMIT = { name: 'webhook:7', perMinute: 10 };

/** A Redis that remembers the requests it was told of; `hold` delays its replies until `release`. */
function fakeRedis() {
  const told: number[] = [];
  const held: (() => void)[] = [];
  let holds = false;
  const redis = {
    async evalsha(_sha: unknown, _keys: unknown, ...rest: unknown[]) {
      told.push(Number(rest.at(-1)));
      if (holds) await new Promise<void>((resolve) => void held.push(resolve));
      return [told.reduce((sum, calls) => sum + calls, 0), 60_000];
    },
    eval: () => Promise.reject(new Error('not asked')),
  };
  const hold = () => {
    holds = true;
  };
  const release = () => {
    holds = false;
    for (const go of held.splice(0)) go();
  };
  return { redis, told, hold, release };
}

const counterOn = (redis: ReturnType<typeof fakeRedis>['redis']) =>
  createNearbyCounter({ redis, prefix: 'x', logger: createSilentLogger() });

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

describe('a closed counter of webhook requests', () => {
  it('has told Redis of its last requests, and keeps no timer', async () => {
    const { redis, told } = fakeRedis();
    const counter = counterOn(redis);
    counter.count([LIMIT]);
    counter.count([LIMIT]);
    expect([told, jest.getTimerCount()]).toEqual([[], 1]);
    await counter.close();
    expect([told, jest.getTimerCount()]).toEqual([[2], 0]);
  });

  it('waits for what is being told, and begins no timer after it', async () => {
    const { redis, told, hold, release } = fakeRedis();
    const counter = counterOn(redis);
    counter.count([LIMIT]);
    hold();
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual([1]);
    counter.count([LIMIT]);
    const closing = counter.close();
    release();
    await closing;
    expect([told, jest.getTimerCount()]).toEqual([[1, 1], 0]);
  });

  it('counts later requests without a timer', async () => {
    const { redis } = fakeRedis();
    const counter = counterOn(redis);
    await counter.close();
    expect(counter.count([LIMIT])).toMatchObject({ remaining: 9 });
    expect(jest.getTimerCount()).toBe(0);
  });
});
