import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** Retention asks of each run whether one of its prompts can still be answered. */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'prompts', 'prompts_run')) return;
  await knex.raw('ALTER TABLE prompts ADD KEY prompts_run (story_run_guid)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE prompts DROP KEY prompts_run');
}
