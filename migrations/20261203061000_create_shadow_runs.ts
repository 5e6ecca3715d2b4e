import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** Columns that shadows and their differences get. */
const COLUMNS = [
  ['shadows', 'key_team_id', 'BIGINT UNSIGNED NULL'],
  ['shadows', 'listed', 'INT UNSIGNED NOT NULL DEFAULT 0'],
  ['shadow_differences', 'team_id', 'BIGINT UNSIGNED NULL'],
] as const;

/**
 * Runs that a shadow found to differ, or could not compare: `difference_id` 0 is the run itself, any other one the group that the run
 * is in. `reason` says why a run was not compared; null: it differs. `listed` counts the rows of groups, which are bounded.
 * `key_team_id` is the team of the key that began the shadow; `team_id` the team of the action, for when the action is no more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS shadow_runs (
    shadow_id BIGINT UNSIGNED NOT NULL,
    difference_id BIGINT UNSIGNED NOT NULL,
    run_id BIGINT UNSIGNED NOT NULL,
    reason VARCHAR(16) ${ASCII} NULL,
    PRIMARY KEY (shadow_id, difference_id, run_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  for (const [table, column, type] of COLUMNS)
    if (!(await knex.schema.hasColumn(table, column)))
      await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of COLUMNS)
    if (await knex.schema.hasColumn(table, column))
      await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  await knex.raw('DROP TABLE IF EXISTS shadow_runs');
}
