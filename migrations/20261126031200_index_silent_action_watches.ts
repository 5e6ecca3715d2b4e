import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

const INDEX = 'action_watches_silent';

/** Actions of whose silence the recipients were told, for the status. */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'action_watches', INDEX)) return;
  await knex.raw(`ALTER TABLE action_watches ADD KEY ${INDEX} (told_silence, agent_id)`);
}

export async function down(knex: Knex): Promise<void> {
  if (!(await hasIndex(knex, 'action_watches', INDEX))) return;
  await knex.raw(`ALTER TABLE action_watches DROP KEY ${INDEX}`);
}
