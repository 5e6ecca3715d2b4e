import { setTimeout as sleep } from 'node:timers/promises';
import { createKeptParts } from '../../../src/operate/monitoring/inbox/kept-inbox-parts.js';

test('a part is read once, even if its reading waits longer than parts are kept', async () => {
  const parts = createKeptParts<{ n: number; readAt?: Date }>({
    freshMs: () => 0,
    patienceMs: 1,
    limitMs: 1,
    mostOldMs: 1,
  });
  const ends: ((part: { n: number }) => void)[] = [];
  const read = () => new Promise<{ n: number }>((resolve) => ends.push(resolve));
  await expect(parts.shared('a', read)).rejects.toThrow('no response within');
  await sleep(5);
  await expect(parts.shared('a', read)).rejects.toThrow('no response within');
  await expect(parts.current('a', read)).rejects.toThrow('no response within');
  expect(ends).toHaveLength(1);
  const last = parts.shared('a', read);
  ends[0]!({ n: 1 });
  expect(await last).toMatchObject({ n: 1 });
  await sleep(5);
  expect(await parts.shared('a', () => Promise.resolve({ n: 2 }))).toMatchObject({ n: 2 });
});
