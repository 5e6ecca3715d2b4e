import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes a folder that only this user may enter; one that is there already is left as it is. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Writes a file that only this user may read (mode 0600), whole or not at all: a crash leaves the
 * old one, and nobody ever reads half of it.
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
 * The JSON in `file`; undefined when there is no such file.
 * @throws Error that names the file when it cannot be read or is not JSON.
 */
export function readJsonFile(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
