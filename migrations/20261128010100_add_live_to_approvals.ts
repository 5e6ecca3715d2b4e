import type { Knex } from 'knex';

/** `approved_live`: the digest of the live story that an approval was given for. Approvals of before have none. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('change_requests', 'approved_live')) return;
  await knex.raw(
    'ALTER TABLE change_requests ADD COLUMN approved_live CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('change_requests', 'approved_live'))) return;
  await knex.raw('ALTER TABLE change_requests DROP COLUMN approved_live');
}
