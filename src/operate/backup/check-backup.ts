import path from 'node:path';
import { BASELINE_RELEASE, isBeforeBaseline } from '../../../migrations/former.js';
import { isKnownMigration } from '../../../migrations/index.js';
import { messageOf } from '../../platform/errors.js';
import { summarizeFile } from './line-files.js';
import { type BackupFile, type Manifest, readManifest } from './manifest.js';
import type { CopiedFile } from './manifest-file.js';

/**
 * Reads a whole backup and returns its manifest.
 * @throws Error that names each file that is missing or changed; Error if a newer version made the backup, or one before the baseline.
 */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  requireKnownSchema(manifest);
  await requireUndamaged(folder, filesOf(manifest));
  return manifest;
}

function requireKnownSchema({ version, migrations }: Manifest): void {
  if (!migrations.every(isKnownMigration)) {
    throw new Error(
      `The backup was created by Fabula ${version}; restore it with that version or a later one`,
    );
  }
  if (isBeforeBaseline(migrations)) {
    throw new Error(
      `The backup was created by Fabula ${version}; restore it with ${BASELINE_RELEASE}, then upgrade to this version`,
    );
  }
}

/** @throws Error that names each file that is missing or changed. */
export async function requireUndamaged(folder: string, files: readonly CopiedFile[]): Promise<void> {
  const faults: string[] = [];
  for (const file of files) faults.push(...(await faultsOf(folder, file)));
  if (faults.length > 0) throw new Error(`The backup is damaged: ${faults.join('; ')}`);
}

function filesOf({ schema, tables, spool }: Manifest): BackupFile[] {
  return [schema, ...tables, ...(spool === null ? [] : [spool])];
}

async function faultsOf(folder: string, { file, sha256 }: CopiedFile): Promise<string[]> {
  try {
    const found = await summarizeFile(path.join(folder, file));
    return found.sha256 === sha256 ? [] : [`${file} was changed after the backup`];
  } catch (error) {
    return [`${file} cannot be read (${messageOf(error)})`];
  }
}
