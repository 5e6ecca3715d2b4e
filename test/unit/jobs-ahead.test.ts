import type { JobJson } from 'bullmq';
import { createJobsAhead, type Fetched, type JobsAhead } from '../../workers/job-prefetch.js';

/** A queue in memory. */
function queue() {
  const waiting: string[] = [];
  const locks = new Map<string, string>();
  const redis = {
    waiting,
    locks,
    calls: 0,
    /** How many jobs each fetch asked for. */
    asked: [] as number[],
    fetchOne: async (token: string): Promise<Fetched> => {
      redis.calls += 1;
      const id = waiting.shift();
      if (id === undefined) return [0, 0, 0, 0];
      if (id === 'broken') throw new Error('Redis is out of reach');
      locks.set(id, token);
      return [{ id, name: id } as JobJson, id, 0, 0];
    },
  };
  return redis;
}

/** Takes jobs until there are none, as BullMQ's main loop does; gives their ids. */
async function takeAll(ahead: JobsAhead, redis: ReturnType<typeof queue>) {
  const ids: string[] = [];
  for (let turn = 0; ; turn++) {
    const before = redis.calls;
    const [data, id] = await ahead.next(`main:${turn}`, redis.fetchOne);
    if (redis.calls > before) redis.asked.push(redis.calls - before);
    if (!data) return ids;
    ahead.begin();
    ids.push(String(id));
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `job ${index}`);

test('jobs come in their order, and are asked for as many at a time as came before, and one more', async () => {
  const redis = queue();
  const ahead = createJobsAhead(100);
  const rounds = async (count: number) => {
    redis.waiting.push(...names(count));
    expect(await takeAll(ahead, redis)).toEqual(names(count));
    for (let each = 0; each < count; each++) ahead.end();
    return redis.asked.splice(0);
  };
  expect(await rounds(8)).toEqual([1, 2, 4, 8]);
  expect(await rounds(8)).toEqual([9]);
  expect(await rounds(3)).toEqual([9]);
  expect(await rounds(3)).toEqual([4]);
  // Nothing there says nothing of what comes next.
  expect(await rounds(0)).toEqual([4]);
  expect(await rounds(1)).toEqual([4]);
  expect(await rounds(1)).toEqual([2]);
  expect(await rounds(60)).toEqual([2, 3, 6, 12, 24, 32]);
});

test('no more are asked for than a worker may still have under way', async () => {
  const redis = queue();
  const ahead = createJobsAhead(5);
  redis.waiting.push(...names(20));
  for (let turn = 0; turn < 4; turn++) {
    await ahead.next(`first:${turn}`, redis.fetchOne);
    ahead.begin();
  }
  while (ahead.hasNext()) {
    await ahead.next('rest', redis.fetchOne);
    ahead.begin();
  }
  expect(redis.locks.size).toBe(5);
  ahead.end();
  await ahead.next('next', redis.fetchOne);
  expect(ahead.hasNext()).toBe(false);
  expect(redis.locks.size).toBe(6);
});

test('where several are asked for, there is word before the last question', async () => {
  const redis = queue();
  const order: string[] = [];
  const fetchOne = (token: string) => {
    order.push('?');
    return redis.fetchOne(token);
  };
  const ahead = createJobsAhead(100, () => order.push('!'));
  const take = async () => {
    while ((await ahead.next('main', fetchOne))[0]) ahead.begin();
    return order.splice(0).join('');
  };
  expect(await take()).toBe('?');
  redis.waiting.push(...names(3));
  // One, two, four.
  expect(await take()).toBe(['?', '?!?', '???!?'].join(''));
});

test('each job says the token that it is locked with, and those of a fetch have one each', async () => {
  const redis = queue();
  const ahead = createJobsAhead(100);
  redis.waiting.push(...names(3));
  const tokens: (string | undefined)[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const [data] = await ahead.next(`main:${turn}`, redis.fetchOne);
    tokens.push(data ? ahead.tokenOf(data) : undefined);
  }
  expect(tokens).toEqual([...redis.locks.values()]);
  expect(new Set(tokens).size).toBe(3);
  expect(ahead.tokenOf({ id: 'another' } as JobJson)).toBeUndefined();
});

test('an error comes after the jobs that came with it, and once', async () => {
  const redis = queue();
  const ahead = createJobsAhead(100);
  redis.waiting.push(...names(4));
  expect(await takeAll(ahead, redis)).toEqual(names(4));
  redis.waiting.push('job 1', 'broken', 'job 2', 'broken');
  expect((await ahead.next('a', redis.fetchOne))[1]).toBe('job 1');
  expect((await ahead.next('b', redis.fetchOne))[1]).toBe('job 2');
  await expect(ahead.next('c', redis.fetchOne)).rejects.toThrow('Redis is out of reach');
  expect(ahead.hasNext()).toBe(false);
});

test('what is not given out can be taken back, with the tokens of the locks', async () => {
  const redis = queue();
  const ahead = createJobsAhead(100);
  redis.waiting.push(...names(2));
  await takeAll(ahead, redis);
  redis.waiting.push('a', 'b', 'c');
  await ahead.next('main', redis.fetchOne);
  const rest = ahead.takeAll();
  expect(rest.map(({ id, token }) => [id, token])).toEqual(['b', 'c'].map((id) => [id, redis.locks.get(id)]));
  expect(ahead.hasNext()).toBe(false);
});
