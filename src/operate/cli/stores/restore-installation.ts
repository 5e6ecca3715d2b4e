import path from 'node:path';
import { checkBackup } from '../../backup/check-backup.js';
import { readLines } from '../../backup/line-files.js';
import type { Manifest } from '../../backup/manifest.js';
import { compareWithBackup, loadBackup } from '../../backup/restore-backup.js';
import { writeSpool } from '../../backup/spool-copy.js';
import type { Config } from '../../../config/face.js';
import { readProcesses, SPOOL } from '../../../engine/face.js';
import { migrateLatest } from '../../../platform/mysql/schema/migrate.js';
import { type CliQueues, withCliQueues } from './cli-queues.js';
import { withCliServices } from './cli-services.js';
import { beginAfterRestore, type RestoredDatabase } from './restored-database.js';

/** The result of a restore. */
export interface Restored extends RestoredDatabase {
  manifest: Manifest;
  /** Migrations that ran after the tables were loaded. */
  migrated: string[];
}

/**
 * Checks a backup, loads it into the database of the configuration, compares every row, and begins a new epoch. Then
 * migrates, and adds the spooled requests to Redis.
 * @throws Error that says why; the database may hold a part of the backup then, and needs `force` the next time.
 */
export function restoreInstallation(folder: string, config: Config, force: boolean): Promise<Restored> {
  const target = { url: config.databaseUrl, tls: config.databaseTls };
  return withCliQueues(config, async (open) => {
    await open.reachRedis();
    if (!force) await refuseLiveProcesses(open, config);
    const manifest = await checkBackup(folder);
    return withCliServices(config, async (services) => {
      const { maxAllowedPacket } = await services.database.facts();
      await loadBackup(folder, manifest, target, { maxAllowedPacket, force });
      const faults = await compareWithBackup(manifest, target);
      if (faults.length > 0) throw new Error(`the restored database differs: ${faults.join('; ')}`);
      const migrated = await migrateLatest(services.database);
      const restored = await beginAfterRestore(services);
      if (manifest.spool !== null) {
        const lines = readLines(path.join(folder, manifest.spool.file));
        await writeSpool(open.queues.at(SPOOL), lines);
      }
      return { ...restored, manifest, migrated };
    });
  });
}

/** A process that goes on would serve cached data of the old database. */
async function refuseLiveProcesses({ redis }: CliQueues, { queuePrefix }: Config): Promise<void> {
  const { versions } = await readProcesses(redis, queuePrefix);
  const count = [...versions.values()].reduce((sum, each) => sum + each, 0);
  if (count > 0) throw new Error(`${count} Fabula processes are running; stop them first, or use --force`);
}
