import { createDuty } from '../../src/platform/redis/duty.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let named = 0;
const newKey = () => `${stores.queuePrefix}:duty:${++named}`;

/** A process that shares in the duty; it stops with the stores. */
function share(key: string, redis: Parameters<typeof createDuty>[0]['redis'] = stores.redis) {
  const stopping = new AbortController();
  const duty = createDuty({ redis, key, logger: stores.logger, askEveryMs: 50, patienceMs: 200 });
  const state = { working: false, terms: 0, rests: 0 };
  const done = duty.run(stopping.signal, {
    async work(signal) {
      state.terms += 1;
      state.working = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      state.working = false;
    },
    rest: () => void (state.rests += 1),
  });
  const stop = () => {
    stopping.abort();
    return done;
  };
  stores.onClose(stop);
  return { state, stop, offer: () => duty.offer() };
}

test('one process of three has the duty, and the others are told to rest', async () => {
  const key = newKey();
  const shares = [share(key), share(key), share(key)];
  await eventually(() => shares.filter(({ state }) => state.rests > 0).length === 2);
  expect(shares.filter(({ state }) => state.working)).toHaveLength(1);
});

test('a process that stops passes the duty on, and ends its work', async () => {
  const key = newKey();
  const first = share(key);
  await eventually(() => first.state.working);
  const second = share(key);
  await eventually(() => second.state.rests > 0);
  await first.stop();
  expect(first.state.working).toBe(false);
  await eventually(() => second.state.working);
});

test('the duty of a process that died is free after seconds', async () => {
  const key = newKey();
  await stores.redis.set(key, 'one that died', 'PX', 1_000);
  const own = share(key);
  await eventually(() => own.state.rests > 0);
  await eventually(() => own.state.working);
});

test('a process that lost the duty stops its work, and another term may follow', async () => {
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

test('an offered duty is kept if nobody takes it, and is passed on if somebody does', async () => {
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

test('while Redis does not answer, the process on duty continues, and after a while each other one works', async () => {
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
