import type { Knex } from 'knex';

/**
 * Who has an entry of the inbox, and until when it is hidden; `snoozed_count`: its count when it was hidden. `wait_reason`: why
 * a delivery waits. `access_ends_at`: when the access ends that a person allowed, if it cannot be renewed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS inbox_marks (
    tenant_id BIGINT UNSIGNED NOT NULL,
    entry_key VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    assignee_id BIGINT UNSIGNED NULL,
    snoozed_until DATETIME(3) NULL,
    snoozed_count BIGINT UNSIGNED NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (tenant_id, entry_key),
    KEY inbox_marks_expires (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  if (!(await knex.schema.hasColumn('credentials', 'access_ends_at')))
    await knex.raw('ALTER TABLE credentials ADD COLUMN access_ends_at DATETIME(3) NULL');
  if (await knex.schema.hasColumn('deliveries', 'wait_reason')) return;
  await knex.raw(
    'ALTER TABLE deliveries ADD COLUMN wait_reason VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS inbox_marks');
  if (await knex.schema.hasColumn('credentials', 'access_ends_at'))
    await knex.raw('ALTER TABLE credentials DROP COLUMN access_ends_at');
  if (await knex.schema.hasColumn('deliveries', 'wait_reason'))
    await knex.raw('ALTER TABLE deliveries DROP COLUMN wait_reason');
}
