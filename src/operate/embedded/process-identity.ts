import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Identifies a process, also against a later one with the same pid. */
export interface ProcessMark {
  pid: number;
  /** The start time, in the system's own form. */
  began: string;
}

const PS_LIMIT_MS = 5_000;
const run = promisify(execFile);

/** Returns the mark of a running process; undefined if there is none with that pid (or only a zombie). */
export async function markOf(pid: number): Promise<ProcessMark | undefined> {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : await beganByPs(pid);
  return began === undefined ? undefined : { pid, began };
}

/** Whether the marked process still runs. */
export async function isRunning(mark: ProcessMark): Promise<boolean> {
  return (await markOf(mark.pid))?.began === mark.began;
}

/** Whether `value` has the form of a mark (it was read from a file). */
export function isProcessMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, began } = value as Partial<ProcessMark>;
  return Number.isInteger(pid) && Number(pid) > 0 && typeof began === 'string';
}

/** Boot id and start tick: no two processes with the same pid share both. */
function beganOnLinux(pid: number): string | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the name in brackets, which may contain anything. The third is the state, the 22nd the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}:${fields[19]}`;
}

async function beganByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: PS_LIMIT_MS });
    return stdout.trim() || undefined;
  } catch (error) {
    // ps exits with 1 and prints nothing if there is no such process.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
