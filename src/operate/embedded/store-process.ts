import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort, isPortFree } from './free-port.js';
import { rotateLog } from './log-rotation.js';
import type { StoreName } from './install/package-managers.js';
import { readJsonFile, writePrivateJson } from './private-file.js';
import { isProcessMark, isRunning, markOf, type ProcessMark } from './process-identity.js';

/** How to run one store; prepared for each start, because some stores write files first. */
export interface StoreCommand {
  command: string;
  args: string[];
  runAs?: string;
  env: NodeJS.ProcessEnv;
}

export interface EmbeddedStoreOptions {
  name: StoreName;
  pidFile: string;
  logFile: string;
  avoidPorts: number[];
  prepare: (port: number) => StoreCommand;
  /** Resolves if the store responds on `port`; rejects otherwise. Has its own time limit. */
  check: (port: number) => Promise<void>;
  /** Removes its files outside the data folder, after a stop. */
  cleanUp?: () => void;
}

export interface StoreExit {
  name: StoreName;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One private store. Its port is chosen at the first start and stays the same. */
export type StoreProcess = ReturnType<typeof createStoreProcess>;

const POLL_MS = 30;
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;
const PORT_TRIES = 5;
const TAIL_CHARACTERS = 3_000;

/** Starts, watches and stops one store as a child in a process group of its own (Ctrl-C does not reach it). */
export function createStoreProcess(options: EmbeddedStoreOptions) {
  const listeners = new Set<(exit: StoreExit) => void>();
  let child: ChildProcess | undefined;
  let mark: ProcessMark | undefined;
  let port: number | undefined;
  let settled = false;
  /** Whether the last request was start or stop: a stop may come while a start is still running. */
  let wanted = false;

  /** Listeners are told only of a store that was ready and ends without being stopped. */
  function settleExit(gone: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== gone) return;
    child = undefined;
    rmSync(options.pidFile, { force: true });
    if (!settled) return;
    settled = false;
    for (const listener of listeners) listener({ name: options.name, code, signal });
  }

  async function startOn(onPort: number): Promise<'ready' | 'port taken'> {
    const logFrom = sizeOf(options.logFile);
    mark = undefined;
    const started = launch(options, onPort);
    started.once('error', () => settleExit(started, null, null));
    started.once('exit', (code, signal) => settleExit(started, code, signal));
    child = started;
    mark = child.pid === undefined ? undefined : await markOf(child.pid);
    if (mark !== undefined) writePrivateJson(options.pidFile, mark);
    const deadline = Date.now() + READY_LIMIT_MS;
    for (let last: unknown; ; await pause(POLL_MS)) {
      if (child === undefined) {
        if (!(await isPortFree(onPort))) return 'port taken';
        throw new Error(`${options.name} did not start:\n${tailOf(options.logFile, logFrom)}`, {
          cause: last,
        });
      }
      if (
        await options.check(onPort).then(
          () => true,
          (error) => ((last = error), false),
        )
      )
        return 'ready';
      if (Date.now() < deadline) continue;
      await stop();
      const seconds = READY_LIMIT_MS / 1000;
      throw new Error(`${options.name} did not respond within ${seconds} s; see ${options.logFile}`, {
        cause: last,
      });
    }
  }

  /** A start that fails half-way, on a full disk for example, leaves no process that nobody watches. */
  async function startOrEnd(onPort: number): Promise<'ready' | 'port taken'> {
    try {
      return await startOn(onPort);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Starts it, after stopping the process that a killed run left behind. Does nothing if it runs. */
  async function start(): Promise<void> {
    if (child !== undefined) return;
    wanted = true;
    await stopLeftover(options.pidFile);
    for (let tries = 0; tries < PORT_TRIES; tries += 1) {
      const onPort = port ?? (await findFreePort(options.avoidPorts));
      if (!wanted) throw new Error(`${options.name} was stopped while it started`);
      if ((await startOrEnd(onPort)) === 'ready') {
        port = onPort;
        settled = true;
        return;
      }
      if (port !== undefined) throw new Error(`${options.name} cannot restart: port ${port} is in use`);
    }
    throw new Error(`no free port for ${options.name}`);
  }

  /** Stops it cleanly, by force after `limitMs`. Its listeners are not told. */
  async function stop(limitMs = STOP_LIMIT_MS): Promise<void> {
    settled = false;
    wanted = false;
    if (child === undefined) return;
    if (mark === undefined) child.kill('SIGKILL');
    else await endProcess(mark, limitMs);
    // The exit event may come shortly after the process has ended.
    child = undefined;
    rmSync(options.pidFile, { force: true });
    options.cleanUp?.();
  }

  return {
    name: options.name,
    /** The process's mark, while it runs. */
    get mark() {
      return child === undefined ? undefined : mark;
    },
    get pid() {
      return child?.pid;
    },
    /** 0 before the first start. */
    get port() {
      return port ?? 0;
    },
    start,
    stop,
    /** Stops it cleanly and starts it again, with the same port and data. */
    async restart(): Promise<void> {
      await stop();
      await start();
    },
    /** Calls `listener` when it ends without being stopped. Returns a function that removes the listener. */
    onExit(listener: (exit: StoreExit) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Starts the store's process, which writes to its log. */
function launch({ prepare, logFile }: EmbeddedStoreOptions, port: number): ChildProcess {
  const { command, args, runAs, env } = prepare(port);
  rotateLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const started = spawn(command, args, {
    stdio: ['ignore', log, log],
    detached: true,
    env,
    ...(runAs !== undefined && { argv0: runAs }),
  });
  closeSync(log);
  return started;
}

/** Stops the process that a pid file names, if it is still the same process (a killed run cannot stop its stores). */
export async function stopLeftover(pidFile: string): Promise<void> {
  const left = readJsonFile(pidFile);
  if (isProcessMark(left) && (await isRunning(left))) await endProcess(left, STOP_LIMIT_MS);
  rmSync(pidFile, { force: true });
}

async function endProcess(mark: ProcessMark, limitMs: number): Promise<void> {
  signal(mark.pid, 'SIGTERM');
  const deadline = Date.now() + limitMs;
  while (await isRunning(mark)) {
    if (Date.now() > deadline) signal(mark.pid, 'SIGKILL');
    await pause(POLL_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function tailOf(file: string, from: number): string {
  return readFileSync(file).subarray(from).toString().slice(-TAIL_CHARACTERS).trim();
}
