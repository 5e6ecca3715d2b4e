import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/**
 * Writes from the command line have no key, and may have no user; and every filter of the list gets an index that counts
 * and sorts what it lets through.
 */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'audit_logs', 'audit_logs_team')) return;
  await knex.raw(`
    ALTER TABLE audit_logs
      MODIFY user_id BIGINT UNSIGNED NULL,
      MODIFY user_email VARCHAR(255) NULL,
      MODIFY key_id BIGINT UNSIGNED NULL,
      ADD KEY audit_logs_team (tenant_id, team_id, created_at),
      ADD KEY audit_logs_type (tenant_id, target_type, created_at),
      ADD KEY audit_logs_target_id (tenant_id, target_id, created_at)
  `);
}

/** Entries without user or key keep their place, with none (0) and without an address. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    "UPDATE audit_logs SET user_id = COALESCE(user_id, 0), user_email = COALESCE(user_email, ''), key_id = 0 WHERE key_id IS NULL",
  );
  await knex.raw(`
    ALTER TABLE audit_logs
      DROP KEY audit_logs_target_id,
      DROP KEY audit_logs_type,
      DROP KEY audit_logs_team,
      MODIFY user_id BIGINT UNSIGNED NOT NULL,
      MODIFY user_email VARCHAR(255) NOT NULL,
      MODIFY key_id BIGINT UNSIGNED NOT NULL
  `);
}
