import type { Command } from 'commander';
import { CredentialCipherError } from '../../credentials/credential-cipher.js';
import { renewEpoch } from '../../platform/mysql/epoch.js';
import { Conflict, Unprocessable } from '../../platform/errors.js';
import { summarizeWork, type WorkSummary } from '../../engine/state/work-summary-store.js';
import type { Cli } from '../cli.js';
import type { CliServices } from '../cli-services.js';

/** `database restored`: the step after a backup was loaded (docs/operations/backup-and-restore.md). */
export function addDatabaseCommands(program: Command, cli: Cli): void {
  const database = program.command('database').description('the database as a whole');
  database
    .command('restored')
    .description(
      'run after a backup was loaded: begin a new epoch of the database, so that jobs from before the restore are ignored; safe to repeat',
    )
    .action(
      cli.action(async (services) => {
        const epoch = await services.database.transaction(renewEpoch);
        const work = await services.database.read(summarizeWork);
        const unreadable = await unreadableCredentials(services);
        const servers = await unreadableMailServers(services);
        const all = [...unreadable, ...servers];
        return {
          json: { epoch, ...work, unreadableCredentials: unreadable, unreadableMailServers: servers },
          text: [describe(work), ...all.map(({ error }) => error)].join('\n'),
          failed: all.length > 0,
        };
      }),
    );
}

/** Returns the teams with a credential that no given key decrypts, each with its first error. */
async function unreadableCredentials({
  tenants,
  credentials,
}: CliServices): Promise<{ teamId: number; error: string }[]> {
  const unreadable: { teamId: number; error: string }[] = [];
  for (const tenant of await tenants.listTenants()) {
    for (const team of await tenants.listTeams(tenant.id)) {
      try {
        await credentials.listValues(team.id);
      } catch (error) {
        if (!(error instanceof CredentialCipherError || error instanceof Unprocessable)) throw error;
        unreadable.push({ teamId: team.id, error: `Team ${team.id}: ${error.message}` });
      }
    }
  }
  return unreadable;
}

/** Returns the tenants whose own mail server settings no given key decrypts. */
async function unreadableMailServers({
  tenants,
  mailSettings,
}: CliServices): Promise<{ tenantId: number; error: string }[]> {
  const unreadable: { tenantId: number; error: string }[] = [];
  for (const { id: tenantId } of await tenants.listTenants()) {
    try {
      await mailSettings.viewOf(tenantId);
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof Unprocessable)) throw error;
      unreadable.push({ tenantId, error: `Tenant ${tenantId}: ${error.message}` });
    }
  }
  return unreadable;
}

function describe({ newestEventAt, openDeliveries, deadLetters }: WorkSummary): string {
  const newest =
    newestEventAt === null ? 'There are no events.' : `The newest event is of ${newestEventAt} UTC.`;
  return `${newest} ${openDeliveries} deliveries are open, ${deadLetters} are dead letters. A new epoch of the database has begun.`;
}
