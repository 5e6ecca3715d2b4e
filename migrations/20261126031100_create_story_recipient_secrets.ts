import type { Knex } from 'knex';

/** Secrets that sign requests to recipients of stories. `address_hash`: SHA-256 of the address. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_recipient_secrets (
    story_id BIGINT UNSIGNED NOT NULL,
    address_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (story_id, address_hash)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_recipient_secrets');
}
