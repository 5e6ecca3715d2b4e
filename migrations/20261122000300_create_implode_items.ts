import type { Knex } from 'knex';

/** Items that implode actions collect: one row for each parked delivery, deleted with it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS implode_items (
    delivery_id BIGINT UNSIGNED NOT NULL,
    group_key CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    size INT UNSIGNED NOT NULL,
    position BIGINT UNSIGNED NULL,
    item LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (delivery_id),
    KEY implode_items_group (group_key, delivery_id),
    KEY implode_items_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS implode_items');
}
