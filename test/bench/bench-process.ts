import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const KIB = 1024;
/** Places in /proc/<pid>/stat, counted from the state (proc(5)). */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
/** The kernel shows hundredths of a second, whatever it counts in. */
export const MS_PER_TICK = 10;

/** A bench that is stopped in the middle takes them with it. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A process under test. */
export interface BenchProcess {
  pid: number;
  /** Resident memory now, in bytes. */
  memory: () => number;
  /** Processor time that it has used so far. */
  cpuMs: () => number;
  /** Ends it: at once, or with SIGTERM when it still has something to write. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface BenchProcessOptions {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Takes what it says: reading that here would be work of the measuring side. */
  logFile: string;
  /** The line that it prints once it works. */
  ready: string;
}

/** Starts Node, and resolves when it is ready. @throws with its last words when it ends before that. */
export async function startBenchProcess(options: BenchProcessOptions): Promise<BenchProcess> {
  const child = launch(options);
  await eventually(() => {
    const words = existsSync(options.logFile) ? readFileSync(options.logFile, 'utf8') : '';
    if (child.exitCode !== null) throw new Error(`${options.args.join(' ')} ended: ${words.slice(-2_000)}`);
    return words.includes(options.ready);
  }, READY_LIMIT_MS).catch(async (error: unknown) => {
    await stop(child, 'SIGKILL');
    throw error;
  });
  const pid = child.pid ?? 0;
  return {
    pid,
    memory: () => residentBytes(pid),
    cpuMs: () => cpuMsOf(pid),
    stop: (signal) => stop(child, signal),
  };
}

function launch({ args, env, logFile }: BenchProcessOptions): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kib === undefined) throw new Error(`Nothing is known of the memory of process ${pid}`);
  return Number(kib) * KIB;
}

/** Processor time of a process so far, the system's time for it included. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
}
