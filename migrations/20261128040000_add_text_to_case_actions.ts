import type { Knex } from 'knex';

/** `action_text`: the text of the button; null: none was given. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('case_actions', 'action_text')) return;
  await knex.raw(
    'ALTER TABLE case_actions ADD COLUMN action_text VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('case_actions', 'action_text'))) return;
  await knex.raw('ALTER TABLE case_actions DROP COLUMN action_text');
}
