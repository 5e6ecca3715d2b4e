import { CredentialCipherError } from '../../../data/face.js';
import { summarizeWork, type WorkSummary } from '../../../engine/face.js';
import { Conflict, Unprocessable } from '../../../platform/errors.js';
import { renewEpoch } from '../../../platform/mysql/schema/epoch.js';
import type { CliServices } from './cli-services.js';

/** The state of a database after a backup was loaded. */
export interface RestoredDatabase extends WorkSummary {
  epoch: string;
  unreadableCredentials: { teamId: number; error: string }[];
  unreadableMailServers: { tenantId: number; error: string }[];
}

/** Begins a new epoch, so that jobs from before the restore are ignored; returns the open work, and the secrets that no key decrypts. */
export async function beginAfterRestore(services: CliServices): Promise<RestoredDatabase> {
  const epoch = await services.database.transaction(renewEpoch);
  const work = await services.database.read(summarizeWork);
  return {
    epoch,
    ...work,
    unreadableCredentials: await unreadableCredentials(services),
    unreadableMailServers: await unreadableMailServers(services),
  };
}

/** Returns a line for each secret that no key decrypts. */
export function unreadableSecrets(found: RestoredDatabase): string[] {
  return [...found.unreadableCredentials, ...found.unreadableMailServers].map(({ error }) => error);
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

/** Returns the open work in a sentence. */
export function describeWork({ newestEventAt, openDeliveries, deadLetters }: WorkSummary): string {
  const newest =
    newestEventAt === null ? 'There are no events.' : `The newest event is from ${newestEventAt} UTC.`;
  return `${newest} Open deliveries: ${openDeliveries}; dead letters: ${deadLetters}. A new database epoch has started.`;
}
