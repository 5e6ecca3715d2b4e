import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { beginAfterRestore, describeWork, unreadableSecrets } from '../stores/restored-database.js';

/** `database restored`: the step after a backup was loaded by hand (docs/operate/backup-and-restore.md). */
export function addDatabaseCommands(program: Command, cli: Cli): void {
  const database = program.command('database').description('manage the database');
  database
    .command('restored')
    .description(
      'run after restoring a backup: start a new database epoch so that jobs from before the restore are ignored; safe to repeat',
    )
    .action(
      cli.action(async (services) => {
        const found = await beginAfterRestore(services);
        const unreadable = unreadableSecrets(found);
        return {
          json: found,
          text: [describeWork(found), ...unreadable].join('\n'),
          failed: unreadable.length > 0,
        };
      }),
    );
}
