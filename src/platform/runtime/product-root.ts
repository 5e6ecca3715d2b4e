import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The parts of package.json that are used. */
interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Returns the folder of package.json, a parent of this file in the sources and in the build, and what that says. */
export function productRoot(directory = __dirname): { folder: string; manifest: Manifest } {
  const manifest = manifestIn(directory);
  if (manifest?.name === 'fabula') return { folder: directory, manifest };
  const parent = path.dirname(directory);
  if (parent === directory) throw new Error('package.json of fabula is in no parent folder');
  return productRoot(parent);
}

function manifestIn(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
