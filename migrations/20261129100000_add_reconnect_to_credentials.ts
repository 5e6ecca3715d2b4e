import type { Knex } from 'knex';

/** Since when and why a person must connect a credential again, and when this was told. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'reconnect_since')) return;
  await knex.raw(
    `ALTER TABLE credentials ADD COLUMN reconnect_since DATETIME(3) NULL, ADD COLUMN reconnect_reason VARCHAR(512) NULL,
       ADD COLUMN reconnect_told_at DATETIME(3) NULL, ADD KEY credentials_reconnect (reconnect_since)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'reconnect_since'))) return;
  await knex.raw(
    'ALTER TABLE credentials DROP KEY credentials_reconnect, DROP COLUMN reconnect_since, DROP COLUMN reconnect_reason, DROP COLUMN reconnect_told_at',
  );
}
