import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from './eventually.js';
import { fabulaEnvironment } from './fabula-environment.js';
import { builtFile } from './processes.js';
import type { TestStores } from './stores.js';

const ROOT = path.resolve(__dirname, '../..');

interface Probe {
  maxDelayMs: number;
  loopCpuMs: number;
  heldMs: number;
  peakRss: number;
  rss: number;
}

/** The cost of one piece of work to the process. */
export interface Cost {
  /** Processor time of the thread with the event loop. */
  loopMs: number;
  /** The most processor time of that thread between two turns of the loop. */
  heldMs: number;
  /** The longest time by the clock in which the loop did not turn: other processes count too. */
  delayMs: number;
  /** Peak of the process's memory above that at the start. */
  grownMb: number;
}

/** A process of its own, whose event loop is watched from within. */
export interface ProbedProcess {
  /** Returns the cost of `work` to the process. */
  costOf(work: () => Promise<unknown>): Promise<Cost>;
  /** It ends with the test file's stores otherwise. */
  end(): Promise<void>;
}

export interface ProbedWeb extends ProbedProcess {
  url: string;
}

/** Starts a web process on the test file's stores; it ends with them. */
export async function startProbedWeb(stores: TestStores, env: NodeJS.ProcessEnv = {}): Promise<ProbedWeb> {
  const { child, said } = start('web', stores, env);
  const [, ...ports] = await said(/web is listening.*"port":(\d+)|"port":(\d+).*web is listening/);
  return {
    url: `http://127.0.0.1:${Number(ports.find(Boolean))}`,
    costOf: probed(child),
    end: () => end(child),
  };
}

/** Starts a worker process for all queues on the test file's stores; it ends with them. */
export async function startProbedWorker(
  stores: TestStores,
  env: NodeJS.ProcessEnv = {},
): Promise<ProbedProcess> {
  const { child, said } = start('workers/all', stores, env);
  await said(/worker is running/);
  return { costOf: probed(child), end: () => end(child) };
}

function start(file: string, stores: TestStores, env: NodeJS.ProcessEnv) {
  const probe = path.join(__dirname, 'loop-probe.cjs');
  const child = spawn(process.execPath, ['--require', probe, builtFile(file)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...fabulaEnvironment(stores, { LOG_LEVEL: 'info', ...env }) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  stores.onClose(() => end(child));
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const said = async (words: RegExp): Promise<string[]> => {
    await eventually(() => words.test(output), 60_000);
    return [...(words.exec(output) ?? [])];
  };
  return { child, said };
}

function probed(child: ChildProcess): ProbedProcess['costOf'] {
  const ask = async (): Promise<Probe> => {
    const answer = once(child, 'message');
    child.send('probe');
    return ((await answer) as [Probe])[0];
  };
  return async (work) => {
    await ask();
    const before = await ask();
    await work();
    const after = await ask();
    return {
      loopMs: after.loopCpuMs - before.loopCpuMs,
      heldMs: after.heldMs,
      delayMs: after.maxDelayMs,
      grownMb: (after.peakRss - before.rss) / 1024 / 1024,
    };
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  // A worker's own children have it too, for a moment.
  child.stdout?.destroy();
}
