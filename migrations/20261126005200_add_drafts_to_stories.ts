import type { Knex } from 'knex';

/** A draft is a story of its own; `draft_of` is the story that it would change. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('stories', 'draft_of')) return;
  await knex.raw(
    'ALTER TABLE stories ADD COLUMN draft_of BIGINT UNSIGNED NULL,' +
      ' ADD COLUMN draft_name VARCHAR(255) NULL, ADD KEY stories_draft_of (draft_of, id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('stories', 'draft_of'))) return;
  await knex.raw(
    'ALTER TABLE stories DROP KEY stories_draft_of, DROP COLUMN draft_name, DROP COLUMN draft_of',
  );
}
