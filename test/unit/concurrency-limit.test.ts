import { Unavailable } from '../../src/platform/errors.js';
import { createConcurrencyLimit } from '../../src/platform/runtime/concurrency-limit.js';

/** Work that ends when it is told to. */
function held() {
  const settle: { resolve?: (text: string) => void; reject?: (error: Error) => void } = {};
  const ended = new Promise<string>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return { work: () => ended, settle };
}

it('refuses what is too much for a group, or for all, until some of it ends', async () => {
  const limit = createConcurrencyLimit({ ofGroup: 2, ofAll: 3 }, 'Too much');
  const [one, two, three] = [held(), held(), held()];
  const running = [limit(1, one.work), limit(1, two.work), limit(2, three.work)];
  const more = (group: number) => limit(group, () => Promise.resolve('done'));
  await expect(more(1)).rejects.toThrow(new Unavailable('Too much'));
  await expect(more(3)).rejects.toThrow('Too much');
  one.settle.resolve?.('first');
  expect(await running[0]).toBe('first');
  expect(await more(1)).toBe('done');
  expect(await more(3)).toBe('done');
  two.settle.reject?.(new Error('failed'));
  await expect(running[1]).rejects.toThrow('failed');
  three.settle.resolve?.('third');
  await running[2];
  expect(await Promise.all([more(1), more(1), more(2)])).toEqual(['done', 'done', 'done']);
});
