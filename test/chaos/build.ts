import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const CHECKOUT = path.resolve(__dirname, '../..');
const LIMIT_MS = 240_000;
const runFile = promisify(execFile);

/** The product, built into a folder of its own. */
export interface Build {
  folder: string;
  remove(): Promise<void>;
}

/**
 * Builds a checkout, this one unless another is given. `project` says what is compiled besides the product, file by file.
 * @throws when something was not built; errors of types are the type check's business.
 */
export async function buildProduct(project?: string, checkout = CHECKOUT): Promise<Build> {
  // Inside the checkout, so that what is compiled finds the packages.
  const cache = path.join(checkout, '.cache', 'chaos');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'build-'));
  const options = { cwd: checkout, timeout: LIMIT_MS };
  await runFile(process.execPath, ['bin/build-server.mjs', folder], options);
  if (project !== undefined) await compile(project, folder, options);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function compile(project: string, folder: string, options: { cwd: string; timeout: number }) {
  const args = ['-p', project, '--outDir', folder, '--sourceMap', 'false'];
  await runFile(path.join('node_modules', '.bin', 'tsc'), args, options).catch((error: unknown) => {
    if (!existsSync(path.join(folder, 'src'))) throw error;
  });
}
