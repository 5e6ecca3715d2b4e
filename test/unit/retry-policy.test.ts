import { attemptDelayMs } from '../../src/engine/execute/retry-policy.js';

const total = (kind: 'usual' | 'mail', random: number) =>
  Array.from({ length: 9 }, (_, index) => attemptDelayMs(index + 1, () => random, kind)).reduce(
    (a, b) => a + b,
    0,
  );

test('I16: ten attempts last 4 to 9 minutes, those of a mail one to two hours', () => {
  expect([total('usual', 0), total('usual', 1)]).toEqual([255_500, 511_000]);
  expect(total('mail', 0)).toBeGreaterThan(57 * 60_000);
  expect(total('mail', 1)).toBeLessThan(120 * 60_000);
});

test('I16: the first pause of a mail is as short as any other, and none is longer than an hour', () => {
  expect(attemptDelayMs(1, () => 1, 'mail')).toBe(1_000);
  expect(attemptDelayMs(40, () => 1, 'mail')).toBe(3_600_000);
});
