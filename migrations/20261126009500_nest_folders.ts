import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** `content_type` says for which kind of things a folder was made; `parent_folder_id` is the folder that holds it. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('folders', 'content_type'))) {
    await knex.raw(
      "ALTER TABLE folders ADD COLUMN content_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'STORY'," +
        ' ADD COLUMN parent_folder_id BIGINT UNSIGNED NULL',
    );
  }
  if (!(await hasIndex(knex, 'folders', 'folders_parent'))) {
    await knex.raw('ALTER TABLE folders ADD KEY folders_parent (parent_folder_id)');
  }
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('folders', 'content_type'))) return;
  await knex.raw(
    'ALTER TABLE folders DROP KEY folders_parent, DROP COLUMN content_type, DROP COLUMN parent_folder_id',
  );
}
