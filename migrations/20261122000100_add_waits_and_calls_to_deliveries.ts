import type { Knex } from 'knex';

/**
 * `resume_at`: an action asked to sleep until then, and goes on where it was (delay, throttle). `called`: another
 * story's action waits for what this run comes to (send to story).
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('deliveries', 'resume_at')) return;
  await knex.raw(`
    ALTER TABLE deliveries
      ADD COLUMN resume_at DATETIME(3) NULL AFTER due_at,
      ADD COLUMN called BOOLEAN NOT NULL DEFAULT FALSE AFTER awaited
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE deliveries DROP COLUMN resume_at, DROP COLUMN called');
}
