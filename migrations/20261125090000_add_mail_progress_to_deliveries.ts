import type { Knex } from 'knex';

/** `mail_progress`: who has the mails of an action that is tried again, so that only the others get them. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('deliveries', 'mail_progress')) return;
  await knex.raw(
    'ALTER TABLE deliveries ADD COLUMN mail_progress LONGTEXT CHARACTER SET ascii COLLATE ascii_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE deliveries DROP COLUMN mail_progress');
}
