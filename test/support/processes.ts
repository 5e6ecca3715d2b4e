import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const CHECKOUT = path.resolve(__dirname, '../..');

/** A real process of Fabula's. */
export interface FabulaProcess {
  pid: number;
  /** All it has written so far. */
  output(): string;
  /** Resolves when it has written this. */
  said(text: string, timeoutMs?: number): Promise<void>;
  /** Sends the signal and waits for its end; gives the exit code, null after a signal. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>;
}

/** A file of the build such as `web`, `cli` or `workers/all`: `npm test` builds `dist`. */
export function builtFile(name: string): string {
  return path.join(CHECKOUT, 'dist', `${name}.js`);
}

/**
 * Starts `workers/all` or the like as it was built, with nothing in its environment but what is given and the PATH.
 * An absolute path is taken as it is. `nodeOptions` stand before the file.
 */
export function startProcess(
  file: string,
  env: NodeJS.ProcessEnv,
  nodeOptions: string[] = [],
): FabulaProcess {
  const script = path.isAbsolute(file) ? file : builtFile(file);
  const child = spawn(process.execPath, [...nodeOptions, script], {
    cwd: CHECKOUT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output.push(chunk.toString());
      for (const check of waiting) check();
    });
  }
  return {
    pid: child.pid ?? 0,
    output: () => output.join(''),
    said: (text, timeoutMs = 120_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => finish(() => reject(new Error(`never said "${text}": ${output.join('')}`))),
          timeoutMs,
        );
        const check = () => output.join('').includes(text) && finish(resolve);
        const finish = (end: () => void) => {
          clearTimeout(timer);
          waiting.delete(check);
          end();
        };
        waiting.add(check);
        check();
      }),
    stop: (signal) => stop(child, signal),
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}
