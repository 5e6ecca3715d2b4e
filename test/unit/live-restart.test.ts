import { setImmediate as turn } from 'node:timers/promises';
import {
  type LiveRestartOptions,
  restartOnChange,
  type SourceChange,
} from '../../src/operate/cli/start/processes/live-restart.js';

function setup(overrides: Partial<LiveRestartOptions> = {}) {
  const events: string[] = [];
  let change: ((change: SourceChange) => void) | undefined;
  const stop = restartOnChange({
    follow: (onChange) => {
      change = onChange;
      return () => void events.push('unfollowed');
    },
    migrate: async () => void events.push('migrated'),
    restart: async () => void events.push('restarted'),
    untilLive: async () => undefined,
    say: (line) => void events.push(line.replace(/\d\.\d/, 'N')),
    ...overrides,
  });
  return { events, stop, change: (migrations = false) => change?.({ migrations }) };
}

test('a change restarts web and worker; a changed migration runs before', async () => {
  const { events, change } = setup();
  change();
  await turn();
  expect(events).toEqual(['restarted', 'Live again after N s']);
  change(true);
  await turn();
  expect(events.slice(2)).toEqual(['migrated', 'restarted', 'Live again after N s']);
});

test('changes during a restart lead to one more, with the migration of any of them', async () => {
  const resumes: (() => void)[] = [];
  const { events, change } = setup({
    restart: () => new Promise((resolve) => resumes.push(resolve)),
  });
  change();
  change(true);
  change();
  resumes[0]!();
  await turn();
  resumes[1]!();
  await turn();
  expect(resumes).toHaveLength(2);
  expect(events.filter((event) => event === 'migrated')).toHaveLength(1);
});

test('a process that does not start is not waited for after the next change', async () => {
  let waits = 0;
  const { events, change } = setup({
    untilLive: (signal) =>
      new Promise((resolve, reject) => {
        waits += 1;
        if (waits === 2) resolve();
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  change();
  await turn();
  change();
  await turn();
  expect(events).toEqual(['restarted', 'restarted', 'Live again after N s']);
});

test('a failure is reported, and the next change is tried', async () => {
  let fails = true;
  const { events, change, stop } = setup({
    migrate: async () => {
      if (fails) throw new Error('no such table');
    },
  });
  change(true);
  await turn();
  expect(events).toEqual(['Not restarted: no such table']);
  fails = false;
  change(true);
  await turn();
  expect(events.slice(1)).toEqual(['restarted', 'Live again after N s']);
  stop();
  expect(events.at(-1)).toBe('unfollowed');
});
