import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createChildLog } from './child-log.js';
import type { BackoffOptions } from './start-backoff.js';
import { createRevival } from './start-revival.js';

/** One process to keep alive. */
export interface ChildSpec {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Whether it has worked, where that can be asked. */
  hasWorked?: () => boolean;
}

export interface SuperviseOptions {
  children: ChildSpec[];
  logFolder: string;
  say: (line: string) => void;
  /** A child that has never worked keeps dying: everything should be stopped. */
  giveUp: (reason: string) => void;
  backoff?: BackoffOptions;
}

export type SupervisedChildren = ReturnType<typeof superviseChildren>;

/**
 * Starts the children and brings back those that die, with growing waits. Each has a process group of its
 * own, so that Ctrl-C reaches the supervisor alone, and a channel to it (`process.on('disconnect')`) that
 * tells it when the supervisor is gone.
 */
export function superviseChildren(options: SuperviseOptions) {
  const kept = options.children.map((spec) => keepChild(spec, options));
  return {
    /** Processes by name; undefined for one that is down at the moment. */
    pids: () => Object.fromEntries(kept.map(({ name, pid }) => [name, pid()])),
    /** SIGTERM to all, and SIGKILL to those that are still there after `limitMs`. */
    stop: (limitMs: number) => Promise.all(kept.map((child) => child.stop(limitMs))).then(() => undefined),
    /** SIGKILL at once; `stop` still has to be awaited. */
    kill(): void {
      for (const child of kept) child.signal('SIGKILL');
    },
  };
}

function keepChild(spec: ChildSpec, { logFolder, say, giveUp, backoff }: SuperviseOptions) {
  const log = createChildLog({ name: spec.name, file: path.join(logFolder, `${spec.name}.log`), say });
  const { name, hasWorked } = spec;
  const revival = createRevival({ name, hasWorked, start: async () => launch(), say, giveUp, backoff });
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  let stopping = false;

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

  /** To the whole group: a child of the child must not stay either. */
  function signal(name: NodeJS.Signals): void {
    if (child?.pid === undefined) return;
    try {
      process.kill(name === 'SIGKILL' ? -child.pid : child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  async function stop(limitMs: number): Promise<void> {
    stopping = true;
    revival.cancel();
    signal('SIGTERM');
    const force = setTimeout(() => {
      say(`${spec.name} does not stop; ending it by force`);
      signal('SIGKILL');
    }, limitMs);
    await gone;
    clearTimeout(force);
  }

  launch();
  return { name: spec.name, pid: () => child?.pid, signal, stop };
}
