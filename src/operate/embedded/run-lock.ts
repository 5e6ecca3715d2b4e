import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePrivateFolder } from './private-file.js';
import { isProcessMark, isRunning, markOf, type ProcessMark } from './process-identity.js';

const ATTEMPTS = 10;

/** Another process uses this data folder. */
export class AlreadyRunning extends Error {}

/**
 * Takes the lock `file` for this process, also from a process that has ended.
 * Returns a function that releases it.
 * @throws AlreadyRunning, naming the process that has the lock.
 */
export async function takeRunLock(file: string): Promise<() => void> {
  makePrivateFolder(path.dirname(file));
  const own = await markOf(process.pid);
  if (own === undefined) throw new Error('This system does not report when this process started');
  const text = JSON.stringify(own);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (placed(file, text)) return () => release(file, text);
    await clearStale(file);
  }
  throw new AlreadyRunning(`Another process keeps locking ${file}; try again`);
}

/** A link appears with its content or not at all, so no process reads a half-written lock. */
function placed(file: string, text: string): boolean {
  const candidate = `${file}.${process.pid}`;
  writeFileSync(candidate, text, { mode: 0o600 });
  try {
    linkSync(candidate, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(candidate, { force: true });
  }
}

async function clearStale(file: string): Promise<void> {
  const text = read(file);
  if (text === undefined) return;
  const holder = parse(text);
  if (holder !== undefined && (await isRunning(holder))) {
    throw new AlreadyRunning(`Already running here as process ${holder.pid} (${file})`);
  }
  // Renamed first, compared afterwards: two processes that find the same stale lock must not remove each other's new one.
  const aside = `${file}.stale.${process.pid}`;
  if (!moved(file, aside)) return;
  if (read(aside) !== text) moved(aside, file);
  rmSync(aside, { force: true });
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function release(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true });
}

function parse(text: string): ProcessMark | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isProcessMark(value) ? value : undefined;
  } catch {
    // Not a lock of ours, or truncated by a full disk: no running process wrote it.
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
