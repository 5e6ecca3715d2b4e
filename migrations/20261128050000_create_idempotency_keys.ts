import type { Knex } from 'knex';

/**
 * Requests that were sent with an `Idempotency-Key`, by digests of sender and key. `answer` is NULL until the request has its
 * response; it is encrypted. Times are the database's.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS idempotency_keys (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    digest BINARY(32) NOT NULL,
    request_digest BINARY(32) NOT NULL,
    answer MEDIUMBLOB NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY idempotency_keys_digest (digest),
    KEY idempotency_keys_expires (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS idempotency_keys');
}
