import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** Lines of an action, and of a run, from a level upwards. */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'agent_logs', 'agent_logs_run')) return;
  await knex.raw(`
    ALTER TABLE agent_logs
      DROP KEY agent_logs_agent,
      ADD KEY agent_logs_agent (agent_id, id, level),
      ADD KEY agent_logs_run (story_run_guid, agent_id, id, level)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE agent_logs DROP KEY agent_logs_run, DROP KEY agent_logs_agent, ADD KEY agent_logs_agent (agent_id, id)',
  );
}
