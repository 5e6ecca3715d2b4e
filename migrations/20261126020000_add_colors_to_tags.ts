import type { Knex } from 'knex';

/** `color`: `#RRGGBB`. `updated_at` null: it was not changed since it was made. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('tags', 'color')) return;
  await knex.raw(
    "ALTER TABLE tags ADD COLUMN color CHAR(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '#8D75E6'," +
      ' ADD COLUMN updated_at DATETIME(3) NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('tags', 'color'))) return;
  await knex.raw('ALTER TABLE tags DROP COLUMN color, DROP COLUMN updated_at');
}
