import type { Knex } from 'knex';

/** Usage of tenants by day (UTC): sums that each process updates every few seconds (rule 6). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS tenant_usage (
    tenant_id BIGINT UNSIGNED NOT NULL,
    day DATE NOT NULL,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    mails BIGINT UNSIGNED NOT NULL DEFAULT 0,
    cpu_ms BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, day),
    KEY tenant_usage_day (day)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS tenant_usage');
}
