import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** Events of a run and of a story, newest first, without those that are inputs of runs (agent 0). */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'events', 'events_story')) return;
  await knex.raw(`
    ALTER TABLE events
      DROP KEY events_run,
      ADD KEY events_run (story_run_guid, id, agent_id),
      ADD KEY events_story (story_id, id, agent_id)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE events DROP KEY events_story, DROP KEY events_run, ADD KEY events_run (story_run_guid)',
  );
}
