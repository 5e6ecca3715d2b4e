import type { Knex } from 'knex';

/** How a credential gives its secret, what of that may be shown, and the teams that may use it. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'mode')) return;
  await knex.raw(
    'ALTER TABLE credentials' +
      " ADD COLUMN mode VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEXT'," +
      ' ADD COLUMN settings LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,' +
      ' ADD COLUMN metadata LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,' +
      ' ADD COLUMN folder_id BIGINT UNSIGNED NULL,' +
      " ADD COLUMN read_access VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEAM'," +
      ' ADD KEY credentials_access (team_id, read_access)',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'mode'))) return;
  await knex.raw(
    'ALTER TABLE credentials DROP KEY credentials_access, DROP COLUMN mode, DROP COLUMN settings,' +
      ' DROP COLUMN metadata, DROP COLUMN folder_id, DROP COLUMN read_access',
  );
}
