import type { Knex } from 'knex';

/** Facts of this database, such as its epoch (rule 8). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS settings (
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS settings');
}
