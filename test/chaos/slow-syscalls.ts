import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/eventually.js';

const ATTACH_LIMIT_MS = 5_000;

/** System calls of a process that take longer than they do, until `end`. */
export interface SlowSyscalls {
  end(): Promise<void>;
}

/** Delays these system calls of a process with `strace`; gives a sentence where that cannot be done. */
export async function slowSyscalls(
  pid: number,
  names: readonly string[],
  delayMs: number,
): Promise<SlowSyscalls | string> {
  const list = names.join(',');
  const args = [
    '-f',
    '-e',
    `trace=${list}`,
    '-e',
    `inject=${list}:delay_enter=${delayMs * 1_000}`,
    '-p',
    String(pid),
  ];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  let missing = false;
  tracer.stderr.on('data', (chunk: Buffer) => {
    if (words.length < 10_000) words += chunk.toString();
  });
  tracer.once('error', () => (missing = true));
  const isOver = () => missing || tracer.exitCode !== null;
  const attached = await eventually(() => isOver() || words.includes('attached'), ATTACH_LIMIT_MS).catch(
    () => false,
  );
  if (missing) return 'strace is not installed';
  if (!attached || isOver()) {
    tracer.kill('SIGKILL');
    return `strace could not attach: ${words.trim().slice(0, 200)}`;
  }
  return {
    async end() {
      if (isOver()) return;
      const exited = once(tracer, 'exit');
      tracer.kill('SIGINT');
      await exited;
    },
  };
}
