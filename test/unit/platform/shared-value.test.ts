import { createSharedValue } from '../../../src/platform/redis/shared-value.js';

/** A Redis that keeps one value; `life`: for how long the last one is kept. */
function redis() {
  const kept = new Map<string, string>();
  let life: number | undefined;
  return {
    life: () => life,
    client: {
      set: async (key: string, text: string, ...[, ms]: [string, number]) => {
        kept.set(key, text);
        if (!key.endsWith(':reading')) life = ms;
        return 'OK';
      },
      del: async (key: string) => Number(kept.delete(key)),
      pipeline: () => ({
        get: (key: string) => ({
          pttl: () => ({
            exec: async () => [
              [null, kept.get(key) ?? null],
              [null, -2],
            ],
          }),
        }),
      }),
    },
  };
}

/** Returns for how long a value serves whose reading took so long. */
async function lifeOf(tookMs: number, mostMs?: (rows: number) => number): Promise<number | undefined> {
  const { client, life } = redis();
  const read = createSharedValue({
    redis: client as never,
    key: 'k',
    read: async () => {
      jest.advanceTimersByTime(tookMs);
      return 10;
    },
    leastMs: 5_000,
    ...(mostMs && { mostMs }),
    readingMs: 60_000,
    logger: { debug: () => undefined } as never,
  });
  await read();
  return life();
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('serves for twenty times as long as its reading took, and for a least time', async () => {
  expect(await lifeOf(10)).toBe(5_000);
  expect(await lifeOf(1_000)).toBe(20_000);
});

const byRows = (rows: number) => 5_000 + rows;

it('serves for no longer than its cost says, however long a busy machine kept it waiting, but for two readings', async () => {
  expect(await lifeOf(1_000, byRows)).toBe(5_010);
  expect(await lifeOf(100, byRows)).toBe(5_000);
  expect(await lifeOf(10_000, byRows)).toBe(20_000);
});
