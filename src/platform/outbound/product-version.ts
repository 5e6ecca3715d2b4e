import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from './error-code.js';

/** Returns the version in package.json, which is in a parent folder of this file in the sources and in the build. */
export function productVersion(directory = __dirname): string {
  const file = path.join(directory, 'package.json');
  const parent = path.dirname(directory);
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (name === 'fabula' && version !== undefined) return version;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error;
  }
  return productVersion(parent);
}
