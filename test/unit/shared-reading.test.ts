import { createSharedReading } from '../../src/platform/metrics/shared-reading.js';

/** A reading whose answers the test gives. */
function scene(options: { everyMs?: number; limitMs?: number; isOurs?: () => boolean } = {}) {
  const asked: { answer(value: number): void; refuse(error: Error): void }[] = [];
  const seen: (number | string)[] = [];
  const read = createSharedReading<number>({
    read: () => new Promise((answer, refuse) => asked.push({ answer, refuse })),
    set: (value) => seen.push(value),
    failed: (error) => seen.push((error as Error).message),
    leave: () => seen.push('left'),
    everyMs: 60_000,
    limitMs: 60_000,
    ...options,
  });
  return { asked, seen, read };
}

test('asks once for all readers, and not again soon', async () => {
  const { asked, seen, read } = scene();
  const readers = [read(), read()];
  asked[0]!.answer(7);
  await Promise.all(readers);
  await read();
  expect([asked.length, seen]).toEqual([1, [7]]);
});

test('asks again when the figures are too old', async () => {
  const { asked, seen, read } = scene({ everyMs: 0 });
  for (const value of [1, 2]) {
    let reading = read();
    // The rest after a reading is a multiple of its own time.
    while (asked.length < value) {
      await reading;
      await new Promise((resolve) => setTimeout(resolve, 5));
      reading = read();
    }
    asked.at(-1)!.answer(value);
    await reading;
  }
  expect([asked.length, seen]).toEqual([2, [1, 2]]);
});

test('tells of a failure, and asks again at the next reading', async () => {
  const { asked, seen, read } = scene();
  const reading = read();
  asked[0]!.refuse(new Error('away'));
  await reading;
  expect(seen).toEqual(['away']);
  const next = read();
  asked[1]!.answer(3);
  await next;
  expect(seen).toEqual(['away', 3]);
});

test('a store that hangs gets one question, and its late answer counts', async () => {
  const { asked, seen, read } = scene({ limitMs: 5 });
  await read();
  await read();
  expect(asked.length).toBe(1);
  expect(seen).toEqual(['no response within 5 ms', 'no response within 5 ms']);
  asked[0]!.answer(9);
  await read();
  expect([asked.length, seen.at(-1)]).toEqual([1, 9]);
});

test('a process that leaves the reading to another asks nothing, and anew when it is its own again', async () => {
  let isOurs = true;
  const { asked, seen, read } = scene({ isOurs: () => isOurs });
  const first = read();
  asked[0]!.answer(1);
  await first;
  isOurs = false;
  await read();
  expect([asked.length, seen]).toEqual([1, [1, 'left']]);
  isOurs = true;
  const second = read();
  asked[1]!.answer(2);
  await second;
  expect(seen).toEqual([1, 'left', 2]);
});
