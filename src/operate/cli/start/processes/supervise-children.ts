import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createChildLog } from './child-log.js';
import type { BackoffOptions } from './start-backoff.js';
import { createStartRevival } from './start-revival.js';

/** One child process to keep running. */
export interface ChildSpec {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Returns true if the process has worked; absent if that is unknown. */
  hasWorked?: () => boolean;
}

export interface SuperviseOptions {
  children: ChildSpec[];
  logFolder: string;
  say: (line: string) => void;
  /** Called if a child that has never worked keeps failing: stop everything. */
  giveUp: (reason: string) => void;
  backoff?: BackoffOptions;
  /** True to show the stacks of the errors that children log. */
  stacks?: boolean;
}

/**
 * Starts the children, and restarts those that exit, with growing waits. Each child has its own process group,
 * so that Ctrl-C reaches only the supervisor. Each has an IPC channel, so that it sees the exit of the supervisor
 * (`process.on('disconnect')`).
 */
export function superviseChildren(options: SuperviseOptions) {
  const kept = options.children.map((spec) => keepChild(spec, options));
  return {
    /** Returns process ids by name; undefined for a process that is not running now. */
    pids: () => Object.fromEntries(kept.map(({ name, pid }) => [name, pid()])),
    /** Sends SIGTERM to all, and SIGKILL to those still running after `limitMs`. */
    stop: (limitMs: number) => Promise.all(kept.map((child) => child.stop(limitMs))).then(() => undefined),
    /** Stops all as `stop` does, and starts each again as soon as it has ended; also those that keep failing. */
    restart: (limitMs: number) =>
      Promise.all(kept.map((child) => child.restart(limitMs))).then(() => undefined),
    /** Sends a signal to all; after SIGKILL the caller must still await `stop`. */
    signal(name: NodeJS.Signals): void {
      for (const child of kept) child.signal(name);
    },
  };
}

function keepChild(spec: ChildSpec, { logFolder, say, giveUp, backoff, stacks }: SuperviseOptions) {
  const { name, hasWorked } = spec;
  const log = createChildLog({ name, file: path.join(logFolder, `${name}.log`), say, stacks });
  const newRevival = () =>
    createStartRevival({ name, hasWorked, start: async () => launch(), say, giveUp, backoff });
  let revival = newRevival();
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  let stopping = false;
  let closed = false;

  function launch(): void {
    const started = spawn(spec.command, spec.args, {
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    child = started;
    log.attach(started);
    gone = new Promise((resolve) => {
      const ended = (how: string): void => {
        if (child !== started) return;
        child = undefined;
        resolve();
        if (!stopping) revival.died(how);
      };
      started.once('error', (error) => ended(`cannot run: ${error.message}`));
      started.once('exit', (code, signal) => ended(`ended with ${signal ?? `code ${code}`}`));
    });
  }

  /** Sends SIGKILL to the whole process group, so that grandchildren end too; other signals only to the child. */
  function signal(name: NodeJS.Signals): void {
    if (child?.pid === undefined) return;
    try {
      process.kill(name === 'SIGKILL' ? -child.pid : child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  async function end(limitMs: number): Promise<void> {
    stopping = true;
    revival.cancel();
    signal('SIGTERM');
    const force = setTimeout(() => {
      say(`${spec.name} did not stop in time; killing it`);
      signal('SIGKILL');
    }, limitMs);
    await gone;
    clearTimeout(force);
  }

  async function stop(limitMs: number): Promise<void> {
    closed = true;
    await end(limitMs);
  }

  async function restart(limitMs: number): Promise<void> {
    await end(limitMs);
    if (closed) return;
    stopping = false;
    revival = newRevival();
    launch();
  }

  launch();
  return { name: spec.name, pid: () => child?.pid, signal, stop, restart };
}
