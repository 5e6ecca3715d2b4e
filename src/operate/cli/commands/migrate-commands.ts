import { type Command, InvalidArgumentError } from 'commander';
import { migrateDown, migrateLatest } from '../../../platform/mysql/schema/migrate.js';
import type { Cli } from '../cli.js';

/** `migrate`: brings the schema up to date, or reverts migrations. */
export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('migrate the database schema to the latest version')
    .option(
      '--down <steps>',
      'revert this many migrations (except the first) and delete the data in their tables',
      readSteps,
    )
    .action(
      cli.action(async ({ database }, { down }: { down?: number }) => {
        if (down === undefined) {
          const ran = await migrateLatest(database);
          return { json: { ran }, text: summary(ran, 'was run', 'The schema is up to date.') };
        }
        const undone = await migrateDown(database, down);
        return {
          json: { undone },
          text: summary(undone, 'was reverted', 'Nothing to revert.'),
        };
      }),
    );
}

function summary(ids: string[], what: string, none: string): string {
  return ids.length === 0 ? none : ids.map((id) => `${id} ${what}`).join('\n');
}

function readSteps(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('expected a number of migrations');
  return Number(text);
}
