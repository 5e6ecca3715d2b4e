import type { Knex } from 'knex';

/** `locked` refuses changes of a story's actions; under change control only a promoted change request changes them. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('stories', 'locked')) return;
  await knex.raw(
    'ALTER TABLE stories ADD COLUMN locked BOOLEAN NOT NULL DEFAULT FALSE,' +
      ' ADD COLUMN change_control_enabled BOOLEAN NOT NULL DEFAULT FALSE',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('stories', 'locked'))) return;
  await knex.raw('ALTER TABLE stories DROP COLUMN locked, DROP COLUMN change_control_enabled');
}
