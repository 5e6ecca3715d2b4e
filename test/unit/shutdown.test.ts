import { listenForStop } from '../../src/operate/cli/start/processes/stop-signals.js';
import { onShutdown } from '../../src/platform/runtime/shutdown.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';

/** Takes the listeners of signals instead of the process. */
function takeSignals() {
  const listeners = new Map<string, () => void>();
  jest.spyOn(process, 'on').mockImplementation((name, listener) => {
    listeners.set(String(name), listener as () => void);
    return process;
  });
  return (name: string) => listeners.get(name)?.();
}

/** The exit code and the log of a process whose only step is this. */
const ended = async (stop: () => Promise<void>, deadlineMs: number) => {
  const signal = takeSignals();
  const log = recordingLogger();
  const codes: unknown[] = [];
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    codes.push(code);
    return undefined as never;
  });
  onShutdown({ steps: [{ name: 'work', stop }], logger: log.logger, deadlineMs });
  signal('SIGTERM');
  await eventually(() => codes.length > 0);
  return { code: codes[0], lines: log.lines().map(({ message }) => message) };
};

afterEach(() => jest.restoreAllMocks());

describe('the end of a process', () => {
  it('has the code 0 when everything has stopped, and its deadline is gone', async () => {
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    expect((await ended(() => Promise.resolve(), 60_000)).code).toBe(0);
    expect(clear).toHaveBeenCalledTimes(1);
  });

  it('has the code 1 when an action could not be stopped in time, or a part has failed', async () => {
    const never = await ended(() => new Promise(() => undefined), 20);
    expect([never.code, never.lines]).toEqual([1, expect.arrayContaining(['not stopped in time'])]);
    expect((await ended(() => Promise.reject(new Error('broken')), 60_000)).code).toBe(1);
  });
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s stops npm start', (name) => {
  const signal = takeSignals();
  const asked = jest.fn();
  const stop = listenForStop(asked, { withParent: false });
  signal(name);
  signal(name);
  stop.release();
  expect([asked.mock.calls.length, stop.asked.aborted]).toEqual([1, true]);
  // A second signal of the same key press does not hurry it.
  expect(stop.hurried.aborted).toBe(false);
});
