import type { Knex } from 'knex';

/** Subscribers to changes of a case: an address with the secret that signs its requests, or a user. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS case_subscribers (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    url TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    user_id BIGINT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_subscribers_case (case_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS case_subscribers');
}
