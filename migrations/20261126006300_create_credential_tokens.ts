import type { Knex } from 'knex';

/** Tokens that were fetched for credentials, encrypted, and who is fetching one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS credential_tokens (
    credential_id BIGINT UNSIGNED NOT NULL,
    encrypted_token MEDIUMBLOB NULL,
    fetched_at DATETIME(3) NULL,
    expires_at DATETIME(3) NULL,
    lease CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    lease_until DATETIME(3) NULL,
    PRIMARY KEY (credential_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS credential_tokens');
}
