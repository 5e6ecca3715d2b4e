import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Check, HostContext } from '../check.js';
import { type DoctorFinding, finding, findingIf, type FindingKind } from '../finding.js';

const UNWRITABLE: FindingKind = {
  id: 'disk.unwritable',
  severity: 'error',
  why: 'Mail without SMTP_URL and the stores and logs of "npm start" are written there.',
  remedy: 'Grant the process user write access to DATA_DIR, or set another DATA_DIR.',
};
const SPACE: FindingKind = {
  id: 'disk.space',
  severity: 'warning',
  why: 'A full disk stops the embedded stores, the logs and mail that is written to files.',
  remedy: 'Free space, or move DATA_DIR to a larger disk.',
};

const LEAST_FREE_BYTES = 1024 ** 3;
const LEAST_FREE_PART = 0.05;
const MIB = 1024 ** 2;

/** Whether DATA_DIR can be written, and the space there. */
export const diskCheck: Check<HostContext> = {
  name: 'data folder',
  needs: [],
  kinds: [UNWRITABLE, SPACE],
  async run({ config: { dataDir } }) {
    const folder = nearest(dataDir);
    const refusal = await refusalOf(folder);
    if (refusal !== undefined) return [finding(UNWRITABLE, `${folder} is not writable (${refusal}).`)];
    return spaceFindings(folder);
  },
};

/** Returns the folder, or its nearest parent that exists: processes create the rest. */
function nearest(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder));
}

/** Writes a small file and deletes it. Returns the error code if that fails. */
async function refusalOf(folder: string): Promise<string | undefined> {
  const file = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, 'x', { flag: 'wx', mode: 0o600 });
    await rm(file);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

async function spaceFindings(folder: string): Promise<DoctorFinding[]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const isShort = free < LEAST_FREE_BYTES || bavail < blocks * LEAST_FREE_PART;
  return findingIf(isShort, SPACE, `${Math.floor(free / MIB)} MiB are free in ${folder}.`);
}
