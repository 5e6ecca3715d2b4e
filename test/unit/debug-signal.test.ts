import { debugOnSignal } from '../../src/platform/runtime/debug-signal.js';
import { recordingLogger } from '../support/recording-logger.js';

const MINUTE = 60_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick'] }));
afterEach(() => {
  jest.useRealTimers();
  process.removeAllListeners('SIGUSR2');
});

/** A process that logs at `level`, and the signals that it gets. */
function processAt(level: string) {
  const { logger, lines, clear } = recordingLogger(level);
  debugOnSignal(logger);
  return { logger, lines, clear, signal: () => process.emit('SIGUSR2', 'SIGUSR2') };
}

describe('SIGUSR2', () => {
  it('lets a process log everything for fifteen minutes, and then as before', () => {
    const { logger, signal } = processAt('warn');
    signal();
    jest.advanceTimersByTime(15 * MINUTE - 1);
    expect(logger.level).toBe('debug');
    jest.advanceTimersByTime(1);
    expect(logger.level).toBe('warn');
  });

  it('is told when it comes, and when its time is over, whatever the level', () => {
    const { lines, clear, signal } = processAt('error');
    signal();
    expect(lines()).toEqual([
      expect.objectContaining({ message: 'everything is logged for fifteen minutes' }),
    ]);
    clear();
    jest.advanceTimersByTime(15 * MINUTE);
    expect(lines()).toEqual([
      expect.objectContaining({ message: expect.stringContaining('configured log level') }),
    ]);
  });

  it('begins the fifteen minutes anew when it comes again, and ends at the level of before the first', () => {
    const { logger, signal } = processAt('info');
    signal();
    jest.advanceTimersByTime(10 * MINUTE);
    signal();
    jest.advanceTimersByTime(15 * MINUTE - 1);
    expect(logger.level).toBe('debug');
    jest.advanceTimersByTime(1);
    expect(logger.level).toBe('info');
  });

  it('counts anew after its time was over', () => {
    const { logger, signal } = processAt('info');
    signal();
    jest.advanceTimersByTime(20 * MINUTE);
    signal();
    expect(logger.level).toBe('debug');
    jest.advanceTimersByTime(15 * MINUTE);
    expect(logger.level).toBe('info');
  });
});
