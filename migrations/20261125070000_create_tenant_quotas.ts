import type { Knex } from 'knex';

/** Quotas of a tenant's own: null where the default holds, 0 for none (decision 0032). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS tenant_quotas (
    tenant_id BIGINT UNSIGNED NOT NULL,
    events_per_day BIGINT UNSIGNED NULL,
    bytes_per_day BIGINT UNSIGNED NULL,
    mails_per_day BIGINT UNSIGNED NULL,
    processor_seconds_per_day BIGINT UNSIGNED NULL,
    stories BIGINT UNSIGNED NULL,
    records BIGINT UNSIGNED NULL,
    schedules BIGINT UNSIGNED NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (tenant_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS tenant_quotas');
}
