import type { Knex } from 'knex';

/** Tables whose rows are locked on every node of a cluster, by a change of `claims`. */
const TABLES = [
  'tenants',
  'users',
  'teams',
  'folders',
  'stories',
  'cases',
  'records',
  'record_counts',
  'story_runs',
] as const;

/**
 * `claims`: a number that a transaction increments to exclude all others that do the same, on any node. A step that was killed
 * goes on at the next table.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    if (await knex.schema.hasColumn(table, 'claims')) continue;
    await knex.raw('ALTER TABLE ?? ADD COLUMN claims INT UNSIGNED NOT NULL DEFAULT 0', [table]);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES.toReversed()) {
    if (!(await knex.schema.hasColumn(table, 'claims'))) continue;
    await knex.raw('ALTER TABLE ?? DROP COLUMN claims', [table]);
  }
}
