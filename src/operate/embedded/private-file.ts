import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Creates a folder that only this user may enter; an existing one stays unchanged. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Writes a file that only this user may read (mode 0600), completely or not at all: after a crash the old file is
 * still there, and no process ever reads a half-written one.
 */
export function writePrivateFile(file: string, text: string): void {
  makePrivateFolder(path.dirname(file));
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(fresh, file);
}

/** Writes `value` as JSON with mode 0600. */
export function writePrivateJson(file: string, value: unknown): void {
  writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Returns the JSON in `file`; undefined if there is no such file.
 * @throws Error that names the file if it cannot be read or is not JSON.
 */
export function readJsonFile(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new Error(`Cannot use ${file}: ${(error as Error).message}`, { cause: error });
  }
}
