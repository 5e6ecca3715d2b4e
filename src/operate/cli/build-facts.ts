import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { productRoot } from '../../platform/runtime/product-root.js';

const GIT_LIMIT_MS = 2_000;
/** The packages on which the behaviour towards stores and callers depends most. */
const NOTABLE = ['bullmq', 'express', 'ioredis', 'knex', 'liquidjs', 'mysql2', 'nodemailer'];

/**
 * Returns the commit from which this was built: a release and an image name it in `release.json`, a checkout knows it from
 * git. Undefined if neither does.
 */
export async function buildCommit(): Promise<string | undefined> {
  const { folder } = productRoot();
  const release = path.join(folder, 'release.json');
  if (existsSync(release)) return commitIn(readFileSync(release, 'utf8'));
  if (!existsSync(path.join(folder, '.git'))) return undefined;
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      timeout: GIT_LIMIT_MS,
    });
    return commitIn(JSON.stringify({ commit: stdout.trim() }));
  } catch {
    // Without git, or in a checkout of another user, the commit is not known: no reason to fail.
    return undefined;
  }
}

function commitIn(text: string): string | undefined {
  const { commit } = JSON.parse(text) as { commit?: string };
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** Returns the versions of the packages that matter most, by name. Each is pinned in package.json. */
export function notablePackages(): Record<string, string> {
  const { dependencies = {}, devDependencies = {} } = productRoot().manifest;
  const pinned = { ...dependencies, ...devDependencies };
  return Object.fromEntries(NOTABLE.map((name) => [name, pinned[name] ?? '']));
}
