import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** A story's runs in the order of lists, with what lists are narrowed by: a page and its count read the index alone. */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'story_runs', 'story_runs_list')) return;
  await knex.raw(`
    ALTER TABLE story_runs
      DROP KEY story_runs_story,
      ADD KEY story_runs_list (story_id, created_at, id, source, cancelled_at)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE story_runs DROP KEY story_runs_list, ADD KEY story_runs_story (story_id, id)');
}
