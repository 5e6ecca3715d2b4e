import type { Knex } from 'knex';

/**
 * When recipients of a story were told of failures. `told_up_to`: failures until then are told. `tried_at`: the last
 * attempt. Rows of a day ago are deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_failure_notices (
    story_id BIGINT UNSIGNED NOT NULL,
    tried_at DATETIME(3) NOT NULL,
    told_up_to DATETIME(3) NULL,
    PRIMARY KEY (story_id),
    KEY story_failure_notices_tried (tried_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_failure_notices');
}
