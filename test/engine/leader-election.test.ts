import { createLeaderElection } from '../../src/platform/redis/leader-election.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let named = 0;
const newKey = () => `${stores.queuePrefix}:duty:${++named}`;

/** A process that takes part in the election; it stops with the stores. */
function share(key: string, redis: Parameters<typeof createLeaderElection>[0]['redis'] = stores.redis) {
  const stopping = new AbortController();
  const leadership = createLeaderElection({
    redis,
    key,
    logger: stores.logger,
    askEveryMs: 50,
    patienceMs: 200,
  });
  const state = { working: false, terms: 0, rests: 0 };
  const done = leadership.run(stopping.signal, {
    async work(signal) {
      state.terms += 1;
      state.working = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      state.working = false;
    },
    onFollower: () => void (state.rests += 1),
  });
  const stop = () => {
    stopping.abort();
    return done;
  };
  stores.onClose(stop);
  return { state, stop, offer: () => leadership.yield() };
}

test('one process of three is the leader, and the others are followers', async () => {
  const key = newKey();
  const shares = [share(key), share(key), share(key)];
  await eventually(() => shares.filter(({ state }) => state.rests > 0).length === 2);
  expect(shares.filter(({ state }) => state.working)).toHaveLength(1);
});

test('a process that stops passes the leadership on, and ends its work', async () => {
  const key = newKey();
  const first = share(key);
  await eventually(() => first.state.working);
  const second = share(key);
  await eventually(() => second.state.rests > 0);
  await first.stop();
  expect(first.state.working).toBe(false);
  await eventually(() => second.state.working);
});

test('the leadership of a process that died is free after seconds', async () => {
  const key = newKey();
  await stores.redis.set(key, 'one that died', 'PX', 1_000);
  const own = share(key);
  await eventually(() => own.state.rests > 0);
  await eventually(() => own.state.working);
});

test('a process that lost the leadership stops its work, and another term may follow', async () => {
  const key = newKey();
  const own = share(key);
  await eventually(() => own.state.working);
  await stores.redis.set(key, 'another one', 'PX', 60_000);
  await eventually(() => !own.state.working);
  expect(own.state.rests).toBe(1);
  await stores.redis.del(key);
  await eventually(() => own.state.working);
  expect(own.state.terms).toBe(2);
});

test('a yielded leadership is kept if no process takes it, and is passed on if one does', async () => {
  const key = newKey();
  const first = share(key);
  await eventually(() => first.state.working);
  first.offer();
  await eventually(async () => (await stores.redis.get(key)) === null);
  await eventually(async () => (await stores.redis.get(key)) !== null);
  expect(first.state).toMatchObject({ working: true, terms: 1 });
  const second = share(key);
  await eventually(() => second.state.rests > 0);
  await eventually(() => {
    if (!second.state.working) first.offer();
    return second.state.working && !first.state.working;
  });
});

test('while Redis does not answer, the leader continues, and after a while each other one works', async () => {
  const key = newKey();
  let away = false;
  const flaky = {
    set: ((...args: [string, string, 'PX', number, 'NX']) =>
      away ? Promise.reject(new Error('away')) : stores.redis.set(...args)) as typeof stores.redis.set,
    eval: ((...args: [string, number, string]) =>
      away ? Promise.reject(new Error('away')) : stores.redis.eval(...args)) as typeof stores.redis.eval,
  };
  const first = share(key, flaky);
  await eventually(() => first.state.working);
  const second = share(key, flaky);
  await eventually(() => second.state.rests > 0);
  away = true;
  await eventually(() => second.state.working);
  expect(first.state).toMatchObject({ working: true, terms: 1 });
  away = false;
  await eventually(() => first.state.working !== second.state.working);
});

test('no work begins in a process that stops while it asks', async () => {
  const stopping = new AbortController();
  const redis = {
    set: (async () => {
      stopping.abort();
      return 'OK';
    }) as unknown as typeof stores.redis.set,
    eval: async () => 1,
  };
  const work = jest.fn(async () => undefined);
  await createLeaderElection({ redis, key: newKey(), logger: stores.logger }).run(stopping.signal, { work });
  expect(work).not.toHaveBeenCalled();
});
