import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { BadRequest } from '../../src/platform/errors.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import {
  TaskFailed,
  TaskTooLarge,
  TaskTooLong,
  ThreadsBusy,
} from '../../src/platform/threads/thread-errors.js';
import {
  createThreadPool,
  type TaskRunOptions,
  type ThreadPool,
  type ThreadPoolOptions,
} from '../../src/platform/threads/thread-pool.js';
import { eventually } from '../support/eventually.js';
import type { TASKS } from '../support/thread-tasks.js';

type TestTasks = { [Name in keyof typeof TASKS]: ReturnType<(typeof TASKS)[Name]> };
type TestPool = ThreadPool<TestTasks>;
const pools: TestPool[] = [];

const folder = mkdtempSync(path.join(tmpdir(), 'fabula-threads-'));
/** Built once: from its sources, each of the many threads would compile it. */
const file = path.join(folder, 'thread-tasks.js');
beforeAll(() => {
  const source = path.join(__dirname, '../support/thread-tasks.ts');
  buildSync({ entryPoints: [source], outfile: file, bundle: true, platform: 'node', target: 'node20' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function poolOf(options: Partial<ThreadPoolOptions> = {}): TestPool {
  const pool = createThreadPool<TestTasks>({ size: 2, file, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const ONE = { tenantId: 1, deadlineMs: 20_000, waitMs: 60_000 };
const TWO = { ...ONE, tenantId: 2 };

describe('a pool of threads', () => {
  it('gives what the task makes of its input, and uses a thread again', async () => {
    const pool = poolOf();
    expect(await pool.run('double', [1, 2], ONE)).toEqual([2, 4]);
    const first = await pool.run('thread', undefined, ONE);
    expect(await pool.run('thread', undefined, TWO)).toBe(first);
  });

  it('hands bytes over without copying them', async () => {
    const bytes = new Uint8Array(1024);
    expect(await poolOf().run('size', bytes, { ...ONE, transfer: [bytes.buffer] })).toBe(1024);
    expect(bytes.byteLength).toBe(0);
  });

  it('ends a thread that has no work', async () => {
    const pool = poolOf({ idleMs: 1 });
    const first = await pool.run('thread', undefined, ONE);
    await eventually(async () => (await pool.run('thread', undefined, ONE)) !== first);
  });
});

const asked = (pool: TestPool, onAsk: TaskRunOptions['onAsk'], signal?: AbortSignal) =>
  pool.run('ask', ['a', 'b'], { ...ONE, ...(onAsk && { onAsk }), signal });

describe('a task that asks', () => {
  it('gets the answer to each of its questions', async () => {
    const { answers } = await asked(poolOf(), (question) => Promise.resolve({ to: question }));
    expect(answers).toEqual([{ to: 'a' }, { to: 'b' }]);
  });

  it('ends with what the answer fails of, and the next task has another thread', async () => {
    const pool = poolOf({ size: 1 });
    const first = await pool.run('thread', undefined, ONE);
    const wrong = new BadRequest('is wrong');
    await expect(asked(pool, () => Promise.reject(wrong))).rejects.toBe(wrong);
    await expect(asked(pool, undefined)).rejects.toBeInstanceOf(TaskFailed);
    expect(await pool.run('thread', undefined, ONE)).not.toBe(first);
  });

  it('tells who answers when nobody waits any more: the caller left, or the pool closed', async () => {
    for (const end of ['leave', 'close']) {
      const pool = poolOf();
      const caller = new AbortController();
      const told = new Promise<AbortSignal>((resolve) => {
        const run = asked(
          pool,
          (_question, ended) => {
            resolve(ended);
            return new Promise(() => undefined);
          },
          caller.signal,
        );
        run.catch(() => undefined);
      });
      const ended = await told;
      expect(ended.aborted).toBe(false);
      if (end === 'leave') caller.abort(new Error('left'));
      else await pool.close();
      await eventually(() => ended.aborted);
    }
  });
});

describe('a task in a thread', () => {
  it('is ended at its deadline, and the next one has another thread', async () => {
    const pool = poolOf({ size: 1 });
    const first = await pool.run('thread', undefined, ONE);
    await expect(pool.run('spin', undefined, { ...ONE, deadlineMs: 100 })).rejects.toBeInstanceOf(
      TaskTooLong,
    );
    expect(await pool.run('thread', undefined, ONE)).not.toBe(first);
  });

  it('is ended when it takes too much memory', async () => {
    const pool = poolOf({ size: 1, memoryMb: 32 });
    await expect(pool.run('eat', undefined, ONE)).rejects.toBeInstanceOf(TaskTooLarge);
    expect(await pool.run('double', [1], ONE)).toEqual([2]);
  });

  it('is ended when nobody needs it any more', async () => {
    const pool = poolOf({ size: 1 });
    const gone = new AbortController();
    const spinning = pool.run('spin', undefined, { ...ONE, signal: gone.signal });
    const waiting = pool.run('double', [1], { ...TWO, signal: gone.signal });
    gone.abort(new Error('the caller is gone'));
    await expect(spinning).rejects.toThrow('the caller is gone');
    await expect(waiting).rejects.toThrow('the caller is gone');
    await expect(pool.run('double', [1], { ...ONE, signal: gone.signal })).rejects.toThrow(
      'the caller is gone',
    );
    expect(await pool.run('double', [1], ONE)).toEqual([2]);
  });

  it('throws errors of ours as they are, with their fields', async () => {
    const pool = poolOf();
    const template = await pool.run('fail', 'template', ONE).catch((error: unknown) => error);
    expect(template).toBeInstanceOf(TemplateError);
    expect(template).toMatchObject({
      message: 'x: is not closed',
      name: 'TemplateError',
      problem: { message: 'is not closed', line: 2, column: 7 },
    });
    const request = await pool.run('fail', 'request', ONE).catch((error: unknown) => error);
    expect(request).toBeInstanceOf(BadRequest);
    expect(request).toMatchObject({ status: 400, problems: [{ message: 'is wrong', details: 'a.b' }] });
  });

  it('throws any other error as TaskFailed, with the stack of the thread', async () => {
    const failed = (await poolOf()
      .run('fail', 'other', ONE)
      .catch((error: unknown) => error)) as Error;
    expect(failed).toBeInstanceOf(TaskFailed);
    expect(failed.message).toBe('out of range');
    expect(failed.stack).toContain('thread-tasks');
  });

  it('fails when its output cannot be sent', async () => {
    await expect(poolOf().run('function', undefined, ONE)).rejects.toBeInstanceOf(TaskFailed);
  });

  it.each(['die', 'throwLater'] as const)(
    'fails when its thread ends (%s), and the next one does not',
    async (name) => {
      const pool = poolOf({ size: 1 });
      await expect(pool.run(name, undefined, ONE)).rejects.toBeInstanceOf(TaskFailed);
      expect(await pool.run('double', [4], ONE)).toEqual([8]);
    },
  );
});

describe('what waits for a thread', () => {
  it('of one tenant never has both of two threads', async () => {
    const pool = poolOf();
    const endless = [1, 2, 3].map(() => pool.run('spin', undefined, ONE).catch((error: unknown) => error));
    expect(await pool.run('double', [1], TWO)).toEqual([2]);
    expect(await pool.run('double', [2], TWO)).toEqual([4]);
    await pool.close();
    expect(await Promise.all(endless)).toEqual(endless.map(() => expect.any(ThreadsBusy)));
  });

  it('of several tenants takes turns', async () => {
    const pool = poolOf({ size: 1 });
    const order: number[] = [];
    const run = (tenantId: number) =>
      pool.run('double', [], { ...ONE, tenantId }).then(() => order.push(tenantId));
    await Promise.all([run(1), run(1), run(1), run(2), run(3), run(2)]);
    expect(order).toEqual([1, 1, 2, 3, 1, 2]);
  });

  it('is refused when too much of its tenant waits, or too much of all', async () => {
    const pool = poolOf({ size: 1, waiting: { ofTenant: 1, ofAll: 2 } });
    const begun = pool.run('wait', 100, ONE);
    const waiting = [pool.run('double', [1], ONE), pool.run('double', [2], TWO)];
    await expect(pool.run('double', [3], ONE)).rejects.toBeInstanceOf(ThreadsBusy);
    await expect(pool.run('double', [3], { ...ONE, tenantId: 3 })).rejects.toBeInstanceOf(ThreadsBusy);
    await begun;
    expect(await Promise.all(waiting)).toEqual([[2], [4]]);
    expect(await pool.run('double', [3], ONE)).toEqual([6]);
  });

  it('is refused when what waits of its tenant holds too many bytes', async () => {
    const pool = poolOf({ size: 1, waiting: { ofTenant: 9, ofAll: 9, bytesOfTenant: 100 } });
    const begun = pool.run('wait', 100, ONE);
    const large = pool.run('double', [1], { ...ONE, bytes: 1_000 });
    await expect(pool.run('double', [2], { ...ONE, bytes: 1 })).rejects.toBeInstanceOf(ThreadsBusy);
    const other = pool.run('double', [3], { ...TWO, bytes: 60 });
    await begun;
    expect(await Promise.all([large, other])).toEqual([[2], [6]]);
  });

  it('is refused when what waits of all tenants holds too many bytes, until some of it is done', async () => {
    const pool = poolOf({ size: 1, waiting: { ofTenant: 9, ofAll: 9, bytesOfAll: 100 } });
    const begun = pool.run('wait', 100, ONE);
    const large = pool.run('double', [1], { ...ONE, bytes: 90 });
    await expect(pool.run('double', [2], { ...TWO, bytes: 20 })).rejects.toBeInstanceOf(ThreadsBusy);
    const small = pool.run('double', [3], { ...TWO, bytes: 10 });
    await begun;
    expect(await Promise.all([large, small])).toEqual([[2], [6]]);
    expect(await pool.run('double', [2], { ...TWO, bytes: 100 })).toEqual([4]);
  });

  it('is refused when no thread became free in time', async () => {
    const pool = poolOf({ size: 1 });
    const spinning = pool.run('spin', undefined, ONE).catch((error: unknown) => error);
    const late = pool.run('double', [1], { ...TWO, waitMs: 1 });
    await expect(late).rejects.toBeInstanceOf(ThreadsBusy);
    await pool.close();
    expect(await spinning).toBeInstanceOf(ThreadsBusy);
    await expect(pool.run('double', [1], ONE)).rejects.toBeInstanceOf(ThreadsBusy);
  });
});

describe.each([2, 5])('what %i tenants do at once', (attackers) => {
  const each = Array.from({ length: attackers }, (_, index) => ({ ...ONE, tenantId: index + 10 }));
  const SHORT = { firstMs: 50 };

  it('S4: with endless tasks leaves a thread to a tenant that has used little', async () => {
    const pool = poolOf({ size: 3, ...SHORT });
    const spinning = each.flatMap((options) => [1, 2, 3].map(() => pool.run('spin', undefined, options)));
    const ended = Promise.allSettled(spinning);
    for (let times = 0; times < 3; times += 1)
      expect(await pool.run('double', [times], ONE)).toEqual([2 * times]);
    await pool.close();
    expect((await ended).map(({ status }) => status)).toEqual(spinning.map(() => 'rejected'));
  });

  it('S4: lets a task that made room begin again, and end when nobody else waits', async () => {
    const pool = poolOf({ size: 2, ...SHORT });
    const waiting = each.map((options) => pool.run('wait', 300, options));
    expect(await pool.run('double', [1], ONE)).toEqual([2]);
    expect(await Promise.all(waiting)).toEqual(each.map(() => expect.any(Number)));
  });
});

it('S4: a tenant that has regained its share gets the thread that is free', async () => {
  const pool = poolOf({ size: 3, firstMs: 50 });
  const spin = (tenantId: number) =>
    new Promise<void>((resolve) => {
      pool.run('spin', undefined, { ...ONE, tenantId, onBegin: resolve }).catch(() => undefined);
    });
  await Promise.all([spin(10), spin(11)]);
  await pool.run('wait', 150, ONE);
  expect(await pool.run('double', [1], { ...ONE, waitMs: 5_000 })).toEqual([2]);
});

it('S4: a task that asks does not begin again: what it asked for may have been done', async () => {
  const pool = poolOf({ size: 1, firstMs: 1 });
  let times = 0;
  const asking = asked(pool, () => {
    times += 1;
    return new Promise(() => undefined);
  }).catch((error: unknown) => error);
  await eventually(() => times === 1);
  expect(await pool.run('double', [1], TWO)).toEqual([2]);
  expect(await asking).toBeInstanceOf(ThreadsBusy);
  expect(times).toBe(1);
});
