import type { Knex } from 'knex';

/** How the mails of a tenant leave; null where the server's own settings hold. The address is encrypted: it holds a password. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS tenant_mail_settings (
    tenant_id BIGINT UNSIGNED NOT NULL,
    encrypted_smtp_url BLOB NULL,
    mail_from VARCHAR(320) NULL,
    mail_from_allow TEXT NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (tenant_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS tenant_mail_settings');
}
