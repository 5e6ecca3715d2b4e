import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../outbound/error-code.js';
import { type ByteRange, ObjectMissing, type ObjectStore, type StoredObject } from './object-store.js';

/** Marks a file that is being written. One that a dead process left is never listed. */
const UNFINISHED = '.part-';

/** Objects as files below a folder, which is made when it is first needed. Only this user can read them. */
export function createFolderObjects(root: string): ObjectStore {
  const fileOf = (name: string) => path.join(root, ...name.split('/'));
  return {
    place: root,
    async put(name, bytes) {
      const file = fileOf(name);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const unfinished = `${file}${UNFINISHED}${randomBytes(4).toString('hex')}`;
      try {
        await writeFlushed(unfinished, bytes);
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await flushFolder(path.dirname(file));
    },
    read: (name, range) => unlessMissing(name, () => readPart(fileOf(name), range)),
    list: (folder) => listFolder(fileOf(folder), folder),
    remove: (name) => rm(fileOf(name), { force: true }),
    close: () => Promise.resolve(),
  };
}

async function writeFlushed(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new name survives a power failure only after its folder was flushed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readPart(file: string, range: ByteRange | undefined): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    if (range === undefined) return await handle.readFile();
    const bytes = Buffer.alloc(range.length);
    const { bytesRead } = await handle.read(bytes, 0, range.length, range.offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) throw new ObjectMissing(`there is no ${name}`, { cause: error });
    throw error;
  }
}

async function* listFolder(folder: string, prefix: string): AsyncGenerator<StoredObject> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names.filter((each) => !each.includes(UNFINISHED))) {
    // A file may go between the two reads.
    const found = await unlessMissing(name, () => stat(path.join(folder, name))).catch((error: unknown) => {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    });
    if (found?.isFile() === true) yield { name: `${prefix}${name}`, bytes: found.size };
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
