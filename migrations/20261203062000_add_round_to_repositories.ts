import type { Knex } from 'knex';

/** The commit at which a sync ended that left stories: the next one goes on only there. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('team_repositories', 'round_commit')) return;
  await knex.raw(
    'ALTER TABLE team_repositories ADD COLUMN round_commit VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('team_repositories', 'round_commit'))) return;
  await knex.raw('ALTER TABLE team_repositories DROP COLUMN round_commit');
}
