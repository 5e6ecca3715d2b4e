import { mkdtemp, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Memory as a file system: a database there waits for no disk. */
const MEMORY = '/dev/shm';
/** Memory that the stores of several test files may take together. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Settings of a store for tests: its data may be lost with the machine, but not with its process. */
export const FAST_DATABASE = ['--innodb-flush-log-at-trx-commit=2', '--innodb-doublewrite=0'];

/** Makes a folder for the data of stores: in memory where there is enough, else among the temporary files. */
export async function makeFastFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join((await hasRoom()) ? MEMORY : os.tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
