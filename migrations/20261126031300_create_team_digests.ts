import type { Knex } from 'knex';

/** Daily digests of teams; a team without a row has none. `next_at`: when the next one is made, by one process. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS team_digests (
    team_id BIGINT UNSIGNED NOT NULL,
    tenant_id BIGINT UNSIGNED NOT NULL,
    recipients LONGTEXT NOT NULL,
    hour TINYINT UNSIGNED NOT NULL,
    timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    next_at DATETIME(3) NOT NULL,
    last_at DATETIME(3) NULL,
    PRIMARY KEY (team_id),
    KEY team_digests_next (next_at, team_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS team_digests');
}
