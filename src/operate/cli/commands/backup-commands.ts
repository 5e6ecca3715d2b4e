import path from 'node:path';
import type { Command } from 'commander';
import type { Manifest } from '../../backup/manifest.js';
import { takeBackup } from '../../backup/take-backup.js';
import { type Config, readConfig } from '../../../config/face.js';
import { SPOOL } from '../../../engine/face.js';
import { withCliQueues } from '../stores/cli-queues.js';
import type { Cli } from '../cli.js';
import { withOwnStores } from '../stores/own-stores.js';
import { restoreInstallation } from '../stores/restore-installation.js';
import { describeWork, unreadableSecrets } from '../stores/restored-database.js';

/** `backup` and `restore` (docs/operate/backup-and-restore.md). */
export function addBackupCommands(program: Command, cli: Cli): void {
  const withStores = <Result>(work: (config: Config) => Promise<Result>) =>
    withOwnStores(
      cli.io.env,
      (line) => cli.io.stderr.write(`${line}\n`),
      (env) => work(readConfig(env)),
    );
  program
    .command('backup')
    .description('back up the database and the webhook spool to a new folder, without stopping the server')
    .argument('<folder>', 'new or empty folder')
    .option('--without-spool', 'skip the spooled requests in Redis; Redis is then not needed')
    .action(
      cli.offlineAction(async ({ withoutSpool = false }: { withoutSpool?: boolean }, [folder = '']) => {
        const manifest = await withStores((config) =>
          withCliQueues(config, async ({ queues, reachRedis }) => {
            if (!withoutSpool) await reachRedis();
            const spool = withoutSpool ? undefined : queues.at(SPOOL);
            const database = { url: config.databaseUrl, tls: config.databaseTls };
            return takeBackup(path.resolve(folder), { config, database, spool });
          }),
        );
        return { json: manifest, text: describeBackup(manifest) };
      }),
    );
  program
    .command('restore')
    .description(
      'restore a backup into an empty database, verify every row, and prepare it for the processes',
    )
    .argument('<folder>', 'folder created by "backup"')
    .option('--force', 'delete the tables of the database first, and go on while processes run')
    .action(
      cli.offlineAction(async ({ force = false }: { force?: boolean }, [folder = '']) => {
        const restored = await withStores((config) =>
          restoreInstallation(path.resolve(folder), config, force),
        );
        const { manifest, migrated } = restored;
        const unreadable = unreadableSecrets(restored);
        const lines = [
          `Restored: ${describeBackup(manifest)} ${migrated.length} newer migrations were applied.`,
          describeWork(restored),
          ...unreadable,
        ];
        return { json: restored, text: lines.join('\n'), failed: unreadable.length > 0 };
      }),
    );
}

function describeBackup({ takenAt, tables, spool, keys }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const spooled = spool === null ? 'without the spool' : `${spool.jobs} spooled requests`;
  const needed =
    keys.length === 0 ? '' : ` Keep ${keys.join(' and ')} in another place: a restore requires it.`;
  return `${rows} rows of ${tables.length} tables and ${spooled}, as of ${takenAt}.${needed}`;
}
