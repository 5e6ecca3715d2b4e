import { loopUntil } from '../../src/platform/runtime/background-loop.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';

const NEVER = 3_600_000;

/** A loop whose passes are told what to do, one after the other; the last one again and again. */
function build(passes: (() => number | Promise<number>)[], restAfterErrorMs = 1) {
  const stopping = new AbortController();
  const log = recordingLogger();
  const seen: AbortSignal[] = [];
  const over = loopUntil(stopping.signal, {
    async pass(signal) {
      seen.push(signal);
      return (passes[seen.length - 1] ?? passes.at(-1)!)();
    },
    restAfterErrorMs,
    failure: 'no pass',
    logger: log.logger,
  });
  const levels = () => log.lines().map(({ level }) => level);
  return { stopping, over, seen, levels, lines: () => log.lines(), passes: () => seen.length };
}

const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
const wrong = () => Promise.reject(new Error('wrong'));

test('rests after each pass for as long as it says', async () => {
  const began = performance.now();
  const { stopping, over, passes } = build([() => 0, () => 60, () => NEVER]);
  await eventually(() => passes() === 3);
  expect(performance.now() - began).toBeGreaterThanOrEqual(59);
  stopping.abort();
  await over;
});

test('a stop ends a rest at once, and lets a pass begun end first', async () => {
  const resting = build([() => NEVER]);
  await eventually(() => resting.passes() === 1);
  resting.stopping.abort();
  await resting.over;

  let finish!: (restMs: number) => void;
  const busy = build([() => new Promise<number>((resolve) => (finish = resolve))]);
  let ended = false;
  void busy.over.then(() => (ended = true));
  busy.stopping.abort();
  expect(busy.seen[0]!.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  finish(NEVER);
  await busy.over;
  expect(busy.passes()).toBe(1);
});

test('makes no pass at all when it is stopped before it begins', async () => {
  const stopping = new AbortController();
  stopping.abort();
  const pass = jest.fn();
  await loopUntil(stopping.signal, {
    pass,
    restAfterErrorMs: 1,
    failure: 'x',
    logger: recordingLogger().logger,
  });
  expect(pass).not.toHaveBeenCalled();
});

test('a pass that fails is made again after its own rest, and is told of', async () => {
  const began = performance.now();
  const { stopping, over, passes, lines } = build([wrong, wrong, () => NEVER], 30);
  await eventually(() => passes() === 3);
  expect(performance.now() - began).toBeGreaterThanOrEqual(58);
  stopping.abort();
  await over;
  const line = { level: 'warn', message: 'no pass', error: 'wrong' };
  expect(lines()).toEqual([line, line]);
});

test('an outage is told of once, not at every try, and the next one again', async () => {
  const { stopping, over, passes, levels } = build([
    away,
    away,
    away,
    () => 0,
    away,
    away,
    wrong,
    () => NEVER,
  ]);
  await eventually(() => passes() === 8);
  stopping.abort();
  await over;
  expect(levels()).toEqual(['warn', 'debug', 'debug', 'warn', 'debug', 'warn']);
});

test('what the stop itself cuts short is no news', async () => {
  const { stopping, over, seen, levels } = build([
    () =>
      new Promise((_resolve, reject) => {
        seen[0]!.addEventListener('abort', () => reject(seen[0]!.reason as Error));
      }),
  ]);
  await eventually(() => seen.length === 1);
  stopping.abort();
  await over;
  expect(levels()).toEqual(['debug']);
});
