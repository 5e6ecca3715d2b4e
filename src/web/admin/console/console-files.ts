import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { memoizeFor } from '../../../platform/runtime/memoize.js';

/** A build while the server runs is seen after this time. */
const FRESH_MS = 2_000;
const INDEX = 'index.html';

/** The files of the console, as they were built. */
export interface ConsoleBuild {
  /** Paths from the folder, with slashes. */
  names: ReadonlySet<string>;
  /** The page, with its two placeholders. */
  index: string;
}

/** Returns a function that reads the names of all files in the folder; undefined if the console was not built. */
export function createConsoleFiles(folder: string): () => Promise<ConsoleBuild | undefined> {
  return memoizeFor(FRESH_MS, async () => {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const names = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .map((name) => name.replaceAll('\\', '/'));
      return { names: new Set(names), index: await readFile(path.join(folder, INDEX), 'utf8') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });
}
