import type { Knex } from 'knex';

/** How urgent an entry of the inbox was when it was hidden, and when that was. */
const COLUMNS = {
  snoozed_severity: 'VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL',
  snoozed_at: 'DATETIME(3) NULL',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (await knex.schema.hasColumn('inbox_marks', name)) continue;
    await knex.raw(`ALTER TABLE inbox_marks ADD COLUMN ${name} ${type}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(COLUMNS)) {
    if (!(await knex.schema.hasColumn('inbox_marks', name))) continue;
    await knex.raw(`ALTER TABLE inbox_marks DROP COLUMN ${name}`);
  }
}
