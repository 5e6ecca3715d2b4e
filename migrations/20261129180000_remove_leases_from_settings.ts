import type { Knex } from 'knex';

/**
 * Retention and the archive are leased in the table `leases` now. A process of the version before may write these rows again
 * until it ends: nobody reads them, and two processes at once do no harm (decision 0010).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("DELETE FROM settings WHERE name IN ('retention_lease', 'archive_lease')");
}

/** The version before makes them itself. */
export function down(): Promise<void> {
  return Promise.resolve();
}
