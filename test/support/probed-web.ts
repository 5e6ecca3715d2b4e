import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from './eventually.js';
import { fabulaEnvironment } from './fabula.js';
import { builtFile } from './processes.js';
import type { TestStores } from './stores.js';

const ROOT = path.resolve(__dirname, '../..');

interface Probe {
  maxDelayMs: number;
  loopCpuMs: number;
  peakRss: number;
  rss: number;
}

/** What one piece of work cost the process. */
export interface Cost {
  /** Processor time of the thread with the event loop. */
  loopMs: number;
  /** The longest time by the clock in which the loop did not turn: other processes count too. */
  delayMs: number;
  /** What the process held at most beyond what it held before. */
  grownMb: number;
}

/** A web process of its own, whose event loop is watched from within. */
export interface ProbedWeb {
  url: string;
  /** What `work` costs the process. */
  costOf(work: () => Promise<unknown>): Promise<Cost>;
}

/** Starts it on the test file's stores; it ends with them. */
export async function startProbedWeb(stores: TestStores, env: NodeJS.ProcessEnv = {}): Promise<ProbedWeb> {
  const probe = path.join(__dirname, 'loop-probe.cjs');
  const child = spawn(process.execPath, ['--require', probe, builtFile('src/server.ts')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...fabulaEnvironment(stores, { LOG_LEVEL: 'info', ...env }) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  stores.onClose(() => end(child));
  const port = await portOf(child);
  const ask = async (): Promise<Probe> => {
    const answer = once(child, 'message');
    child.send('probe');
    return ((await answer) as [Probe])[0];
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async costOf(work) {
      await ask();
      const before = await ask();
      await work();
      const after = await ask();
      return {
        loopMs: after.loopCpuMs - before.loopCpuMs,
        delayMs: after.maxDelayMs,
        grownMb: (after.peakRss - before.rss) / 1024 / 1024,
      };
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const port = () => /web is listening.*"port":(\d+)|"port":(\d+).*web is listening/.exec(output);
  await eventually(() => port() !== null, 60_000);
  return Number(port()?.slice(1).find(Boolean));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
