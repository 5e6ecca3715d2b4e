import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const CHECKOUT = path.resolve(__dirname, '../..');
const LIMIT_MS = 240_000;

/** The product, built into a folder of its own: processes start faster than from the sources. */
export interface Build {
  folder: string;
  remove(): Promise<void>;
}

/**
 * `project` says what is built, from the checkout: this one unless another is given.
 * @throws when the compiler wrote nothing; errors of types are the type check's business.
 */
export async function buildProduct(project = 'tsconfig.build.json', checkout = CHECKOUT): Promise<Build> {
  // Inside the checkout, so that the built files find the packages.
  const cache = path.join(checkout, '.cache', 'chaos');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'build-'));
  const compiler = path.join(checkout, 'node_modules', '.bin', 'tsc');
  const args = ['-p', path.join(checkout, project), '--outDir', folder, '--sourceMap', 'false'];
  await promisify(execFile)(compiler, args, { timeout: LIMIT_MS }).catch((error: unknown) => {
    if (!existsSync(path.join(folder, 'src', 'server.js'))) throw error;
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
