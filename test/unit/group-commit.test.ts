import { createGroupCommit, type GroupCommitOptions } from '../../src/platform/mysql/commit/group-commit.js';
import { Unavailable } from '../../src/platform/errors.js';
import { eventually } from '../support/eventually.js';

/** How long a batch is tried again: time for several tries, also in a process that is held up now and then. */
const RETRY_FOR_MS = 600;

interface Item {
  id: number;
  bytes?: number;
}

const deadlock = () => Object.assign(new Error('Deadlock found'), { errno: 1213 });
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true });
const badData = () => Object.assign(new Error('Data too long'), { errno: 1406 });

/** A group commit over a fake database that remembers its batches. */
function build(overrides: Partial<GroupCommitOptions<Item, string>> = {}) {
  const batches: number[][] = [];
  const committed: number[] = [];
  const commit = async (items: Item[]) => {
    batches.push(items.map(({ id }) => id));
    committed.push(...items.map(({ id }) => id));
    return items.map(({ id }) => `stored ${id}`);
  };
  const group = createGroupCommit<Item, string>({
    name: 'things',
    commit,
    sizeOf: (item) => item.bytes ?? 1,
    maxItems: 100,
    maxBytes: 1_000_000,
    maxPendingItems: 1000,
    maxPendingBytes: 10_000_000,
    retryForMs: RETRY_FOR_MS,
    ...overrides,
  });
  const submit = (...ids: number[]) => Promise.all(ids.map((id) => group.submit({ id })));
  return { group, batches, committed, commit, submit };
}

/** A commit that holds each batch until it is let go. */
function gate() {
  const held: (() => void)[] = [];
  return {
    pass: () => new Promise<void>((resolve) => held.push(resolve)),
    letGo: () => held.shift()?.(),
    waiting: () => held.length,
  };
}

describe('what shares a batch', () => {
  test('callers of one turn do, and each gets its own result', async () => {
    const { batches, submit } = build();
    expect(await submit(1, 2, 3)).toEqual(['stored 1', 'stored 2', 'stored 3']);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('what gathers while a batch is under way makes the next one', async () => {
    const { pass, letGo, waiting } = gate();
    const fake = build();
    const { batches, submit } = build({
      commit: async (items) => {
        await pass();
        return fake.commit(items);
      },
    });
    const first = submit(1);
    await eventually(() => waiting() === 1);
    const second = submit(2, 3);
    const third = submit(4);
    letGo();
    await eventually(() => waiting() === 1);
    letGo();
    await Promise.all([first, second, third]);
    expect(fake.batches).toEqual([[1], [2, 3, 4]]);
    expect(batches).toEqual([]);
  });

  test('what comes just after a batch goes with those that waited for its end', async () => {
    const { pass, letGo, waiting } = gate();
    const fake = build();
    const { submit } = build({
      commit: async (items) => {
        await pass();
        return fake.commit(items);
      },
    });
    const first = submit(1);
    await eventually(() => waiting() === 1);
    const second = submit(2);
    letGo();
    await first;
    const third = submit(3);
    await eventually(() => waiting() === 1);
    letGo();
    await Promise.all([second, third]);
    expect(fake.batches).toEqual([[1], [2, 3]]);
  });

  test.each([
    { limit: 'number', options: { maxItems: 2 }, batches: [[1, 2], [3, 4], [5]] },
    { limit: 'bytes', options: { maxBytes: 25, sizeOf: () => 10 }, batches: [[1, 2], [3, 4], [5]] },
    {
      limit: 'bytes, each item over it alone',
      options: { maxBytes: 5, sizeOf: () => 10 },
      batches: [[1], [2], [3], [4], [5]],
    },
  ])('a batch is limited by $limit', async ({ options, batches }) => {
    const built = build(options);
    await built.submit(1, 2, 3, 4, 5);
    expect(built.batches).toEqual(batches);
  });

  test('a large item goes its own way and holds up no small ones', async () => {
    const { pass, letGo, waiting } = gate();
    const { group, submit } = build({
      commit: async (items) => {
        if (items.some(({ id }) => id === 1)) await pass();
        return items.map(({ id }) => `stored ${id}`);
      },
    });
    const large = group.submit({ id: 1, bytes: 300 * 1024 });
    await eventually(() => waiting() === 1);
    expect(await submit(2, 3)).toEqual(['stored 2', 'stored 3']);
    letGo();
    expect(await large).toBe('stored 1');
  });
});

describe('errors', () => {
  test('a passing one has the whole batch committed again', async () => {
    const fake = build();
    const tries: number[] = [];
    const { submit } = build({
      commit: async (items) => {
        tries.push(items.length);
        if (tries.length < 3) throw deadlock();
        return fake.commit(items);
      },
    });
    expect(await submit(1, 2)).toEqual(['stored 1', 'stored 2']);
    expect(tries).toEqual([2, 2, 2]);
    expect(fake.committed).toEqual([1, 2]);
  });

  test.each([[[1]], [[7]], [[16]], [[3, 4]], [[1, 8, 16]]])(
    'bad items %j among sixteen fail alone, the others are committed exactly once',
    async (bad) => {
      const fake = build();
      const { submit: _, group } = build({
        commit: async (items) => {
          if (items.some(({ id }) => bad.includes(id))) throw badData();
          return fake.commit(items);
        },
      });
      const ids = Array.from({ length: 16 }, (_value, index) => index + 1);
      const results = await Promise.allSettled(ids.map((id) => group.submit({ id })));
      const failed = ids.filter((_id, index) => results[index]?.status === 'rejected');
      expect(failed).toEqual(bad);
      expect(fake.committed.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => !bad.includes(id)));
    },
  );

  test('`reject` says what becomes of a bad item, and what it throws reaches only that caller', async () => {
    const { group } = build({
      commit: async (items) => {
        if (items.some(({ id }) => id >= 2)) throw badData();
        return items.map(({ id }) => `stored ${id}`);
      },
      reject: async ({ id }, error) => {
        if (id === 3) throw new Error('not even so');
        return `set aside ${id}: ${(error as Error).message}`;
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((id) => group.submit({ id })));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'stored 1' },
      { status: 'fulfilled', value: 'set aside 2: Data too long' },
      { status: 'rejected', reason: new Error('not even so') },
    ]);
  });

  test('a database out of reach is tried for a while, then all callers hear Unavailable with the cause', async () => {
    let tries = 0;
    const { submit } = build({
      commit: async () => {
        tries += 1;
        throw refused();
      },
    });
    const began = Date.now();
    const error: unknown = await submit(1, 2).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unavailable);
    expect((error as Unavailable).cause).toMatchObject({ code: 'ECONNREFUSED' });
    expect(tries).toBeGreaterThan(2);
    expect(Date.now() - began).toBeGreaterThanOrEqual(RETRY_FOR_MS);
  });

  test('while it is known to be out of reach, later callers hear it at the first try, until one gets through', async () => {
    let down = true;
    let tries = 0;
    const { submit } = build({
      commit: async (items) => {
        tries += 1;
        if (down) throw refused();
        return items.map(({ id }) => `stored ${id}`);
      },
    });
    await expect(submit(1)).rejects.toThrow(Unavailable);
    tries = 0;
    await expect(submit(2)).rejects.toThrow(Unavailable);
    expect(tries).toBe(1);
    down = false;
    expect(await submit(3)).toEqual(['stored 3']);
    down = true;
    tries = 0;
    await expect(submit(4)).rejects.toThrow(Unavailable);
    expect(tries).toBeGreaterThan(1);
  });

  test('a lock conflict outlasts `retryForMs`', async () => {
    let tries = 0;
    const { submit } = build({
      retryForMs: 0,
      commit: async (items) => {
        tries += 1;
        if (tries < 6) throw deadlock();
        return items.map(({ id }) => `stored ${id}`);
      },
    });
    expect(await submit(1)).toEqual(['stored 1']);
  });
});

describe('bounds', () => {
  test.each([
    { bound: 'items', options: { maxPendingItems: 2 } },
    { bound: 'bytes', options: { maxPendingBytes: 2 } },
  ])('beyond the pending $bound callers are refused at once, and taken again later', async ({ options }) => {
    const { pass, letGo, waiting } = gate();
    const { submit, group } = build({
      ...options,
      commit: async (items) => {
        await pass();
        return items.map(({ id }) => `stored ${id}`);
      },
    });
    const taken = submit(1, 2);
    const refusal: unknown = await group.submit({ id: 3 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Unavailable);
    expect((refusal as Unavailable).headers).toEqual({ 'Retry-After': '1' });
    await eventually(() => waiting() === 1);
    letGo();
    await taken;
    const again = submit(3);
    await eventually(() => waiting() === 1);
    letGo();
    expect(await again).toEqual(['stored 3']);
  });

  test('room is given back by failures too', async () => {
    const { submit } = build({
      maxPendingItems: 1,
      commit: async () => {
        throw badData();
      },
    });
    for (const id of [1, 2, 3]) await expect(submit(id)).rejects.toThrow('Data too long');
  });
});

test('drain resolves when nothing is waiting or under way, and at once when nothing is', async () => {
  const { pass, letGo, waiting } = gate();
  const { group, submit } = build({
    maxItems: 1,
    commit: async (items) => {
      await pass();
      return items.map(({ id }) => `stored ${id}`);
    },
  });
  await group.drain();
  const both = submit(1, 2);
  let drained = false;
  const drain = group.drain().then(() => (drained = true));
  await eventually(() => waiting() === 1);
  letGo();
  await eventually(() => waiting() === 1);
  expect(drained).toBe(false);
  letGo();
  await Promise.all([both, drain]);
});

test('where more waits than one batch may hold, owners take turns, and batches are bounded by weight', async () => {
  const batches: string[][] = [];
  let commitFirst!: () => void;
  const first = new Promise<void>((resolve) => (commitFirst = resolve));
  const group = createGroupCommit<string, string>({
    name: 'turns',
    commit: async (items) => {
      batches.push(items);
      if (batches.length === 1) await first;
      return items;
    },
    sizeOf: () => 1,
    turns: {
      ownerOf: (item) => item.charCodeAt(0),
      weightOf: (item) => Number(item.slice(2)),
      maxWeight: 100,
    },
    maxItems: 500,
    maxBytes: 1_000,
    maxPendingItems: 1_000,
    maxPendingBytes: 1_000_000,
    retryForMs: 0,
  });
  const all = [group.submit('a-1')];
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  for (const item of ['a-60', 'a-61', 'a-62', 'b-1', 'a-500', 'b-2', 'c-3']) all.push(group.submit(item));
  commitFirst();
  await Promise.all(all);
  expect(batches).toEqual([['a-1'], ['a-60', 'b-1', 'c-3'], ['a-61', 'b-2'], ['a-62'], ['a-500']]);
});
