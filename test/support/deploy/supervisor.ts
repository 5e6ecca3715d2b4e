import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '../eventually.js';

const CHECKOUT = path.resolve(__dirname, '../../..');
const START_LIMIT_MS = 120_000;

/** One process of a Procfile, as a supervisor has it. */
export interface Supervised {
  /** `trigger.2`: the second process of its kind. */
  name: string;
  output: () => string;
  /** Resolves when it has written this. @throws Error with its output if it does not. */
  said: (text: string) => Promise<void>;
  /** Signals its process group, as a platform does. Gives the exit code; null after a signal. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Runs a command of a Procfile by a shell, in a process group of its own, with nothing in its environment but `env` and PATH. */
export function supervise(name: string, command: string, env: NodeJS.ProcessEnv): Supervised {
  // With `exec` the process takes the place of the shell, whose end by the signal would hide its exit code.
  const child = spawn(`exec ${command}`, {
    shell: true,
    detached: true,
    cwd: CHECKOUT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)));
  const output = () => chunks.join('');
  return {
    name,
    output,
    said: async (text) => {
      const found = () => hasEnded(child) || output().includes(text);
      await eventually(found, START_LIMIT_MS).catch(() => undefined);
      if (!output().includes(text)) throw new Error(`${name} never said "${text}": ${output()}`);
    },
    stop: (signal) => stop(child, signal),
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (hasEnded(child) || child.pid === undefined) return child.exitCode;
  const ended = once(child, 'exit');
  process.kill(-child.pid, signal);
  await ended;
  return child.exitCode;
}
